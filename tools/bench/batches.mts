import process from 'node:process';

import type { SandboxState } from '../../sandbox/state.mts';
import { wrongResults } from './wrongResults.mts';
import * as shared from './shared.mts';
import {
	accountFor,
	batchOf,
	meanOf,
	overSeeds,
	SHORT_IMAGE,
	TIMES,
	type Kind,
	type Row,
} from './shared.mts';

/** How many images a batch has, over how many seeds: of a long one, a few say enough. */
const BATCHES = [
	{ count: 20, seeds: 10 },
	{ count: 60, seeds: 10 },
	{ count: 300, seeds: 3 },
];

/** Up to here, the process still learns how the service answers. */
const FEW = 20;

const SINGLE_SEEDS = 40;

const VIDEO = { resource: 'vidA31', operation: 'generate', aspectRatio: '16:9' };
const FAST: Kind = {
	kind: 'video',
	parameters: { ...VIDEO, model: 'modelA_fast' },
	takes: { min: 30_000, max: 45_000 },
};
const QUALITY: Kind = {
	kind: 'video',
	parameters: { ...VIDEO, model: 'modelA' },
	takes: { min: 45_000, max: 60_000 },
};

const OF_A_DAY = 10_000;

const TIMED = 500;

/** Work of one process that is alone on its account, in virtual time. */
export async function measureBatches(): Promise<Row[]> {
	return [
		await batches('history true', true, 1.15),
		await batches('no history (404)', false, 1.35),
		await single('one image of 3 to 9 s', SHORT_IMAGE, 0.8),
		await single('one video of 30 to 45 s', FAST, 1.3),
		await day(),
		await processorTime(),
	];
}

async function batches(history: string, hasHistory: boolean, most: number): Promise<Row> {
	const values: Row['values'] = [];
	let wrong = 0;
	for (const { count, seeds } of BATCHES) {
		const runs = await overSeeds(seeds, async (seed) => {
			const n8n = accountFor(SHORT_IMAGE, seed, hasHistory);
			const run = await n8n.clock.run(n8n.execute(batchOf(SHORT_IMAGE, count)));
			wrong += wrongResults(run, n8n.state);
			const ms = run.endedAt - run.startedAt;
			// Where the history is true, one look shows all ends.
			const ideal = shared.idealOf(n8n.state.jobs.list, hasHistory ? 'one' : 'each');
			return { ms, ratio: ms / ideal };
		});
		values.push({
			of: String(count),
			took: shared.inSeconds(meanOf(runs, ({ ms }) => ms)),
			measured: meanOf(runs, ({ ratio }) => ratio),
			unit: TIMES,
			...(count > FEW && { most }),
		});
	}
	values.push({ measured: wrong, unit: 'rows failed or wrong', most: 0 });
	const counts = BATCHES.map(({ count }) => count).join(', ');
	return { work: `${counts} images of 3 to 9 s, ${history}`, values };
}

/** How late the end of a job is seen by a process that has seen none before. */
async function single(work: string, kind: Kind, most: number): Promise<Row> {
	const runs = await overSeeds(SINGLE_SEEDS, async (seed) => {
		const n8n = accountFor(kind, seed);
		const { error, endedAt } = await n8n.clock.run(n8n.execute(batchOf(kind, 1)));
		if (error) throw error;
		const [job] = n8n.state.jobs.list;
		return { lateMs: endedAt - job!.endsAt, ...shared.trafficOf(n8n.state) };
	});
	return {
		work,
		values: [
			{ measured: meanOf(runs, ({ lateMs }) => lateMs) / 1000, unit: 's late', most },
			{ measured: meanOf(runs, ({ requests }) => requests), unit: 'requests' },
		],
	};
}

/** Videos of both models by turns, in one run. */
async function day(): Promise<Row> {
	const n8n = accountFor(FAST, 1);
	drawByModel(n8n.state);
	const kindOf = (item: number) => (item % 2 ? QUALITY : FAST);
	const { items, parameters } = batchOf(FAST, OF_A_DAY);
	const run = await n8n.clock.run(
		n8n.execute({
			kind: FAST.kind,
			items,
			parameters: (item) => ({ ...parameters(item), ...kindOf(item).parameters }),
		}),
	);
	const ms = run.endedAt - run.startedAt;
	const completed = run.items.filter(({ json }) => json.status === 'completed');
	const { requests, refused } = shared.trafficOf(n8n.state);
	return {
		work: `a day: ${OF_A_DAY} videos of 30 to 60 s`,
		values: [
			{
				took: `${(ms / 3_600_000).toFixed(1)} h`,
				measured: ms / shared.idealOf(n8n.state.jobs.list),
				unit: TIMES,
				most: 1.04,
			},
			{ measured: refused, unit: 'requests refused', most: 0 },
			{ measured: requests / (ms / 60_000), unit: 'requests a minute', most: 40 },
			{ measured: OF_A_DAY - completed.length, unit: 'rows failed', most: 0 },
		],
	};
}

/** The sandbox draws all durations from one range; this gives each model its documented one. */
function drawByModel({ jobs, settings }: SandboxState): void {
	const create = jobs.create.bind(jobs);
	jobs.create = (facts) => {
		settings.jobMs = (facts.body.model === QUALITY.parameters.model ? QUALITY : FAST).takes;
		return create(facts);
	};
}

/** The least of several runs, since the machine may have other work, and compiles the code during the first one. */
async function processorTime(): Promise<Row> {
	const runs = await overSeeds(3, async (seed) => {
		const n8n = accountFor(SHORT_IMAGE, seed);
		const start = process.cpuUsage();
		await n8n.clock.run(n8n.execute(batchOf(SHORT_IMAGE, TIMED)));
		const { user, system } = process.cpuUsage(start);
		return (user + system) / 1000;
	});
	const measured = Math.min(...runs) / TIMED;
	const unit = 'ms an image, with the simulated service';
	return { work: `processor time of ${TIMED} images of one run`, values: [{ measured, unit }] };
}
