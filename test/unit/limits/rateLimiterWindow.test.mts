import fc from 'fast-check';

import { PRIORITIES } from '../../../nodes/shared/plan/requests.ts';
import { fault } from '../../support/fakeService.mts';
import { rateLimiterAmong, sendBy } from '../../support/limiters.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** From the document: at most 100 requests in any 60 s. */
const MOST = 100;
const WINDOW_MS = 60_000;

interface Arrival {
	/** When it is asked for. */
	atMs: number;
	priority: (typeof PRIORITIES)[number];
	/** Which run asks. */
	run: number;
	latencyMs: number;
	/** Ends in an error that is no 429. */
	isFault?: boolean;
}

/** When a request was sent and answered, ms. */
interface Span {
	sentAt: number;
	answeredAt: number;
}

/** Sends all of them; in the order in which they were sent. */
async function play(arrivals: readonly Arrival[]): Promise<Span[]> {
	const clock = new VirtualClock(0);
	const { rateLimiter } = rateLimiterAmong(clock);
	const runs = [{}, {}, {}, {}];
	const spans: Span[] = [];
	const send = async ({ atMs, priority, run, latencyMs, isFault }: Arrival) => {
		await clock.sleep(atMs);
		const request = async () => {
			const span = { sentAt: clock.now(), answeredAt: clock.now() + latencyMs };
			spans.push(span);
			await clock.sleep(latencyMs);
			if (isFault) throw fault('unknown', 500);
		};
		await sendBy(rateLimiter, request, { priority, owner: runs[run]! }).catch(() => {});
	};
	await clock.run(Promise.all(arrivals.map(send)));
	return spans;
}

/** The most of them that fall into one window. */
function mostInAWindow(times: readonly number[]): number {
	const counts = times.map((end) => times.filter((at) => at <= end && at > end - WINDOW_MS).length);
	return Math.max(...counts);
}

/** The most that a service counts in one window, wherever between sending and answer it counts. */
function mostAtWorst(spans: readonly Span[]): number {
	const counts = spans.map(
		({ sentAt }, index) =>
			1 + spans.slice(0, index).filter((other) => other.answeredAt > sentAt - WINDOW_MS).length,
	);
	return Math.max(...counts);
}

const arrival: fc.Arbitrary<Arrival> = fc.record({
	atMs: fc.oneof(fc.constant(0), fc.nat(150_000)),
	priority: fc.constantFrom(...PRIORITIES),
	run: fc.nat(3),
	latencyMs: fc.oneof(fc.constant(0), fc.nat(30_000)),
	isFault: fc.boolean(),
});

test('never more than 100 in any 60 s, whatever comes when and however slow the answers are', async () => {
	const arrivals = fc.array(arrival, { minLength: 200, maxLength: 400, size: 'max' });
	const judge = async (all: Arrival[]) => {
		const spans = await play(all);
		expect(spans).toHaveLength(all.length);
		expect(mostInAWindow(spans.map(({ sentAt }) => sentAt))).toBeLessThanOrEqual(MOST);
		expect(mostInAWindow(spans.map(({ answeredAt }) => answeredAt))).toBeLessThanOrEqual(MOST);
		expect(mostAtWorst(spans)).toBeLessThanOrEqual(MOST);
	};
	await fc.assert(fc.asyncProperty(arrivals, judge), { numRuns: 12, endOnFailure: true });
}, 60_000);

const crowd = (count: number, more: Partial<Arrival> = {}): Arrival[] =>
	Array.from({ length: count }, () => ({
		atMs: 0,
		priority: 'read',
		run: 0,
		latencyMs: 0,
		...more,
	}));

const sentAt = async (arrivals: Arrival[]) => (await play(arrivals)).map(({ sentAt: at }) => at);

test('the 100 are there at once, and the next 100 a minute later', async () => {
	const times = await sentAt(crowd(250));
	expect(times).toEqual([
		...Array.from({ length: 100 }, () => 0),
		...Array.from({ length: 100 }, () => 60_000),
		...Array.from({ length: 50 }, () => 120_000),
	]);
});

test('a request counts for a minute from its answer, which may be when the service counts it', async () => {
	const times = await sentAt([...crowd(100, { latencyMs: 30_000 }), ...crowd(1)]);
	expect(times.at(-1)).toBe(90_000);
});

test('a request that ended in an error counts as any other', async () => {
	const times = await sentAt([...crowd(100, { isFault: true }), ...crowd(1)]);
	expect(times.at(-1)).toBe(60_000);
});

test('what has become free is used one by one', async () => {
	const times = await sentAt([
		...crowd(98),
		...crowd(1, { atMs: 10_000 }),
		...crowd(1, { atMs: 20_000 }),
		...crowd(100, { atMs: 30_000 }),
	]);
	expect(times.slice(100)).toEqual([...Array.from({ length: 98 }, () => 60_000), 70_000, 80_000]);
});
