import type { AccountLoop } from '../../../nodes/shared/limits/accountLoop.ts';
import type { Priority } from '../../../nodes/shared/plan/requests.ts';
import { loopAmong, sendBy } from '../../support/limiters.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** What can wait: polls, and what triggers read. They leave requests for everything else. */

const owner = {};

let clock: VirtualClock;
let loop: AccountLoop;

beforeEach(() => {
	clock = new VirtualClock(0);
	({ loop } = loopAmong(clock));
});

/** Sends a request; gives when that was, s. */
const send = (priority: Priority) =>
	sendBy(loop, async () => clock.now() / 1000, { priority, owner });

/** So many are asked for at once; the times at which they have been sent so far, s. */
function ask(count: number, priority: Priority): number[] {
	const times: number[] = [];
	for (let index = 0; index < count; index++) void send(priority).then((at) => times.push(at));
	return times;
}

/** Jobs that take so long run, and others wait for a place. */
const runJobs = (running: number, ms: number, waiting = 0) => {
	loop.durations.note('job', ms);
	for (let count = 0; count < running; count++) loop.occupy(owner);
	loop.expect(owner, () => waiting);
};

/** In whole ms. */
const gaps = (times: number[]) =>
	times.slice(1).map((at, index) => Math.round(1000 * (at - times[index]!)));

test('polls in vain are spread, the more so the less is left', async () => {
	const times = ask(200, 'poll');
	await clock.advance(30_000);
	const all = gaps(times);
	expect(all[0]).toBeGreaterThan(0);
	expect(all).toEqual([...all].sort((a, b) => a - b));
	// The others are kept for what nobody foresees.
	expect(Math.max(...all)).toBeGreaterThanOrEqual(60_000 / 90);
});

test('polls leave what jobs that run, and wait, will need', async () => {
	// Of 15 s each: in a minute 20 of those that wait are created and end, and the five that run do.
	runJobs(5, 15_000, 100);
	const times = ask(200, 'poll');
	await clock.advance(59_000);
	expect(times.length).toBeLessThanOrEqual(90 - 45);
	const creations = await clock.run(Promise.all(Array.from({ length: 45 }, () => send('create'))));
	expect(new Set(creations)).toEqual(new Set([59]));
});

test('polls that are few and far between do not wait', async () => {
	for (let second = 0; second < 30; second++) {
		expect(await clock.run(send('poll'))).toBe(second);
		await clock.advance(1000);
	}
});

test('waiting polls do not hold up a read', async () => {
	ask(10, 'poll');
	expect(await clock.run(send('other'))).toBe(0);
});

test('without jobs, reads have all requests', async () => {
	const reads = Array.from({ length: 100 }, () => send('other'));
	expect(new Set(await clock.run(Promise.all(reads)))).toEqual(new Set([0]));
});

describe('while there are jobs to poll', () => {
	beforeEach(() => runJobs(1, 90_000));

	test('however many polls wait, a creation finds a request left at any time', async () => {
		ask(400, 'poll');
		for (let minute = 0; minute < 4; minute++) {
			for (const second of [5, 25, 45, 59]) {
				await clock.advance(minute * 60_000 + second * 1000 - clock.now());
				expect(await clock.run(send('create'))).toBe(minute * 60 + second);
			}
		}
	});

	test('reads without end leave polls their share of each minute', async () => {
		const reads = ask(300, 'other');
		const polls = ask(200, 'poll');
		await clock.advance(4 * 60_000 - 1);
		expect(reads.length).toBe(4 * 60);
		const perMinute = polls.length / 4;
		expect(perMinute).toBeGreaterThanOrEqual(12);
		// The others are kept for what nobody foresees.
		expect(perMinute).toBeLessThanOrEqual(30);
	});

	test('a poll waits behind reads no longer than until the next is due', async () => {
		ask(500, 'other');
		await clock.advance(60_500);
		for (let count = 0; count < 20; count++) {
			const asked = clock.now() / 1000;
			expect((await clock.run(send('poll'))) - asked).toBeLessThanOrEqual(10);
			await clock.advance(5000);
		}
	});

	test('an end is read at once, whatever else is, and creations are not held to the share of reads', async () => {
		ask(400, 'other');
		await clock.advance(0);
		const creations = ask(20, 'create');
		await clock.advance(0);
		expect(creations).toHaveLength(20);
		ask(200, 'poll');
		for (let minute = 1; minute < 5; minute++) {
			await clock.advance(minute * 60_000 + 30_000 - clock.now());
			expect(await clock.run(send('end'))).toBe(minute * 60 + 30);
		}
	});
});

describe('what triggers read', () => {
	test('while jobs run, is 3 requests a minute, and takes none from polls', async () => {
		runJobs(5, 6000);
		const alone = ask(200, 'poll');
		await clock.advance(59_000);
		clock = new VirtualClock(0);
		({ loop } = loopAmong(clock));
		runJobs(5, 6000);
		const times = ask(50, 'trigger');
		const beside = ask(200, 'poll');
		await clock.advance(59_000);
		expect(times).toHaveLength(3);
		expect(alone.length).toBeGreaterThan(20);
		expect(beside).toEqual(alone);
		await clock.advance(60_000);
		expect(times).toHaveLength(6);
	});

	test('while none run, leaves 70 of the 100 requests of a minute', async () => {
		const times = ask(200, 'trigger');
		await clock.advance(59_000);
		expect(times).toHaveLength(30);
		const creations = ask(70, 'create');
		await clock.advance(500);
		expect(creations).toHaveLength(70);
	});
});
