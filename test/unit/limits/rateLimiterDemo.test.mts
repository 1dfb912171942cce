import type { Forecast } from '../../../nodes/shared/plan/forecast.ts';
import type { RateLimiter } from '../../../nodes/shared/limits/rateLimiter.ts';
import type { Priority } from '../../../nodes/shared/plan/requests.ts';
import { rateLimiterAmong, sendBy } from '../../support/limiters.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** From the document: "Demo users: 10 requests per hour". */
const HOUR_S = 3600;

let clock: VirtualClock;
let rateLimiter: RateLimiter;
let jobs: { forecast: Forecast };

beforeEach(() => {
	clock = new VirtualClock(0);
	({ rateLimiter, jobs } = rateLimiterAmong(clock));
	rateLimiter.limit = { requests: 10, windowMs: HOUR_S * 1000 };
});

/** Asks for so many requests at once; gives when each is sent, s. */
function send(count: number, priority: Priority): Array<Promise<number>> {
	const owner = {};
	return Array.from({ length: count }, () =>
		sendBy(rateLimiter, async () => clock.now() / 1000, { priority, owner }),
	);
}

test('10 at once, and the next 10 an hour later', async () => {
	const times = await clock.run(Promise.all(send(25, 'read')));
	const hours = (count: number, hour: number) => Array<number>(count).fill(hour * HOUR_S);
	expect(times).toEqual([...hours(10, 0), ...hours(10, 1), ...hours(5, 2)]);
});

test('while a job runs, reads leave its polls a share, and polls leave one for a creation', async () => {
	jobs.forecast = { jobs: 1, requests: 0, withinMs: 60_000, mostGapMs: 3000 };
	const sentAtOnce: Record<string, number> = { read: 0, poll: 0 };
	for (const priority of ['read', 'poll'] as const) {
		for (const sent of send(20, priority)) void sent.then(() => (sentAtOnce[priority]! += 1));
	}
	await clock.advance(HOUR_S * 500);
	expect(sentAtOnce).toEqual({ read: 6, poll: 3 });
	expect(await clock.run(Promise.all(send(1, 'create')))).toEqual([HOUR_S / 2]);
});

test('a credential that is corrected counts from its next run on', async () => {
	await clock.run(Promise.all(send(10, 'read')));
	rateLimiter.limit = { requests: 100, windowMs: 60_000 };
	expect(await clock.run(Promise.all(send(90, 'read')))).toEqual(Array(90).fill(0));
});
