import { IMAGE_CATALOG, MUSIC_CATALOG, VIDEO_CATALOG } from '../../nodes/shared/spec/catalogs.ts';
import { priceInWords } from '../../nodes/shared/form/prices.ts';
import { between } from '../lib/docs/markdown.mts';
import type { Results, Row } from './result.mts';

/** The README with a line for each strength of the package, with measured numbers, also the less good ones. */
export function withHighlights(readme: string, results: Results): string {
	return between(readme, 'highlights', highlights(results).join('\n'));
}

function highlights(results: Results): string[] {
	const row = (part: string, wanted: Row) => rowIn(results, part, wanted);
	const real = row('a', { way: 'MediaGen Image' });
	const loop = row('a', { way: 'loop, batches of five (Wait 3 s)' });
	const trusted = row('f', { work: '300 images of 3 to 9 s', history: 'true' });
	const untrusted = row('f', { work: '300 images of 3 to 9 s', history: 'none (404)' });
	const long = row('g', { work: '80 jobs of 20 to 40 s', processes: '8' });
	const short = row('g', { work: '40 images of 3 to 9 s', processes: '8' });
	const workers = row('h', { workers: 3, way: 'MediaGen Image' });
	const few = row('e', { runs: 20, what: 'all wait' });
	const many = row('e', { runs: 200, what: 'all wait' });
	const killed = row('e', { runs: 200, what: 'until somebody works for all again' });
	const { priced, paid } = pricesShown();
	return [
		`- **Fast batches.** Five jobs run at a time; a free place is filled at once. 20 images in a real n8n take ${real.seconds} s, with a loop ${loop.seconds} s. 300 in virtual time take ${minutes(trusted.seconds)}, or ${minutes(untrusted.seconds)} if the service's history cannot be trusted, and ${minutes(trusted['loop, s'])} with a loop.`,
		`- **Rate limits respected.** All workflows and workers share the account's limits. Of the requests of 8 processes in virtual time, the service refuses ${long['refused, %']}% with jobs of 20 to 40 s (loops: ${long['their refused, %']}%), and ${short['refused, %']}% with jobs of 3 to 9 s (loops: ${short['their refused, %']}%).`,
		`- **Retries wait for what is paid.** Of ${workers['jobs paid']} jobs on ${workers.workers} workers of a real n8n, ${none(workers.lost)} was lost and ${none(workers['paid twice'])} paid for twice. A retry after n8n was killed pays again, unless the node waited durably.`,
		`- **Waits that survive restarts.** From n8n 2.33 on, n8n can [park](docs/durable.md) executions in its database. In a real n8n with a faster clock, ${few.runs} parked executions use ${few['% of a core']}% of a CPU core, and ${many.runs} use ${many['% of a core']}%. After \`kill -9\`, all ${killed.runs} are at work again within ${killed.minutes} minutes.`,
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

/** "none" for 0; a person has to see and explain any other count. */
const none = (count: string | number | undefined) => (count === 0 ? 'none' : String(count));

const minutes = (seconds: string | number | undefined) =>
	`${(Number(seconds) / 60).toFixed(1)} minutes`;

/** How many operations cost something, or may, and how many of those have a documented price. */
function pricesShown(): { priced: number; paid: number } {
	const paid = [IMAGE_CATALOG, VIDEO_CATALOG, MUSIC_CATALOG]
		.flatMap(({ operations }) => operations)
		.filter((operation) => operation.kind === 'create')
		.filter((operation) => !operation.price.shown || priceInWords(operation) !== 'free');
	return { priced: paid.filter(({ price }) => price.shown).length, paid: paid.length };
}
