import type { Forecast } from '../../../nodes/shared/plan/forecast.ts';
import type { RateLimiter } from '../../../nodes/shared/limits/rateLimiter.ts';
import type { Priority } from '../../../nodes/shared/plan/requests.ts';
import { rateLimiterAmong, sendBy } from '../../support/limiters.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** What triggers read: after everything else, and little of it. */

const owner = {};

let clock: VirtualClock;
let rateLimiter: RateLimiter;
let jobs: { forecast: Forecast };

beforeEach(() => {
	clock = new VirtualClock(0);
	({ rateLimiter, jobs } = rateLimiterAmong(clock));
});

/** So many requests are asked for at once; the times at which they have been sent so far, s. */
function ask(priority: Priority, count: number): number[] {
	const times: number[] = [];
	for (let index = 0; index < count; index++) {
		const sent = sendBy(rateLimiter, async () => clock.now() / 1000, { priority, owner });
		void sent.then((at) => times.push(at));
	}
	return times;
}

const runFiveJobs = () => {
	jobs.forecast = { jobs: 5, requests: 0, withinMs: 60_000, mostGapMs: 2000 };
};

test('while jobs run, triggers send 3 requests a minute', async () => {
	runFiveJobs();
	const times = ask('trigger', 50);
	await clock.advance(59_000);
	expect(times).toHaveLength(3);
	await clock.advance(60_000);
	expect(times).toHaveLength(6);
});

test('and polls send as many as without them', async () => {
	runFiveJobs();
	const alone = ask('poll', 200);
	await clock.advance(59_000);
	clock = new VirtualClock(0);
	({ rateLimiter, jobs } = rateLimiterAmong(clock));
	runFiveJobs();
	ask('trigger', 50);
	const beside = ask('poll', 200);
	await clock.advance(59_000);
	expect(alone.length).toBeGreaterThan(20);
	expect(beside).toEqual(alone);
});

test('while none run, they leave 70 of the 100 requests of a minute', async () => {
	const times = ask('trigger', 200);
	await clock.advance(59_000);
	expect(times).toHaveLength(30);
	const creations = ask('create', 70);
	await clock.advance(500);
	expect(creations).toHaveLength(70);
});

test('a creation, and whatever else is asked for, goes before them', async () => {
	const order: string[] = [];
	const send = (priority: Priority) =>
		sendBy(rateLimiter, async () => order.push(priority), { priority, owner });
	ask('create', 100);
	await clock.advance(0);
	for (const priority of ['trigger', 'read', 'end', 'create'] as const) void send(priority);
	await clock.advance(61_000);
	expect(order).toEqual(['create', 'end', 'read', 'trigger']);
});
