import type { VirtualEngine } from '../../support/virtualEngine.mts';
import { creationsOf, endOf, ID, MINUTE, started, TEN } from './batches.mts';
import { IMAGES, openIn } from './chaos/play.mts';
import { toldBy } from '../../support/toldBy.mts';

const promptsIn = (engine: VirtualEngine, id: string) =>
	endOf(engine, id).items.map(
		({ json }) => engine.state.jobs.find(String(json.jobId))?.body.prompt,
	);

test('undisturbed, ten images come in input order, and n8n keeps worker and watcher', async () => {
	const engine = await started({}, 60 * MINUTE);
	const { status, items } = endOf(engine);
	expect(status).toBe('success');
	expect(items).toHaveLength(10);
	expect(promptsIn(engine, ID)).toEqual(TEN);
	expect(creationsOf(engine)).toBe(10);
	expect(engine.store.list.map(({ workflow, status: end }) => `${workflow.name} ${end}`)).toEqual([
		'Batch success',
		'Images: watcher success',
		'Images: worker success',
	]);
	expect(openIn(engine)).toEqual([]);
});

test('in a loop, each round has its own results, however long it takes', async () => {
	const settings = { jobMs: { min: 60 * MINUTE, max: 60 * MINUTE } };
	const engine = await started({ then: 'loop', settings }, 240 * MINUTE);
	const { runData } = engine.store.read(ID)!.resultData;
	const rounds = runData[IMAGES]?.map(({ data }) =>
		data?.main[0]?.map(({ json }) => engine.state.jobs.find(String(json.jobId))?.body.prompt),
	);
	expect(rounds).toEqual([TEN.slice(0, 5), TEN.slice(5)]);
	expect(endOf(engine).status).toBe('success');
	expect(creationsOf(engine)).toBe(10);
	expect(openIn(engine)).toEqual([]);
});

test('an answer is lost, and nobody wants to continue: no more are begun', async () => {
	const engine = await started({ settings: { jobMs: { min: 3000, max: 3000 } } }, 0);
	// An account begins with one place, so the others have not been sent yet.
	const match = { kind: 'create', bodyPattern: 'item 0' } as const;
	engine.state.faults.add({ match, fault: { kind: 'reset' }, when: 'after', times: 1 });
	await engine.clock.advance(60 * MINUTE);
	expect(creationsOf(engine)).toBe(1);
	const { status, error } = endOf(engine);
	expect(status).toBe('error');
	for (const { id } of engine.state.jobs.list) expect(toldBy(error)).toContain(id);
});

test('a job fails, and nobody wants to continue: no more are begun, and the error names all', async () => {
	const prompts = TEN.map((prompt, item) => (item === 2 ? `${prompt} [fail]` : prompt));
	const settings = { jobMs: { min: 3000, max: 3000 } };
	const engine = await started({ prompts, settings }, 60 * MINUTE);
	const { status, error } = endOf(engine);
	const { list } = engine.state.jobs;
	expect(status).toBe('error');
	expect(list.length).toBeLessThan(TEN.length);
	expect(error?.message).toContain(list.find(({ outcome }) => outcome === 'failed')!.id);
	for (const { id } of list) expect(toldBy(error)).toContain(id);
	expect(error?.description).toMatch(/The others: \d finished, \d not started and not charged\./);
	// A workflow that calls this one shows the error, too, and has another number.
	expect(error?.description).toContain(`Options > Continue Execution with ${ID} to each`);
	expect(openIn(engine)).toEqual([]);
});

test('a job fails under Continue: it is an item that says so, between the others', async () => {
	const prompts = TEN.map((prompt, item) => (item === 2 ? `${prompt} [fail]` : prompt));
	const engine = await started({ prompts, continueOnFail: true }, 60 * MINUTE);
	const { status, items } = endOf(engine);
	expect(status).toBe('success');
	expect(items.map(({ json }) => json.status ?? 'failed')).toEqual(
		TEN.map((_, item) => (item === 2 ? 'failed' : 'completed')),
	);
	expect(items[2]?.json.error).toContain('failed: The sandbox was asked to fail');
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual(TEN.map((_, item) => ({ item })));
});

