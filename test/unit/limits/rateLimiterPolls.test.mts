import type { Forecast } from '../../../nodes/shared/plan/forecast.ts';
import type { RateLimiter } from '../../../nodes/shared/limits/rateLimiter.ts';
import type { Priority } from '../../../nodes/shared/plan/requests.ts';
import { fault } from '../../support/fakeService.mts';
import { rateLimiterAmong, sendBy } from '../../support/limiters.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

const owner = {};

let clock: VirtualClock;
let rateLimiter: RateLimiter;
let jobs: { forecast: Forecast };

beforeEach(() => {
	clock = new VirtualClock(0);
	({ rateLimiter, jobs } = rateLimiterAmong(clock));
});

/** Sends a request; gives when that was, s. */
const send = (priority: Priority) =>
	sendBy(rateLimiter, async () => clock.now() / 1000, { priority, owner });

/** So many looks are asked for at once; the times at which they have been sent so far. */
function look(count: number): number[] {
	const times: number[] = [];
	for (let index = 0; index < count; index++) void send('poll').then((at) => times.push(at));
	return times;
}

/** In whole ms. */
const gaps = (times: number[]) =>
	times.slice(1).map((at, index) => Math.round(1000 * (at - times[index]!)));

test('looks in vain are spread, the more so the less is left', async () => {
	const times = look(200);
	await clock.advance(30_000);
	const all = gaps(times);
	expect(all[0]).toBeGreaterThan(0);
	expect(all).toEqual([...all].sort((a, b) => a - b));
	// The others are kept for what nobody foresees.
	expect(Math.max(...all)).toBeGreaterThanOrEqual(60_000 / 90);
});

test('however many looks wait, a creation finds a request left at any time', async () => {
	look(2000);
	for (let minute = 0; minute < 10; minute++) {
		for (const second of [5, 25, 45, 59]) {
			await clock.advance(minute * 60_000 + second * 1000 - clock.now());
			const asked = clock.now();
			await clock.run(send('create'));
			expect({ second, waited: clock.now() - asked }).toEqual({ second, waited: 0 });
		}
	}
});

test('looks leave the requests that will be needed for something else', async () => {
	jobs.forecast = { jobs: 5, requests: 85, withinMs: 60_000, mostGapMs: 15_000 };
	const times = look(200);
	await clock.advance(59_000);
	expect(times.length).toBeLessThanOrEqual(15);
	const creations = Array.from({ length: 85 }, () => send('create'));
	expect(new Set(await clock.run(Promise.all(creations)))).toEqual(new Set([59]));
});

test('looks that are few and far between do not wait', async () => {
	for (let second = 0; second < 30; second++) {
		await clock.run(send('poll'));
		expect(clock.now()).toBe(second * 1000);
		await clock.advance(1000);
	}
});

test('waiting looks do not hold up a read', async () => {
	look(10);
	expect(await clock.run(send('read'))).toBe(0);
});

describe('after a 429', () => {
	const refuse = async () => {
		const request = async () => {
			throw fault('refused', 429).with({ retryAfterMs: 1000 });
		};
		await sendBy(rateLimiter, request, { priority: 'read', owner }).catch(() => {});
	};

	/** Each after one that has succeeded. */
	const refuseTimes = async (count: number) => {
		for (let one = 0; one < count; one++) {
			await clock.run(refuse());
			await clock.run(send('read'));
		}
	};

	/** Between two polls in vain. */
	const gap = async () => gaps(await clock.run(Promise.all([send('poll'), send('poll')])))[0]!;

	/** The same without any 429, after so many requests. */
	const usualGap = async (requests: number) => {
		({ rateLimiter, jobs } = rateLimiterAmong(clock));
		for (let count = 0; count < requests; count++) await clock.run(send('read'));
		return await gap();
	};

	test('others use the account, too: after three of them looks are 8 times as far apart', async () => {
		await refuseTimes(3);
		expect((await gap()) / (await usualGap(6))).toBeCloseTo(8, 1);
	});

	test('and half as far again after each minute without one', async () => {
		await refuseTimes(4);
		const all = [];
		for (let minute = 0; minute < 5; minute++) {
			await clock.advance(63_000 + minute * 60_000 - clock.now());
			all.push(await gap());
		}
		const usual = await usualGap(0);
		// The looks of one minute are still in the window of the next.
		expect(all.map((one) => Math.round(one / usual))).toEqual([8, 4, 2, 1, 1]);
	});

	test('what is no look is not slowed down', async () => {
		await clock.run(refuse());
		const times = await clock.run(Promise.all(Array.from({ length: 99 }, () => send('read'))));
		expect(new Set(times)).toEqual(new Set([1]));
	});
});

describe('while there are jobs to poll', () => {
	beforeEach(() => {
		jobs.forecast = { jobs: 1, requests: 1, withinMs: 60_000, mostGapMs: 30_000 };
	});

	/** When each of so many requests is sent that are asked for at once, s. */
	const flood = (count: number, priority: Priority) => {
		const times: number[] = [];
		for (let index = 0; index < count; index++) void send(priority).then((at) => times.push(at));
		return times;
	};

	test('reads without end leave them their share of each minute', async () => {
		const reads = flood(2000, 'read');
		const looks = look(500);
		await clock.advance(10 * 60_000 - 1);
		expect(reads.length).toBe(10 * 60);
		const perMinute = looks.length / 10;
		expect(perMinute).toBeGreaterThanOrEqual(12);
		// The others are kept for what nobody foresees.
		expect(perMinute).toBeLessThanOrEqual(30);
	});

	test('a look waits behind reads no longer than until the next is due', async () => {
		flood(2000, 'read');
		await clock.advance(60_500);
		for (let count = 0; count < 20; count++) {
			const asked = clock.now() / 1000;
			expect((await clock.run(send('poll'))) - asked).toBeLessThanOrEqual(10);
			await clock.advance(5000);
		}
	});

	test('an end is read at once, whatever else is', async () => {
		flood(2000, 'read');
		look(500);
		for (let minute = 1; minute < 10; minute++) {
			await clock.advance(minute * 60_000 + 30_000 - clock.now());
			const asked = clock.now() / 1000;
			expect((await clock.run(send('end'))) - asked).toBe(0);
		}
	});

	test('creations are not held to the share of reads', async () => {
		flood(2000, 'read');
		await clock.advance(0);
		const creations = flood(40, 'create');
		await clock.advance(0);
		expect(creations).toHaveLength(40);
	});
});

test('without jobs, reads have all requests', async () => {
	const reads = Array.from({ length: 100 }, () => send('read'));
	expect(new Set(await clock.run(Promise.all(reads)))).toEqual(new Set([0]));
});
