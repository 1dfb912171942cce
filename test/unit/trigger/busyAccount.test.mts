import type { IDataObject } from 'n8n-workflow';

import { mostWithin } from '../faults/facts.mts';
import { VirtualPolling } from '../../support/virtualPoll.mts';
import { VirtualN8n, type Execution } from '../../support/virtualRun.mts';
import { ALL } from '../../support/sampled.mts';
import type { ItemKind } from '../../support/product.mts';

const MINUTE_MS = 60_000;

/** Jobs of a batch. */
const JOBS = 20;

/** From the document: requests a minute. */
const LIMIT = 100;

interface Batch {
	kind: ItemKind;
	parameters: IDataObject;
	jobMs: { min: number; max: number };
}

const IMAGES: Batch = {
	kind: 'image',
	parameters: { resource: 'image', operation: 'generate', size: '1:1' },
	jobMs: { min: 5000, max: 15_000 },
};

/** The document: 30 to 60 seconds. */
const VIDEOS: Batch = {
	kind: 'video',
	parameters: { resource: 'vidA31', operation: 'generate', model: 'modelA_fast' },
	jobMs: { min: 30_000, max: 60_000 },
};

/** Runs the batch on an account that so many triggers watch. */
async function run(seed: number, workflows: number, { kind, parameters, jobMs }: Batch) {
	const n8n = new VirtualN8n({ settings: { seed, jobMs, credits: { purchased: 1_000_000 } } });
	const { clock, state } = n8n;
	const polling = new VirtualPolling(n8n);
	for (let one = 0; one < workflows; one++) polling.add();
	await clock.run(Promise.all(polling.workflows.map(async (each) => await each.activate())));
	// What the activations have sent still counts when the batch begins.
	await clock.advance(60_000 + seed * 1000);
	const batch = n8n.execute({
		items: Array.from({ length: JOBS }, (_, index) => ({ prompt: `p${index}` })),
		parameters: (index) => ({ ...parameters, prompt: `p${index}`, options: { timeout: 3600 } }),
		kind,
	});
	const execution: Execution = await clock.run(batch);
	await clock.advance(10 * MINUTE_MS);
	polling.stop();
	const { entries } = state.journal;
	return {
		execution,
		ms: execution.endedAt - execution.startedAt,
		polling,
		ids: state.jobs.list.map(({ id }) => id).sort(),
		refused: entries.filter(({ status }) => status === 429),
		most: mostWithin(
			entries.map(({ at }) => at),
			MINUTE_MS,
		),
	};
}

/** BUSY_TESTS asks for more. */
const SEEDS = Array.from(
	{ length: Number(process.env.BUSY_TESTS ?? (ALL ? 6 : 1)) },
	(_, index) => index + 1,
);

/** How much longer a batch may take: many triggers have used requests of its first minute. */
describe.each([
	['images', IMAGES, 5, 1.05],
	['images', IMAGES, 20, 1.25],
	['videos', VIDEOS, 20, 1.05],
])('a batch of 20 %s beside active triggers', (_, batch, workflows, tolerance) => {
	it.each(SEEDS)(`of ${workflows} is complete, in time, and told of (seed %i)`, async (seed) => {
		const alone = await run(seed, 0, batch);
		const beside = await run(seed, workflows, batch);
		expect(beside.execution.error).toBeUndefined();
		expect(beside.execution.items).toHaveLength(JOBS);
		for (const { items, failures } of beside.polling.workflows) {
			expect(items.map(({ json }) => json.jobId).sort()).toEqual(beside.ids);
			expect(failures).toEqual([]);
		}
		expect(beside.refused).toEqual([]);
		expect(beside.most).toBeLessThanOrEqual(LIMIT);
		expect(beside.ms / alone.ms).toBeLessThanOrEqual(tolerance);
	});
});