describe('a credential that is gone ends the run, and all jobs are named', () => {
	const settings = { jobMs: { min: 30 * MINUTE, max: 30 * MINUTE } };

	async function withoutCredential(continueOnFail: boolean) {
		const engine = await started({ settings, continueOnFail }, 10 * MINUTE);
		engine.loseCredential();
		await engine.clock.advance(120 * MINUTE);
		expect(creationsOf(engine)).toBe(5);
		expect(openIn(engine)).toEqual([]);
		return { ...endOf(engine), ids: engine.state.jobs.list.map(({ id }) => id) };
	}

	test('by the error', async () => {
		const { status, error, ids } = await withoutCredential(false);
		expect(status).toBe('error');
		for (const id of ids) expect(toldBy(error)).toContain(id);
	});

	test('by the items, under Continue', async () => {
		const { status, items, ids } = await withoutCredential(true);
		expect(status).toBe('success');
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(TEN.map((_, item) => ({ item })));
		for (const id of ids) expect(JSON.stringify(items)).toContain(id);
		const told = items.map(({ json: { jobId, charged, retry } }) => ({ jobId, charged, retry }));
		const made = told.filter(({ jobId }) => jobId !== undefined);
		expect(made.map(({ jobId }) => jobId).sort()).toEqual([...ids].sort());
		for (const item of made) expect(item).toMatchObject({ charged: 'yes', retry: 'waitForJob' });
		const others = told.filter(({ jobId }) => jobId === undefined);
		expect(others).toEqual(Array(5).fill({ jobId: undefined, charged: 'no', retry: 'safe' }));
	});
});

test.each([
	['while jobs run', 20_000],
	['while they run long, and all are parked', 10 * MINUTE],
])('stopped %s: nothing more is created, all end, and the log names the jobs', async (_, ms) => {
	const settings = { jobMs: { min: 30 * MINUTE, max: 30 * MINUTE } };
	const engine = await started({ settings }, ms);
	expect(engine.store.row(ID).status).toBe('waiting');
	expect(creationsOf(engine)).toBe(5);
	engine.stop(ID);
	await engine.clock.advance(120 * MINUTE);
	expect(creationsOf(engine)).toBe(5);
	expect(engine.store.row(ID).status).toBe('canceled');
	expect(openIn(engine)).toEqual([]);
	const [message, ...more] = engine.messages.filter((text) => text.includes('Paid for'));
	expect(more).toEqual([]);
	for (const { id } of engine.state.jobs.list) expect(message).toContain(id);
});

test('stopped as jobs end one after another: what was about to be created may be, no more', async () => {
	const settings = { jobMs: { min: 2000, max: 12_000 } };
	const engine = await started({ settings }, 6000);
	engine.stop(ID);
	const atStop = creationsOf(engine);
	// A tick goes on for 20 s at most, and then the worker looks.
	await engine.clock.advance(30_000);
	const then = creationsOf(engine);
	expect(then).toBeLessThan(10);
	expect(then - atStop).toBeLessThanOrEqual(5);
	await engine.clock.advance(60 * MINUTE);
	expect(creationsOf(engine)).toBe(then);
	expect(openIn(engine)).toEqual([]);
});

test('Retry execution of one that crashed before it was parked makes everything, once', async () => {
	const engine = await started({}, 20);
	engine.kill();
	await engine.clock.advance(MINUTE);
	engine.boot();
	await engine.clock.advance(MINUTE);
	expect(engine.store.row(ID).status).toBe('crashed');
	expect(creationsOf(engine)).toBe(0);
	const id = await engine.clock.run(engine.retry(ID));
	await engine.clock.advance(60 * MINUTE);
	expect(promptsIn(engine, id)).toEqual(TEN);
	expect(creationsOf(engine)).toBe(10);
	expect(openIn(engine)).toEqual([]);
});

test('n8n does not run a node again that a person has stopped while it was parked', async () => {
	const engine = await started({}, 2000);
	engine.stop(ID);
	await engine.clock.advance(5 * MINUTE);
	const before = creationsOf(engine);
	const id = await engine.clock.run(engine.retry(ID));
	await engine.clock.advance(60 * MINUTE);
	// What came into it goes on.
	expect(endOf(engine, id).items.map(({ json }) => json.prompt)).toEqual(TEN);
	expect(creationsOf(engine)).toBe(before);
});
