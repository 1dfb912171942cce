import { creationsOf, MINUTE } from './batches.mts';
import {
	helpersOf,
	lostIn,
	restart,
	startedMany,
	startOne,
	untilAllWork,
	untilAwake,
	watchersIn,
	workersOf,
} from './many.mts';

/** Many durable runs in one n8n: few supervisors watch over all of them, and the others sleep. */

jest.setTimeout(120_000);

const RUNS = 200;

/** What n8n uses of a processor to wake an execution up, ms. */
const WAKE_UP_MS = 100;

/** Somebody works for all again so soon after n8n has started, ms. */
const BACK_MS = 5 * MINUTE;

test('200 parked runs: they wake up seldom, have two helpers each, and go on minutes after a kill', async () => {
	const engine = await startedMany({ runs: RUNS }, 30 * MINUTE);
	const helpers = engine.store.list.length - RUNS;
	expect(helpers / RUNS).toBeLessThan(2.2);
	const before = engine.resumptions.length;
	await engine.clock.advance(20 * MINUTE);
	const wakeUps = engine.resumptions.length - before;
	expect((wakeUps * WAKE_UP_MS) / (20 * MINUTE)).toBeLessThanOrEqual(0.02);
	expect(watchersIn(engine)).toHaveLength(3);

	for (const downMs of [0, 10_000, 4 * MINUTE]) {
		await untilAwake(engine, 2);
		await restart(engine, downMs);
		expect(lostIn(engine).length).toBeGreaterThanOrEqual(2);
		expect(await untilAllWork(engine)).toBeLessThanOrEqual(BACK_MS);
		await engine.clock.advance(7 * MINUTE);
	}
	expect(creationsOf(engine)).toBe(RUNS);
});

test('a process that has just started knows from the first list how many there are: pauses stay as long', async () => {
	const engine = await startedMany({ runs: RUNS }, 30 * MINUTE);
	await restart(engine, 0);
	await engine.clock.advance(5 * MINUTE);
	const before = engine.resumptions.length;
	await engine.clock.advance(20 * MINUTE);
	const wakeUps = engine.resumptions.length - before;
	expect((wakeUps * WAKE_UP_MS) / (20 * MINUTE)).toBeLessThanOrEqual(0.02);
});

const FEW = 24;

test('killed again, as all wake up at once that were due meanwhile, watchers too: not much later', async () => {
	const engine = await startedMany({ runs: FEW }, 20 * MINUTE);
	await restart(engine, 20 * MINUTE);
	await untilAwake(engine, FEW / 2);
	await restart(engine, 0);
	expect(lostIn(engine).length).toBeGreaterThanOrEqual(FEW / 2);
	// Where nobody is left who watches, new ones begin first, with the lists of those that are dead.
	expect(await untilAllWork(engine)).toBeLessThanOrEqual(2 * BACK_MS);
	expect(creationsOf(engine)).toBe(FEW);
});

test('all who watch die with every worker: their standbys go on with the lists', async () => {
	const engine = await startedMany({ runs: 60 }, 30 * MINUTE);
	const watchers = watchersIn(engine);
	engine.kill();
	for (const row of [...watchers, ...workersOf(engine).values()])
		Object.assign(row, { status: 'crashed', waitTill: null });
	engine.boot();
	expect(lostIn(engine)).toHaveLength(60);
	expect(await untilAllWork(engine)).toBeLessThanOrEqual(25 * MINUTE);
	expect(creationsOf(engine)).toBe(60);
});

test('the runs of all who watch are stopped: others watch, and find who dies then', async () => {
	const engine = await startedMany({ runs: FEW }, 20 * MINUTE);
	const before = watchersIn(engine).map(({ id, workflow }) => ({ id, workflow: workflow.id }));
	expect(before).toHaveLength(3);
	for (const { workflow } of before) {
		const [caller] = engine.store.list.filter((row) => row.workflow.id === workflow);
		engine.stop(caller!.id);
	}
	await engine.clock.advance(8 * MINUTE);
	const now = watchersIn(engine).map(({ id }) => id);
	expect(now.length).toBeGreaterThanOrEqual(2);
	for (const { id } of before) expect(now).not.toContain(id);
	await untilAwake(engine, 1);
	await restart(engine, 0);
	expect(lostIn(engine).length).toBeGreaterThanOrEqual(1);
	expect(await untilAllWork(engine)).toBeLessThanOrEqual(BACK_MS);
});

test('a supervisor that watches dies: another takes its place', async () => {
	const engine = await startedMany({ runs: FEW }, 20 * MINUTE);
	const dead = watchersIn(engine).slice(0, 2);
	engine.kill();
	for (const row of dead) Object.assign(row, { status: 'crashed', waitTill: null });
	engine.boot();
	await engine.clock.advance(20 * MINUTE);
	expect(watchersIn(engine).length).toBeGreaterThanOrEqual(2);
});

