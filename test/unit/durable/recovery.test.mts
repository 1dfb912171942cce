import type { IDataObject } from 'n8n-workflow';

import type { VirtualEngine } from '../../support/virtualEngine.mts';
import { creationsOf, ID, MINUTE, started, TEN } from './batches.mts';
import { IMAGES, openIn, recover } from './chaos/play.mts';

const LONG = { jobMs: { min: 30 * MINUTE, max: 30 * MINUTE } };

/** Everyone who works for the execution is killed while it is awake: nobody wakes up any more. */
function orphan(engine: VirtualEngine): void {
	engine.kill();
	for (const row of engine.store.list) {
		if (row.id !== ID) Object.assign(row, { status: 'crashed', waitTill: null });
	}
	engine.boot();
}

async function recovered(engine: VirtualEngine, id = ID): Promise<IDataObject[]> {
	return await engine.clock.run(recover(engine, id));
}

const workerOf = ({ store }: VirtualEngine) =>
	store.list.findLast(({ workflow }) => workflow.name.endsWith(': worker'))!;

const idsOf = (items: readonly IDataObject[]) => items.map(({ jobId }) => jobId).sort();
const promptsOf = ({ state }: VirtualEngine) => state.jobs.list.map(({ body }) => body.prompt);
const paidFor = ({ state }: VirtualEngine) => state.jobs.list.map(({ id }) => id).sort();

test('an orphan: its paid jobs are given back, an item each, and nothing is paid for', async () => {
	const engine = await started({ settings: LONG }, 10 * MINUTE);
	orphan(engine);
	await engine.clock.advance(60 * MINUTE);
	expect(engine.store.row(ID).status).toBe('waiting');
	const items = await recovered(engine);
	expect(items).toMatchObject(
		TEN.slice(0, 5).map((prompt, itemIndex) => ({
			jobId: engine.state.jobs.list.find(({ body }) => body.prompt === prompt)?.id,
			charged: 'yes',
			retry: 'waitForJob',
			itemIndex,
			prompt,
			details: {
				executionId: ID,
				node: IMAGES,
				runIndex: 0,
				operation: 'generate',
				model: null,
				createdAt: expect.any(String),
			},
		})),
	);
	expect(items).toHaveLength(5);
	expect(creationsOf(engine)).toBe(5);
});

test('an orphan: its jobs are waited for, and nothing is paid for', async () => {
	const engine = await started({ settings: LONG }, 10 * MINUTE);
	orphan(engine);
	await engine.clock.advance(60 * MINUTE);
	const items = await engine.clock.run(recover(engine, ID, true));
	expect(items).toMatchObject(
		TEN.slice(0, 5).map((prompt, itemIndex) => ({
			...{ itemIndex, prompt, status: 'completed', mediaUrl: expect.stringContaining('/media/') },
			details: { executionId: ID, node: IMAGES },
		})),
	);
	expect(creationsOf(engine)).toBe(5);
});

test('a creation that was under way when n8n was killed is named as one in doubt', async () => {
	const engine = await started({ settings: LONG }, 0);
	while (creationsOf(engine) === 0) await engine.clock.advance(1);
	orphan(engine);
	const items = await recovered(engine);
	expect(items).toHaveLength(5);
	for (const [itemIndex, item] of items.entries()) {
		expect(item).toMatchObject({ jobId: null, itemIndex, prompt: TEN[itemIndex] });
		expect(item.unknownOutcome).toContain('may exist, and may have been paid for');
	}
});

test('of an execution that was stopped, too', async () => {
	const engine = await started({ settings: LONG }, 10 * MINUTE);
	engine.stop(ID);
	await engine.clock.advance(60 * MINUTE);
	expect(idsOf(await recovered(engine))).toEqual(paidFor(engine));
});

test('of one that was stopped while it waited for places: none that it then did not order', async () => {
	const engine = await started({ settings: { jobMs: { min: 5000, max: 9000 } } }, 1000);
	const items = TEN.map((item) => ({ json: { prompt: `other ${item}` } }));
	const id = await engine.clock.run(engine.trigger(engine.store.row(ID).workflow, items));
	await engine.clock.advance(3000);
	engine.stop(id);
	await engine.clock.advance(60 * MINUTE);
	expect(openIn(engine)).toEqual([]);
	expect(await recovered(engine, id)).toEqual([]);
	expect(promptsOf(engine).sort()).toEqual(TEN);
});

