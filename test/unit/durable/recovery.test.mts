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

test('of one that was stopped while it waited for places: none that it then did not order', async () => {
	const engine = await started({ settings: { jobMs: { min: 9000, max: 12_000 } } }, 0);
	while (creationsOf(engine) < 5) await engine.clock.advance(100);
	const items = TEN.map((item) => ({ json: { prompt: `other ${item}` } }));
	const id = await engine.clock.run(engine.trigger(engine.store.row(ID).workflow, items));
	await engine.clock.advance(3000);
	engine.stop(id);
	await engine.clock.advance(60 * MINUTE);
	expect(openIn(engine)).toEqual([]);
	expect(await recovered(engine, id)).toEqual([]);
	expect(engine.state.jobs.list.map(({ body }) => body.prompt).sort()).toEqual(TEN);
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

describe('the number of an execution', () => {
	const BROKEN = '99999999999';

	/** Of a batch that nothing happens to. */
	let parked: VirtualEngine;

	beforeAll(async () => {
		parked = await started({ settings }, 10 * MINUTE);
		const read = parked.store.read.bind(parked.store);
		parked.store.read = (id) => {
			if (id === BROKEN) throw new Error('SELECT: integer out of range');
			return read(id);
		};
	});

	const errorAbout = async (id: string) => {
		await recovered(parked, id).catch(() => {});
		return parked.store.read(parked.store.list.at(-1)!.id)!.resultData.error;
	};

	test.each([` ${ID} `, `#${ID}`, `ID#${ID}`, `id# ${ID}`])('is understood as %j', async (id) => {
		expect(await recovered(parked, id)).toHaveLength(5);
	});

	test.each<[unknown, string]>([
		['', 'Execution ID is empty'],
		['99', 'is "99": n8n has no such execution'],
		[BROKEN, `is "${BROKEN}": n8n could not read it`],
		...['abc', '1.5', '-1', '1'.repeat(16), 'https://n8n/executions/1'].map(
			(id): [string, string] => [id, `must be a number, such as 231, but is "${id}"`],
		),
		[{ toString: 'no function' }, 'must be a text, but is {"toString":"no function"}'],
	])('is not %j, and the error says nothing of charges', async (id, message) => {
		expect(await errorAbout(id as string)).toMatchObject({
			message: expect.stringContaining(message),
			description: expect.stringContaining('This operation only reads, and pays for nothing.'),
		});
	});

	test('of one that has not waited durably, or of another workflow, shows nothing', async () => {
		await recovered(parked);
		const plain = parked.store.list.at(-1)!.id;
		expect((await errorAbout(plain))?.message).toContain('this workflow knows no paid jobs of it');
		for (const row of parked.store.list) {
			row.data = row.data.replaceAll('"workflowId":"workflow"', '"workflowId":"other"');
		}
		expect((await errorAbout(ID))?.message).toContain('it is of another workflow');
	});
});
