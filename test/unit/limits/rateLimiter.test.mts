import type { RateLimiter } from '../../../nodes/shared/limits/rateLimiter.ts';
import type { Priority } from '../../../nodes/shared/plan/requests.ts';
import { ServiceError } from '../../../nodes/shared/service/serviceError.ts';
import { rateLimiterAmong, sendBy } from '../../support/limiters.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

const [anna, bert] = [{ run: 'anna' }, { run: 'bert' }];

let clock: VirtualClock;
let rateLimiter: RateLimiter;
/** Names of the requests sent, and when, s. */
let log: Array<{ name: string; at: number }>;

beforeEach(() => {
	clock = new VirtualClock(0);
	({ rateLimiter } = rateLimiterAmong(clock));
	log = [];
});

const names = () => log.map(({ name }) => name);

function send(priority: Priority, name: string, owner: object = anna, signal?: AbortSignal) {
	const request = async () => {
		log.push({ name, at: clock.now() / 1000 });
		return name;
	};
	return sendBy(rateLimiter, request, { priority, owner, signal });
}

function sendMany(count: number, priority: Priority, name: string, owner?: object) {
	return Array.from({ length: count }, (_, index) => send(priority, `${name} ${index}`, owner));
}

/** Uses up the requests of the first minute. */
async function useUp() {
	await clock.run(Promise.all(sendMany(100, 'read', 'used')));
	log = [];
}

test('gives the answer', async () => {
	expect(await clock.run(send('read', 'answer'))).toBe('answer');
});

test('creations go before reads, and reads before looks', async () => {
	await useUp();
	const all = [send('poll', 'poll'), send('read', 'read'), send('create', 'create')];
	await clock.run(Promise.all(all));
	expect(names()).toEqual(['create', 'read', 'poll']);
});

test('runs are served in turn', async () => {
	await useUp();
	const all = [...sendMany(3, 'read', 'a', anna), ...sendMany(2, 'read', 'b', bert)];
	await clock.run(Promise.all(all));
	expect(names()).toEqual(['a 0', 'b 0', 'a 1', 'b 1', 'a 2']);
});

test('500 queued looks of one run do not hold up the look of another', async () => {
	void sendMany(500, 'poll', 'a', anna);
	await clock.advance(1000);
	const before = log.length;
	await clock.run(send('poll', 'b', bert));
	expect(log.length - before).toBeLessThanOrEqual(2);
});

describe('a signal that fires while a request waits for its turn', () => {
	const outcome = (sending: Promise<unknown>) =>
		sending.catch((error: unknown) => (error as ServiceError).outcome);

	test('ends the waiting at once; it was not sent, and takes nobody’s turn', async () => {
		await useUp();
		const stop = new AbortController();
		const stopped = outcome(send('read', 'stopped', anna, stop.signal));
		const next = send('read', 'next');
		await clock.advance(1000);
		stop.abort();
		expect(await stopped).toBe('notSent');
		await clock.run(next);
		expect(log).toEqual([{ name: 'next', at: 60 }]);
	});

	test('leaves the queue of its run, so that others are not put off for it', async () => {
		await useUp();
		const stops = Array.from({ length: 150 }, () => new AbortController());
		const stopped = stops.map(({ signal }) => outcome(send('create', 'stopped', anna, signal)));
		const next = send('poll', 'next', bert);
		for (const stop of stops) stop.abort();
		expect(await Promise.all(stopped)).toEqual(stopped.map(() => 'notSent'));
		await clock.run(next);
		expect(log).toEqual([{ name: 'next', at: 60 }]);
	});

	test('or before: it is not tried', async () => {
		expect(await outcome(send('create', 'never', anna, AbortSignal.abort()))).toBe('notSent');
		expect(log).toEqual([]);
	});

	test('and nothing is left ticking when nobody waits any more', async () => {
		await useUp();
		const stop = new AbortController();
		const stopped = outcome(send('read', 'stopped', anna, stop.signal));
		await clock.advance(0);
		expect(clock.sleeping).toBe(1);
		stop.abort();
		await stopped;
		expect(clock.sleeping).toBe(0);
	});

	test('does nothing once the request is sent', async () => {
		const stop = new AbortController();
		const removed = jest.spyOn(stop.signal, 'removeEventListener');
		const answer = sendBy(rateLimiter, () => clock.sleep(1000).then(() => 'answer'), {
			priority: 'read',
			owner: anna,
			signal: stop.signal,
		});
		await clock.advance(500);
		expect(removed).toHaveBeenCalledTimes(1);
		stop.abort();
		expect(await clock.run(answer)).toBe('answer');
	});
});

test('tells when so many requests can be sent at once', async () => {
	expect(rateLimiter.freeAt(3)).toBe(0);
	await clock.run(Promise.all(sendMany(98, 'read', 'first')));
	await clock.advance(1000);
	const first = 60_000;
	expect(rateLimiter.freeAt(2)).toBe(0);
	expect(rateLimiter.freeAt(3)).toBe(first);
	await clock.run(Promise.all(sendMany(2, 'read', 'then')));
	expect(rateLimiter.freeAt(1)).toBe(first);
	expect(rateLimiter.freeAt(100)).toBe(first + 1000);
});

test('does so, too, where there are fewer requests than that', async () => {
	rateLimiter.limit = { requests: 2, windowMs: 60_000 };
	await clock.run(send('read', 'only'));
	expect(rateLimiter.freeAt(3)).toBe(60_000);
});
