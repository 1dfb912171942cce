import type { IDataObject } from 'n8n-workflow';

import type { VirtualEngine } from '../../support/virtualEngine.mts';
import {
	creationsOf,
	helpersOf,
	ID,
	killAwake,
	lasting,
	MINUTE,
	paidFor,
	started,
	TEN,
} from './batches.mts';
import { IMAGES, openIn, recover } from './chaos/play.mts';

/** *Get Paid Jobs Back*, for executions that wait durably or have. */

const settings = lasting(30);

async function recovered(engine: VirtualEngine, id = ID, waits = false): Promise<IDataObject[]> {
	return await engine.clock.run(recover(engine, id, waits));
}

const workerOf = (engine: VirtualEngine) => helpersOf(engine, ': worker').at(-1)!;

const idsOf = (items: readonly IDataObject[]) => items.map(({ jobId }) => jobId).sort();

test('an orphan: its jobs are given back or waited for, an item each, and nothing is paid for', async () => {
	const engine = await started({ settings }, 10 * MINUTE);
	killAwake(engine);
	await engine.clock.advance(MINUTE);
	expect(engine.store.row(ID).status).toBe('waiting');
	const { list } = engine.state.jobs;
	const expected = TEN.slice(0, 5).map((prompt, itemIndex) => ({
		jobId: list.find(({ body }) => body.prompt === prompt)?.id,
		...{ charged: 'yes', retry: 'waitForJob', itemIndex, prompt },
		details: {
			...{ executionId: ID, node: IMAGES, runIndex: 0, operation: 'generate', model: null },
			createdAt: expect.any(String),
		},
	}));
	const items = await recovered(engine);
	expect(items).toMatchObject(expected);
	expect(items).toHaveLength(5);
	await engine.clock.advance(60 * MINUTE);
	expect(await recovered(engine, ID, true)).toMatchObject(
		expected.map(({ jobId, itemIndex, prompt }) => ({
			...{ jobId, itemIndex, prompt, status: 'completed' },
			mediaUrl: expect.stringContaining('/media/'),
			details: { executionId: ID, node: IMAGES },
		})),
	);
	expect(creationsOf(engine)).toBe(5);
});

test('of one whose worker was killed and replaced: also what the other has ordered, and after a stop', async () => {
	const engine = await started({ settings: { jobMs: { min: 400_000, max: 700_000 } } }, 10_000);
	while (workerOf(engine).status !== 'running') await engine.clock.advance(10);
	engine.kill();
	engine.boot();
	while (creationsOf(engine) < 8) await engine.clock.advance(MINUTE / 6);
	for (const id of [ID, workerOf(engine).id])
		expect(idsOf(await recovered(engine, id))).toEqual(paidFor(engine));
	engine.stop(ID);
	await engine.clock.advance(120 * MINUTE);
	expect(openIn(engine)).toEqual([]);
	expect(idsOf(await recovered(engine))).toEqual(paidFor(engine));
});
