import { ConcurrencyLimiter, type Place } from '../../../nodes/shared/limits/concurrencyLimiter.ts';
import { concurrencyLimiterAmong } from '../../support/limiters.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

const owner = {};

let clock: VirtualClock;
let limiter: ConcurrencyLimiter;

beforeEach(() => {
	clock = new VirtualClock(0);
	({ limiter } = concurrencyLimiterAmong(clock));
});

const acquire = () => clock.run(limiter.acquire(owner, 100));

const acquireMany = async (count: number) => {
	const all: Place[] = [];
	while (all.length < count) all.push(await acquire());
	return all;
};

/** When the next place is handed out, s. */
async function nextAt(): Promise<number> {
	await acquire();
	return clock.now() / 1000;
}

/** A place that is waited for; gives when it was handed out, s. */
function waiting() {
	const got: { at?: number } = {};
	void limiter.acquire(owner, 100).then(() => (got.at = clock.now() / 1000));
	return got;
}

/** So many places are refused one after another, each as soon as it is handed out. */
async function refuseMany(count: number, retryAfterMs?: number): Promise<number[]> {
	const times = [];
	while (times.length < count) {
		const place = await acquire();
		times.push(clock.now() / 1000);
		place.refused(retryAfterMs);
	}
	return times;
}

test('with nothing running, a refused job is tried after 1, 2, 4, 8, 16 and 16 seconds', async () => {
	expect(await refuseMany(7)).toEqual([0, 1, 3, 7, 15, 31, 47]);
});

test('and after 1 second again, once a creation has succeeded', async () => {
	await refuseMany(3);
	(await acquire()).release();
	limiter.created();
	const [first, second] = await refuseMany(2);
	expect(second! - first!).toBe(1);
});

test('Retry-After is kept', async () => {
	expect(await refuseMany(3, 7000)).toEqual([0, 7, 14]);
});

test('for 5 minutes at most', async () => {
	expect(await refuseMany(2, 86_400_000)).toEqual([0, 300]);
});

test('no more jobs are started than run by then, until one ends', async () => {
	const [first, , refused] = await acquireMany(3);
	refused!.refused();
	const next = waiting();
	await clock.advance(5000);
	expect(next).toEqual({});
	first!.release();
	await clock.advance(0);
	expect(next).toEqual({ at: 5 });
});

test('or 10 s have passed: one more is tried, and one more after another 10 s', async () => {
	const [, , refused] = await acquireMany(3);
	refused!.refused();
	expect([await nextAt(), await nextAt(), await nextAt()]).toEqual([10, 20, 30]);
});

test('never more than 5', async () => {
	(await acquire()).refused();
	await clock.advance(3_600_000);
	await acquireMany(5);
	const next = waiting();
	await clock.advance(3_600_000);
	expect(next).toEqual({});
});

test('with each creation that succeeds, one more is tried at once', async () => {
	const [, , refused] = await acquireMany(3);
	refused!.refused();
	await clock.advance(1000);
	const all = [waiting(), waiting()];
	limiter.created();
	await clock.advance(0);
	expect(all).toEqual([{ at: 1 }, {}]);
});

test('a job that ends makes an end of the guessed pause', async () => {
	const [first, refused] = await acquireMany(2);
	refused!.refused();
	await clock.advance(300);
	first!.release();
	expect(await nextAt()).toBe(0.3);
});

test('but not of the pause that was asked for', async () => {
	const [first, refused] = await acquireMany(2);
	refused!.refused(5000);
	await clock.advance(300);
	first!.release();
	expect(await nextAt()).toBe(5);
});

test('of several refused together one counts', async () => {
	for (const place of await acquireMany(4)) place.refused();
	const [first, second] = await refuseMany(2);
	expect([first, second]).toEqual([1, 3]);
});

test('a guess does not shorten a pause that was asked for', async () => {
	const [first, second, third] = await acquireMany(3);
	first!.refused(5000);
	second!.refused();
	third!.release();
	expect(await nextAt()).toBe(5);
});

test('a pause that is asked for does not shorten another', async () => {
	const [first, second] = await acquireMany(2);
	first!.refused(9000);
	second!.refused(2000);
	expect(await nextAt()).toBe(9);
});

test('who waits during a pause can still be stopped', async () => {
	(await acquire()).refused(60_000);
	const stop = new AbortController();
	const stopped = limiter.acquire(owner, 100, { signal: stop.signal });
	stop.abort(new Error('stopped'));
	await expect(stopped).rejects.toThrow('stopped');
	expect(clock.now()).toBe(0);
});

test('beside 3 jobs of another process 2 are kept running, and all 5 once those have ended', async () => {
	let others = 3;
	let running = 0;
	const counts: number[] = [];
	const job = async () => {
		for (;;) {
			const place = await limiter.acquire(owner, 100);
			if (running + others >= 5) {
				place.refused();
				continue;
			}
			limiter.created();
			running += 1;
			await clock.sleep(20_000);
			running -= 1;
			return place.release();
		}
	};
	void Promise.all(Array.from({ length: 200 }, job));
	for (let second = 0; second < 240; second++) {
		if (second === 120) others = 0;
		await clock.advance(1000);
		counts.push(running);
	}
	expect(new Set(counts.slice(0, 119))).toEqual(new Set([2]));
	expect(new Set(counts.slice(150))).toEqual(new Set([5]));
});
