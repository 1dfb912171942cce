import fc from 'fast-check';

import type { AccountLoop } from '../../../nodes/shared/limits/accountLoop.ts';
import { PRIORITIES, type Priority } from '../../../nodes/shared/plan/requests.ts';
import type { ServiceError } from '../../../nodes/shared/service/serviceError.ts';
import { fault } from '../../support/fakeService.mts';
import { loopAmong, refuseRead, sendBy } from '../../support/limiters.mts';
import { MachineClock } from '../../support/machineClock.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** When requests are sent, and in which order. From the document: at most 100 in any 60 s. */

const MOST = 100;
const WINDOW_MS = 60_000;

interface Arrival {
	/** When it is asked for. */
	atMs: number;
	priority: Priority;
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
	const { loop } = loopAmong(clock);
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
		await sendBy(loop, request, { priority, owner: runs[run]! }).catch(() => {});
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
	await fc.assert(fc.asyncProperty(arrivals, judge), { numRuns: 6, endOnFailure: true });
}, 60_000);

const crowd = (count: number, more: Partial<Arrival> = {}): Arrival[] =>
	Array<Arrival>(count).fill({ atMs: 0, priority: 'other', run: 0, latencyMs: 0, ...more });

const times = (...counts: Array<[count: number, seconds: number]>) =>
	counts.flatMap(([count, seconds]) => Array<number>(count).fill(1000 * seconds));

test.each<[string, Arrival[], number[]]>([
	[
		'the 100 are there at once, and the next 100 a minute later',
		crowd(250),
		times([100, 0], [100, 60], [50, 120]),
	],
	[
		'one counts for a minute from its answer, which may be when the service counts it',
		[...crowd(100, { latencyMs: 30_000 }), ...crowd(1)],
		times([100, 0], [1, 90]),
	],
	[
		'one that ended in an error counts as any other',
		[...crowd(100, { isFault: true }), ...crowd(1)],
		times([100, 0], [1, 60]),
	],
	[
		'what has become free is used one by one',
		[10, 20].reduce<Arrival[]>(
			(all, at) => [...all, ...crowd(1, { atMs: at * 1000 })],
			[...crowd(98), ...crowd(100, { atMs: 30_000 })],
		),
		times([98, 0], [1, 10], [1, 20], [98, 60], [1, 70], [1, 80]),
	],
])('%s', async (_, arrivals, sent) => {
	expect((await play(arrivals)).map(({ sentAt }) => sentAt)).toEqual(sent);
});

