import { IMAGE_CATALOG, MUSIC_CATALOG, VIDEO_CATALOG } from '../../nodes/shared/spec/catalogs.ts';
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
	const parked = row('e', { what: 'all wait' });
	const killed = row('e', { what: 'until somebody works for all again' });
	const { priced, paid } = pricesShown();
	return [
		`- **Fast batches.** Five jobs run at a time, and a free slot is filled at once. 300 images take ${minutes(batch.seconds)}; a loop of plain nodes takes ${minutes(batch['loop, s'])}.`,
		`- **Limits kept.** All workflows and workers share the limits of the account. With 8 processes, ${fleet['refused, %']} % of the requests are refused; with loops, ${fleet['their refused, %']} %.`,
		`- **Nothing paid for twice.** Retries and restarts wait for the job that you have paid for. Of ${workers['jobs paid']} jobs on ${workers.workers} workers, ${none(workers.lost)} was lost and ${none(workers['paid twice'])} was paid for twice.`,
		`- **Waits that survive.** 200 executions wait in n8n's database for ${parked['% of a core']} % of a core. After \`kill -9\`, all are at work again within ${killed.minutes} minutes.`,
		`- **No surprise on the bill.** The panel shows the price before the click, for ${priced} of ${paid} paid operations (the others have no documented price). A run can have a limit.`,
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

function pricesShown(): { priced: number; paid: number } {
	const created = [IMAGE_CATALOG, VIDEO_CATALOG, MUSIC_CATALOG]
		.flatMap(({ operations }) => operations)
		.filter((operation) => operation.kind === 'create');
	return { priced: created.filter(({ price }) => price.shown).length, paid: created.length };
}
