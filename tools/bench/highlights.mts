import { IMAGE_CATALOG, MUSIC_CATALOG, VIDEO_CATALOG } from '../../nodes/shared/spec/catalogs.ts';
import { FREE, priceInWords } from '../../nodes/shared/form/prices.ts';
import { between } from '../lib/markdownTable.mts';
import type { Results, Row } from './result.mts';

/** Begin and end of the lines in the README. */
const BEGIN = '<!-- highlights -->';
const END = '<!-- /highlights -->';

/** The README with what the package does that a loop of plain nodes does not: a line each, with a number. */
export function withHighlights(readme: string, results: Results): string {
	return between(readme, BEGIN, END, highlights(results).join('\n'));
}

function highlights(results: Results): string[] {
	const row = (part: string, wanted: Row) => rowIn(results, part, wanted);
	const batch = row('f', { work: '300 images of 3 to 9 s', history: 'true' });
	const workers = row('h', { workers: 3, way: 'MediaGen Image' });
	const fleet = row('g', { work: '80 jobs of 20 to 40 s', processes: '8' });
	const parked = row('e', { runs: 200, what: 'all wait' });
	const killed = row('e', { runs: 200, what: 'until somebody works for all again' });
	const { priced, paid } = pricesShown();
	return [
		`- **Fast batches.** Five jobs run at a time, and a free place is filled at once. 300 images take ${minutes(batch.seconds)}. A loop of HTTP Request and Wait nodes takes ${minutes(batch['loop, s'])}.`,
		`- **Rate limits respected.** All workflows and workers share the account's limits. With 8 n8n processes on one account, the service refuses ${fleet['refused, %']}% of the requests. With loops, it refuses ${fleet['their refused, %']}%.`,
		`- **Nothing paid for twice.** Retries wait for the job that you have already paid for, and so do durable waits after a restart. Of ${workers['jobs paid']} jobs on ${workers.workers} workers, ${none(workers.lost)} was lost and ${none(workers['paid twice'])} was paid for twice.`,
		`- **Waits that survive restarts.** n8n can park waiting executions in its database. ${parked.runs} of them use ${parked['% of a core']}% of a CPU core. After \`kill -9\`, all of them are working again within ${killed.minutes} minutes.`,
		`- **No surprises on the bill.** The panel shows the price before you run the node, for ${priced} of ${paid} paid operations (the others have no documented price). You can limit what a run may cost.`,
	];
}

/** @throws Error when the part has no such row */
function rowIn(results: Results, part: string, wanted: Row): Row {
	const rows = results[part]?.tables.flatMap((table) => table.rows) ?? [];
	const found = rows.find((row) =>
		Object.entries(wanted).every(([key, value]) => row[key] === value),
	);
	if (found) return found;
	throw new Error(`Part ${part} of the bench has no row with ${JSON.stringify(wanted)}`);
}

/** A count that is 0, in words; any other would have to be read. */
const none = (count: string | number | undefined) => (count === 0 ? 'none' : String(count));

const minutes = (seconds: string | number | undefined) =>
	`${(Number(seconds) / 60).toFixed(1)} minutes`;

/** Of the operations that cost something, or may: all, and those with a documented price. */
function pricesShown(): { priced: number; paid: number } {
	const paid = [IMAGE_CATALOG, VIDEO_CATALOG, MUSIC_CATALOG]
		.flatMap(({ operations }) => operations)
		.filter((operation) => operation.kind === 'create')
		.filter((operation) => !operation.price.shown || priceInWords(operation) !== FREE);
	return { priced: paid.filter(({ price }) => price.shown).length, paid: paid.length };
}
