import { firstOf } from '../../support/sampled.mts';
import { creationsOf, MINUTE } from './batches.mts';
import { lostIn, restart, startedMany, untilAllWork, untilAwake } from './many.mts';

/** Many durable runs in one n8n: the more there are, the less often each wakes up, and all go on after a kill. */

jest.setTimeout(120_000);

const HOUR = 60 * MINUTE;

/** What waking up a worker or a watcher takes of a core, ms (`tools/bench/parked.mts`). */
const WAKE_UP_MS = 130;

test.each(
	firstOf<[number, number]>(
		[
			[20, 3],
			[200, 15],
		],
		1,
	),
)('%d parked runs take %d %% of a core at most', async (runs, percent) => {
	const engine = await startedMany(runs, HOUR);
	const before = engine.resumptions.length;
	await engine.clock.advance(HOUR);
	const wakeUps = engine.resumptions.length - before;
	console.log(`${runs} parked runs wake n8n up ${wakeUps} times in an hour`);
	expect((wakeUps * WAKE_UP_MS) / HOUR).toBeLessThanOrEqual(percent / 100);
	expect(creationsOf(engine)).toBe(runs);
});

test.each(
	firstOf<[number, number]>(
		[
			[20, 5],
			[200, 15],
		],
		1,
	),
)(
	'%d runs, killed as workers are awake: all are worked for %d minutes later',
	async (runs, minutes) => {
		const engine = await startedMany(runs, HOUR);
		for (const downMs of [0, 10 * MINUTE]) {
			await untilAwake(engine, 1);
			await restart(engine, downMs);
			expect(lostIn(engine).length).toBeGreaterThanOrEqual(1);
			expect(await untilAllWork(engine)).toBeLessThanOrEqual(minutes * MINUTE);
			await engine.clock.advance(7 * MINUTE);
		}
		expect(creationsOf(engine)).toBe(runs);
	},
);