describe('in line', () => {
	const [anna, bert] = [{ run: 'anna' }, { run: 'bert' }];

	let clock: VirtualClock;
	let loop: AccountLoop;
	/** Names of the requests sent. */
	let names: string[];

	const send = async (priority: Priority, name = '', owner: object = anna, signal?: AbortSignal) =>
		await sendBy(
			loop,
			async () => {
				names.push(name);
				return clock.now() / 1000;
			},
			{ priority, owner, signal },
		);

	const sendMany = (count: number, priority: Priority, name?: string, owner?: object) =>
		Array.from({ length: count }, async (_, n) => await send(priority, `${name} ${n}`, owner));

	/** Uses up the requests of the first minute. */
	const useUp = async (count = 100) => {
		await clock.run(Promise.all(sendMany(count, 'other')));
		names = [];
	};

	beforeEach(() => {
		clock = new VirtualClock(0);
		({ loop } = loopAmong(clock));
		names = [];
	});

	test('creations go first, then ends, reads, looks, and what triggers read', async () => {
		await useUp();
		const all = (['trigger', 'poll', 'other', 'end', 'create'] as const).map((one) =>
			send(one, one),
		);
		await clock.run(Promise.all(all));
		expect(names).toEqual(['create', 'end', 'other', 'poll', 'trigger']);
	});

	test('runs are served in turn', async () => {
		await useUp();
		const all = [...sendMany(3, 'other', 'a', anna), ...sendMany(2, 'other', 'b', bert)];
		await clock.run(Promise.all(all));
		expect(names).toEqual(['a 0', 'b 0', 'a 1', 'b 1', 'a 2']);
	});

	test('500 queued looks of one run do not hold up the look of another', async () => {
		void sendMany(500, 'poll', 'a', anna);
		await clock.advance(1000);
		const before = names.length;
		await clock.run(send('poll', 'b', bert));
		expect(names.length - before).toBeLessThanOrEqual(2);
	});

	describe('a signal that fires while a request waits for its turn', () => {
		const outcome = (sending: Promise<unknown>) =>
			sending.catch((error: unknown) => (error as ServiceError).outcome);

		test('ends the waiting at once; none was sent, or takes the turn of others', async () => {
			await useUp();
			const stops = Array.from({ length: 150 }, () => new AbortController());
			const stopped = stops.map(({ signal }) => outcome(send('create', 'stopped', anna, signal)));
			const next = send('poll', 'next', bert);
			await clock.advance(1000);
			for (const stop of stops) stop.abort();
			expect(await Promise.all(stopped)).toEqual(stopped.map(() => 'notSent'));
			expect(await clock.run(next)).toBe(60);
			expect(names).toEqual(['next']);
		});

		test('and whoever comes after all have gone is served', async () => {
			await useUp();
			const stop = new AbortController();
			const stopped = outcome(send('other', 'stopped', anna, stop.signal));
			await clock.advance(1000);
			stop.abort();
			await stopped;
			await clock.advance(1000);
			expect(await clock.run(send('other', 'later', bert))).toBe(60);
		});

		test('or before: it is not tried', async () => {
			expect(await outcome(send('create', 'never', anna, AbortSignal.abort()))).toBe('notSent');
			expect(names).toEqual([]);
		});

		test('and nothing is left ticking when nobody waits any more', async () => {
			await useUp();
			const stop = new AbortController();
			const stopped = outcome(send('other', 'stopped', anna, stop.signal));
			await clock.advance(0);
			expect(clock.sleeping).toBe(1);
			stop.abort();
			await stopped;
			expect(clock.sleeping).toBe(0);
		});

		test('does nothing once the request is sent', async () => {
			const stop = new AbortController();
			const removed = jest.spyOn(stop.signal, 'removeEventListener');
			const request = async () => await clock.sleep(1000).then(() => 'answer');
			const answer = sendBy(loop, request, { priority: 'other', owner: anna, signal: stop.signal });
			await clock.advance(500);
			expect(removed).toHaveBeenCalledTimes(1);
			stop.abort();
			expect(await clock.run(answer)).toBe('answer');
		});
	});

	/** From the document: "Demo users: 10 requests per hour". */
	describe('of a demo account', () => {
		const HOUR_S = 3600;

		beforeEach(() => {
			loop.requests.limit = { requests: 10, windowMs: HOUR_S * 1000 };
		});

		test('10 are sent at once, and the next 10 an hour later', async () => {
			const all = await clock.run(Promise.all(sendMany(25, 'other')));
			expect(all).toEqual(times([10, 0], [10, HOUR_S], [5, 2 * HOUR_S]).map((ms) => ms / 1000));
		});

		test('while a job runs, reads leave its polls a share, and polls leave one for a creation', async () => {
			loop.occupy({});
			const sent = { other: 0, poll: 0 };
			for (const priority of ['other', 'poll'] as const) {
				for (const one of sendMany(20, priority)) void one.then(() => (sent[priority] += 1));
			}
			await clock.advance(HOUR_S * 500);
			expect(sent).toEqual({ other: 6, poll: 3 });
			expect(await clock.run(send('create'))).toBe(HOUR_S / 2);
		});

		test('a credential that is corrected counts from its next run on', async () => {
			await useUp(10);
			loop.requests.limit = { requests: 100, windowMs: 60_000 };
			expect(await clock.run(Promise.all(sendMany(90, 'other')))).toEqual(Array(90).fill(0));
		});
	});
});

describe('where the clock of the machine is set to another time, or the machine sleeps', () => {
	const HOUR_MS = 3_600_000;

	let time: VirtualClock;
	let machine: MachineClock;
	let loop: AccountLoop;

	beforeEach(() => {
		time = new VirtualClock(0);
		machine = new MachineClock(time);
		({ loop } = loopAmong(machine));
	});

	/** Gives when it was sent, s. */
	const send = async (priority: Priority = 'other') =>
		await time.run(sendBy(loop, async () => time.now() / 1000, { priority, owner: {} }));

	const useUp = async () => {
		for (let sent = 0; sent < 100; sent++) await send();
	};

	test.each(['create', 'other', 'poll', 'trigger'] as const)(
		'a %s does not wait for a pause that a clock set back would bring again',
		async (priority) => {
			await time.run(refuseRead(loop, 40_000));
			machine.set(-3 * HOUR_MS);
			expect(await send(priority)).toBe(40);
		},
	);

	test.each(['other', 'trigger'] as const)(
		'%ss that were sent before the clock was set back count for a minute',
		async (priority) => {
			await useUp();
			machine.set(-3 * HOUR_MS);
			const at = await send(priority);
			expect(at).toBeGreaterThanOrEqual(60);
			expect(at).toBeLessThanOrEqual(61);
		},
	);

	test('polls keep their pace when the clock was set back', async () => {
		await send('poll');
		const before = await send('poll');
		machine.set(-3 * HOUR_MS);
		expect((await send('poll')) - before).toBeLessThanOrEqual(10);
	});

	test('requests of before the machine slept for longer than a minute do not count', async () => {
		await useUp();
		time.suspend(70_000);
		expect(await send()).toBe(70);
	});

	test('a clock that was set back, and forth again, makes no window shorter', async () => {
		await useUp();
		machine.set(-3 * HOUR_MS);
		await time.run(refuseRead(loop, 40_000));
		machine.set(3 * HOUR_MS);
		expect(await send()).toBeGreaterThanOrEqual(100);
	});

	test('polls are slowed down no more after a 429 where the clock is set back', async () => {
		await time.run(refuseRead(loop));
		machine.set(-HOUR_MS);
		expect(loop.requests.slowness).toBe(2.25);
	});
});
