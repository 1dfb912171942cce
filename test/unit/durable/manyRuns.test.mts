import { firstOf, nightly } from '../../support/sampled.mts';
import type { VirtualEngine } from '../../support/virtualEngine.mts';
import { creationsOf, MINUTE } from './batches.mts';
import {
	helpersOf,
	lostIn,
	restart,
	startedMany,
	untilAllWork,
	untilAwake,
	workersOf,
} from './many.mts';

/** Many durable runs in one n8n: the more there are, the less often each wakes up, and all go on after a kill. */

jest.setTimeout(120_000);

const HOUR = 60 * MINUTE;

async function wakeUpsIn(engine: VirtualEngine, ms: number): Promise<number> {
	const before = engine.resumptions.length;
	await engine.clock.advance(ms);
	return engine.resumptions.length - before;
}

/** Until pauses have grown to what they stay, ms. */
const GROWN_MS = HOUR;

// Each costs n8n a tenth of a second of a processor or more: 360 in an hour are 1 %.
test.each(
	firstOf<[number, number, number]>(
		[
			[1, 28, 28],
			[20, 560, 560],
			[200, 800, 1140],
		],
		1,
	),
)(
	'%d parked runs wake n8n up %d times in an hour at most, %d times in the hour after a start, which knows of none',
	async (runs, most, mostAfterStart) => {
		const engine = await startedMany({ runs }, GROWN_MS);
		const wakeUps = await wakeUpsIn(engine, HOUR);
		expect(wakeUps).toBeLessThanOrEqual(most);
		expect(wakeUps).toBeGreaterThan(0.9 * most);
		await restart(engine, 0);
		expect(await wakeUpsIn(engine, HOUR)).toBeLessThanOrEqual(mostAfterStart);
		expect(creationsOf(engine)).toBe(runs);
	},
);

test('a run has three helpers, however many there are', async () => {
	const engine = await startedMany({ runs: 12 }, HOUR);
	for (let run = 0; run < 12; run++) {
		const names = helpersOf(engine, `workflow${run}`).map(({ workflow }) => workflow.name);
		expect(names).toEqual(['Images: supervise', 'Images: supervise', 'Images: work']);
	}
});

/** From a kill that hits workers on; they are overdue then, and looked at twice. */
const BACK_MS = 4 * MINUTE;

test.each(firstOf([1, 20, 200], 1))(
	'%d runs, killed while a worker is awake: somebody works for each again 4 minutes after the start',
	async (runs) => {
		const engine = await startedMany({ runs }, GROWN_MS);
		for (const downMs of [0, 10_000, 10 * MINUTE]) {
			await untilAwake(engine, 1);
			await restart(engine, downMs);
			expect(lostIn(engine).length).toBeGreaterThanOrEqual(1);
			expect(await untilAllWork(engine)).toBeLessThanOrEqual(BACK_MS);
			await engine.clock.advance(7 * MINUTE);
		}
		expect(creationsOf(engine)).toBe(runs);
	},
);

test.each(
	firstOf<[number, number]>(
		[
			[20, 20],
			[60, 40],
		],
		1,
	),
)(
	'%d runs, down for %d minutes, killed again as all wake up that were due meanwhile: 4 minutes, too',
	async (runs, down) => {
		const engine = await startedMany({ runs }, GROWN_MS);
		await restart(engine, down * MINUTE);
		await untilAwake(engine, runs / 2);
		await restart(engine, 0);
		expect(lostIn(engine).length).toBeGreaterThanOrEqual(runs / 2);
		expect(await untilAllWork(engine)).toBeLessThanOrEqual(BACK_MS);
		expect(creationsOf(engine)).toBe(runs);
	},
);

// At worst a standby has just looked: then it is 15 minutes, or twice the least park, and three looks.
test.each(
	firstOf<[number, number]>(
		[
			[20, 18],
			[200, 69],
		],
		1,
	),
)(
	'%d runs whose workers and supervisors are dead: their standbys replace both within %d minutes',
	async (runs, minutes) => {
		const engine = await startedMany({ runs }, GROWN_MS);
		engine.kill();
		for (const row of engine.store.list)
			if (row.workflow.name.includes(': ') && !row.data.includes('"isStandby"'))
				Object.assign(row, { status: 'crashed', waitTill: null });
		engine.boot();
		expect(lostIn(engine)).toHaveLength(runs);
		expect(await untilAllWork(engine)).toBeLessThanOrEqual(minutes * MINUTE);
		expect(creationsOf(engine)).toBe(runs);
	},
);

nightly('the others end: the last one parks no longer than it would alone', async () => {
	const engine = await startedMany({ runs: 60 }, HOUR);
	const callers = engine.store.list.filter(({ workflow }) => workflow.name === 'Batch');
	for (const { id } of callers.slice(1)) engine.stop(id);
	await engine.clock.advance(30 * MINUTE);
	const [last] = workersOf(engine).values();
	expect(last!.waitTill! - engine.clock.now()).toBeLessThanOrEqual(5 * MINUTE);
});
