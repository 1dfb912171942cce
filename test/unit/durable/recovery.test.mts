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

test('a creation that was under way when n8n was killed is named as one in doubt', async () => {
	const engine = await started({ settings }, 0);
	while (creationsOf(engine) === 0) await engine.clock.advance(1);
	killAwake(engine);
	const unknownOutcome = expect.stringContaining('may exist, and may have been paid for');
	const doubt = { jobId: null, itemIndex: 0, prompt: TEN[0], unknownOutcome };
	const items = await recovered(engine);
	expect(items).toMatchObject([doubt]);
	expect(items).toHaveLength(1);
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

test('the number of an execution that is none of this workflow: the error says so, and nothing of charges', async () => {
	const engine = await started({ settings }, 10 * MINUTE);
	const errorAbout = async (id: string) => {
		await recovered(engine, id).catch(() => {});
		return engine.store.read(engine.store.list.at(-1)!.id)!.resultData.error;
	};
	for (const id of [` ${ID} `, `ID#${ID}`]) expect(await recovered(engine, id)).toHaveLength(5);
	for (const [id, message] of [
		['', 'Execution ID is empty'],
		['99', 'is "99": n8n has no such execution'],
		['https://n8n/1', 'must be a number, such as 231, but is "https://n8n/1"'],
	] as const) {
		const { message: told, description } = (await errorAbout(id))!;
		expect(told).toContain(message);
		expect(description).toContain('This operation only reads, and pays for nothing.');
	}
	for (const row of engine.store.list)
		row.data = row.data.replaceAll('"workflowId":"workflow"', '"workflowId":"other"');
	expect((await errorAbout(ID))?.message).toContain('it is of another workflow');
});