test('the others end: the last one looks after itself', async () => {
	const engine = await startedMany({ runs: FEW }, 20 * MINUTE);
	const watching = watchersIn(engine).map(({ workflow }) => workflow.id);
	const callers = engine.store.list.filter(({ workflow }) => workflow.name === 'Batch');
	const [last] = callers.filter(({ workflow }) => !watching.includes(workflow.id));
	for (const { id } of callers) if (id !== last!.id) engine.stop(id);
	await engine.clock.advance(30 * MINUTE);
	const id = last!.workflow.id;
	const supervisors = helpersOf(engine, id).filter(({ workflow }) =>
		workflow.name.endsWith(': supervise'),
	);
	expect(supervisors.filter(({ status }) => status === 'waiting')).toHaveLength(2);
	for (const { waitTill } of supervisors)
		expect(Number(waitTill) - engine.clock.now()).toBeLessThanOrEqual(16 * MINUTE);
	while (workersOf(engine).get(id)?.status !== 'running') await engine.clock.advance(50);
	await restart(engine, 0);
	expect(lostIn(engine)).toEqual([id]);
	expect(await untilAllWork(engine)).toBeLessThanOrEqual(20 * MINUTE);
});

test('after a restart, supervisors that wake up go on to rely on those who watch', async () => {
	const engine = await startedMany({ runs: FEW }, 20 * MINUTE);
	const before = engine.store.list.length;
	for (let times = 0; times < 3; times++) {
		while (engine.store.list.some(({ status }) => status === 'running'))
			await engine.clock.advance(50);
		await restart(engine, 0);
		await engine.clock.advance(12 * MINUTE);
	}
	expect(engine.store.list.length).toBe(before);
});

test('one that a watcher wakes up finds out for itself: an alarm about a worker that lives changes nothing', async () => {
	const engine = await startedMany({ runs: FEW }, 20 * MINUTE);
	const before = engine.store.list.length;
	const [watcher] = watchersIn(engine);
	// On its list all are overdue, and silent.
	const data = JSON.parse(watcher!.data);
	const [state] = Object.values<any>(data.executionData.contextData).map(
		(memory) => memory.mediaGenSupervisor,
	);
	for (const listed of Object.values<any>(state.fleet)) {
		listed.dueAt = 0;
		listed.silence = { fingerprint: 'made up', times: 9 };
	}
	watcher!.data = JSON.stringify(data);
	await engine.clock.advance(20 * MINUTE);
	expect(engine.store.list.length).toBe(before);
	expect(creationsOf(engine)).toBe(FEW);
});

test('a supervisor whose run is watched over looks every half an hour at most', async () => {
	const engine = await startedMany({ runs: FEW }, 20 * MINUTE);
	const watching = new Set(watchersIn(engine).map(({ id }) => id));
	const before = engine.resumptions.length;
	await engine.clock.advance(55 * MINUTE);
	const awake = engine.resumptions.slice(before).map(({ id }) => id);
	const others = engine.store.list.filter(
		({ id, workflow, data }) =>
			workflow.name.endsWith(': supervise') && !watching.has(id) && !data.includes('"isStandby"'),
	);
	expect(others.length).toBeGreaterThanOrEqual(FEW - 3);
	// One of them finds its worker due just then, and looks once more.
	const looks = awake.filter((one) => others.some(({ id }) => id === one)).length;
	expect(looks).toBeLessThanOrEqual(2 * others.length + 1);
});

test('one more run: two lists have it soon, and its supervisor sleeps', async () => {
	const engine = await startedMany({ runs: FEW }, 20 * MINUTE);
	await startOne(engine, FEW);
	await engine.clock.advance(10 * MINUTE);
	const helpers = helpersOf(engine, `workflow${FEW}`);
	expect(helpers.map(({ workflow }) => workflow.name)).toEqual([
		'Images: supervise',
		'Images: work',
	]);
	expect(Number(helpers[0]?.waitTill) - engine.clock.now()).toBeGreaterThan(5 * MINUTE);
});

test('the list of a watcher has the numbers of executions and times, and nothing of what they do', async () => {
	const engine = await startedMany({ runs: FEW }, 20 * MINUTE);
	for (const { data } of watchersIn(engine)) {
		const [, fleet = ''] = /"fleet":(\{.*?\}\})/.exec(data) ?? [];
		expect(Object.keys(JSON.parse(fleet)).length).toBe(FEW - 1);
		expect(fleet).not.toContain('run 1');
		expect(fleet.length / FEW).toBeLessThan(150);
	}
});