test('of one whose worker was killed and replaced: also what the other has ordered', async () => {
	const settings = { jobMs: { min: 400_000, max: 700_000 } };
	const engine = await started({ settings }, 10_000);
	while (workerOf(engine).status !== 'running') await engine.clock.advance(10);
	engine.kill();
	engine.boot();
	while (creationsOf(engine) < 8) await engine.clock.advance(MINUTE / 6);
	expect(idsOf(await recovered(engine))).toEqual(paidFor(engine));
	expect(idsOf(await recovered(engine, workerOf(engine).id))).toEqual(paidFor(engine));
	engine.stop(ID);
	await engine.clock.advance(120 * MINUTE);
	expect(openIn(engine)).toEqual([]);
	expect(idsOf(await recovered(engine))).toEqual(paidFor(engine));
});

test('of one that another version has parked', async () => {
	const engine = await started({ settings: LONG }, 10 * MINUTE);
	orphan(engine);
	for (const row of engine.store.list)
		row.data = row.data
			.replaceAll('"version":1', '"version":99')
			.replaceAll('"plans":[', '"plans":[null,');
	expect(idsOf(await recovered(engine))).toEqual(paidFor(engine));
});

/** Of a batch that nothing happens to. */
let parked: VirtualEngine;

beforeAll(async () => {
	parked = await started({ settings: LONG }, 10 * MINUTE);
});

test('a number that n8n does not have', async () => {
	const message = 'Execution ID (executionId) is "99": n8n has no such execution';
	await expect(recovered(parked, '99')).rejects.toThrow(message);
});

test.each([` ${ID} `, `#${ID}`, `ID#${ID}`, `id# ${ID}`])(
	'the number is understood as %j',
	async (id) => {
		expect(await recovered(parked, id)).toHaveLength(5);
	},
);

test.each(['abc', '1.5', '-1', '1'.repeat(16), 'https://n8n/executions/1'])(
	'%j is no number of an execution',
	async (id) => {
		await expect(recovered(parked, id)).rejects.toThrow(
			`Execution ID (executionId) must be a number, such as 231, but is "${id}"`,
		);
	},
);

test('an object that has no text is no number of an execution either', async () => {
	const given = { toString: 'no function' } as unknown as string;
	await expect(recovered(parked, given)).rejects.toThrow(
		'Execution ID (executionId) must be a text, but is {"toString":"no function"}',
	);
});

test('a fault of the database is not shown', async () => {
	const engine = await started({ settings: LONG }, 10 * MINUTE);
	const read = engine.store.read.bind(engine.store);
	engine.store.read = (id) => {
		if (id === '99999999999') throw new Error('SELECT: integer out of range');
		return read(id);
	};
	await expect(recovered(engine, '99999999999')).rejects.toThrow(
		'Execution ID (executionId) is "99999999999": n8n could not read it',
	);
});

test.each(['', 'abc', '99'])('an error about the number %j says nothing of charges', async (id) => {
	await recovered(parked, id).catch(() => {});
	const { error } = parked.store.read(parked.store.list.at(-1)!.id)!.resultData;
	expect(error).toHaveProperty(
		'description',
		expect.stringContaining('This operation only reads, and pays for nothing.'),
	);
});

test('an execution that has not waited durably says so', async () => {
	const engine = await started({ settings: LONG }, 10 * MINUTE);
	await recovered(engine);
	const plain = engine.store.list.at(-1)!.id;
	await expect(recovered(engine, plain)).rejects.toThrow('this workflow knows no paid jobs of it');
});

test('an execution of another workflow shows nothing', async () => {
	const engine = await started({ settings: LONG }, 10 * MINUTE);
	for (const row of engine.store.list) {
		row.data = row.data.replaceAll('"workflowId":"workflow"', '"workflowId":"other"');
	}
	await expect(recovered(engine)).rejects.toThrow('it is of another workflow');
});
