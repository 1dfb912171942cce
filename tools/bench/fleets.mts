import { VirtualWorker } from '../../test/support/virtualWorker.mts';
import { wrongResults } from './wrongResults.mts';
import * as shared from './shared.mts';
import {
	LONG_IMAGE,
	meanOf,
	overSeeds,
	SHORT_IMAGE,
	sumOf,
	type Kind,
	type Row,
} from './shared.mts';

const SEEDS = 12;

const MOST_REFUSED = 35;

interface Work {
	work: string;
	kind: Kind;
	jobs: number;
	hasHistory?: boolean;
	/** By how many processes share the jobs; most of them have a bound. */
	bounds: ReadonlyArray<readonly [processes: number, most?: number]>;
}

const WORKS: Work[] = [
	{
		work: '40 images of 3 to 9 s',
		kind: SHORT_IMAGE,
		jobs: 40,
		bounds: [[1], [2, 1.35], [4, 1.6], [8, 2]],
	},
	{
		work: '40 images of 3 to 9 s, no history (404)',
		kind: SHORT_IMAGE,
		jobs: 40,
		hasHistory: false,
		bounds: [[1], [2, 1.55], [4, 1.7], [8, 1.95]],
	},
	{
		work: '80 images of 20 to 40 s',
		kind: LONG_IMAGE,
		jobs: 80,
		bounds: [1, 2, 4, 8].map((processes) => [processes, 1.1]),
	},
];

/** Processes that share an account without knowing of one another, as workers of n8n do, in virtual time. */
export async function measureFleets(): Promise<Row[]> {
	const rows: Row[] = [];
	for (const work of WORKS) rows.push(await rowOf(work));
	return rows;
}

async function rowOf({ work, bounds, ...fleet }: Work): Promise<Row> {
	const values: Row['values'] = [];
	const refused: number[] = [];
	let wrong = 0;
	for (const [processes, most] of bounds) {
		const runs = await overSeeds(SEEDS, async (seed) => await measure(fleet, processes, seed));
		values.push({
			of: String(processes),
			took: shared.inSeconds(meanOf(runs, ({ ms }) => ms)),
			measured: meanOf(runs, ({ ratio }) => ratio),
			unit: shared.TIMES,
			most,
		});
		refused.push((100 * sumOf(runs, (run) => run.refused)) / sumOf(runs, (run) => run.requests));
		wrong += sumOf(runs, (run) => run.wrong);
	}
	const measured = Math.max(...refused);
	values.push({ measured, unit: shared.REFUSED, most: MOST_REFUSED });
	values.push({ measured: wrong, unit: 'rows failed or wrong', most: 0 });
	const counts = bounds.map(([processes]) => processes).join(', ');
	return { work: `${work}, shared by ${counts} processes`, values };
}

async function measure(fleet: Omit<Work, 'work' | 'bounds'>, processes: number, seed: number) {
	const { kind, jobs, hasHistory } = fleet;
	const account = shared.accountFor(kind, seed, hasHistory);
	const { clock, state } = account;
	const startedAt = clock.now();
	const work = async (_: unknown, index: number) =>
		await new VirtualWorker(account, String(index)).execute(
			shared.batchOf(kind, jobs / processes, String(index)),
		);
	const runs = await clock.run(Promise.all(Array.from({ length: processes }, work)));
	const ms = clock.now() - startedAt;
	return {
		ms,
		ratio: ms / shared.idealOf(state.jobs.list),
		wrong: sumOf(runs, (run) => wrongResults(run, state)),
		...shared.trafficOf(state),
	};
}
