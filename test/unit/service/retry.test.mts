import { sendInTime, sendWithRetry } from '../../../nodes/shared/service/retry.ts';
import { retryAfterIn } from '../../../nodes/shared/account/backoff.ts';
import type { Outcome } from '../../../nodes/shared/service/serviceError.ts';
import { ACCOUNT_KINDS } from '../../../nodes/shared/spec/limits.ts';
import { fault } from '../../support/fakeService.mts';
import { pacedService } from '../../support/pacedService.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

const request = { method: 'GET' as const, path: '/payments/api/credits/' };

/** The answers in turn, the last one for ever; errors are thrown. */
function setUp(answers: unknown[]) {
	const clock = new VirtualClock(0);
	const { open, sent } = pacedService(clock, () => {
		const answer = answers[Math.min(sent.length, answers.length) - 1];
		if (answer instanceof Error) throw answer;
		return answer;
	});
	const send = (signal?: AbortSignal) =>
		sendWithRetry(open(), request, clock, { signal }).catch((error: unknown) => error);
	const times = () => sent.map(({ at }) => at / 1000);
	return { clock, send, times };
}

const tooMany = (retryAfterMs?: number) => fault('refused', 429).with({ retryAfterMs });

test('an answer is an answer', async () => {
	const { clock, send, times } = setUp(['answer']);
	expect(await clock.run(send())).toBe('answer');
	expect(times()).toEqual([0]);
});

test('a 429 is waited out, as long as it asks', async () => {
	const { clock, send, times } = setUp([tooMany(7000), tooMany(), 'answer']);
	expect(await clock.run(send())).toBe('answer');
	const [, second, third] = times();
	expect(second).toBe(7);
	// A backoff with jitter: 6 to 12 s, since it is the second in a row.
	expect(third! - second!).toBeGreaterThanOrEqual(6);
	expect(third! - second!).toBeLessThanOrEqual(12);
});

test('for 2 minutes', async () => {
	const { clock, send, times } = setUp([tooMany()]);
	expect(await clock.run(send())).toMatchObject({ status: 429 });
	expect(times().at(-2)).toBeLessThan(120);
	expect(times().at(-1)).toBeGreaterThanOrEqual(120);
});

test('"Retry-After: 0" is no leave to ask again at once: the pauses grow', async () => {
	const retryAfterMs = retryAfterIn({ 'retry-after': '0' }, 0);
	const { clock, send, times } = setUp([tooMany(retryAfterMs)]);
	expect(await clock.run(send())).toMatchObject({ status: 429 });
	const pauses = times()
		.slice(1)
		.map((at, index) => at - times()[index]!);
	// Between half and all of 6, 12, 24 and then 30 s.
	expect(pauses[0]).toBeGreaterThanOrEqual(3);
	expect(pauses[0]).toBeLessThanOrEqual(6);
	for (const pause of pauses.slice(3)) expect(pause).toBeGreaterThanOrEqual(15);
});

test('unless it asks for longer than that', async () => {
	const { clock, send, times } = setUp([tooMany(120_000)]);
	expect(await clock.run(send())).toMatchObject({ status: 429, retryAfterMs: 120_000 });
	expect(times()).toEqual([0]);
});

test('a connection that is never made is tried 3 times in all', async () => {
	const { clock, send, times } = setUp([fault('unreachable')]);
	expect(await clock.run(send())).toMatchObject({ outcome: 'unreachable' });
	expect(times()).toEqual([0, 1, 3]);
});

test('and gives the answer once it is made', async () => {
	const lost = fault('unreachable');
	const { clock, send } = setUp([lost, lost, 'answer']);
	expect(await clock.run(send())).toBe('answer');
});

test('429 in between give no further tries', async () => {
	const lost = fault('unreachable');
	const { clock, send, times } = setUp([lost, tooMany(), lost, tooMany(), lost, 'never']);
	expect(await clock.run(send())).toBe(lost);
	expect(times()).toHaveLength(5);
});

test.each<[Outcome, number | undefined]>([
	...[500, 501, 502, 503, 504, 520, 599].map((status): [Outcome, number] => ['unknown', status]),
	['unknown', undefined],
	['refused', 400],
	['refused', 404],
	['notSent', undefined],
])('any other error (%s %p) is told at once', async (outcome, status) => {
	const error = fault(outcome, status);
	const { clock, send, times } = setUp([error, 'never']);
	expect(await clock.run(send())).toBe(error);
	expect(times()).toEqual([0]);
});

test.each([
	['a 429', tooMany(100_000), 'notSent'],
	['a connection that was not made', fault('unreachable'), 'unreachable'],
])('Stop ends the waiting after %s at once', async (_, error, outcome) => {
	const stop = new AbortController();
	const { clock, send, times } = setUp([error]);
	const sending = send(stop.signal);
	await clock.advance(100);
	stop.abort();
	expect(await sending).toMatchObject({ outcome });
	expect(clock.now()).toBe(100);
	expect(times()).toEqual([0]);
});

describe('a request that waits for its turn for half a minute', () => {
	/** On a demo account, of whose requests of the hour so many are used up. */
	function demo(used: number, answers: Array<Error | string>) {
		const clock = new VirtualClock(0);
		const { open, limits } = pacedService(clock, () => {
			const answer = answers.shift();
			if (answer instanceof Error) throw answer;
			return answer;
		});
		const [, limit] = ACCOUNT_KINDS;
		limits.requests.limit = limit;
		for (let count = 0; count < used; count++) {
			limits.requests.answered(limits.requests.send('other'), { kind: 'taken' });
		}
		const patience = { clock, priority: 'other', turnMs: 30_000 } as const;
		const sending = sendInTime(open(), request, patience).catch((error: unknown) => error);
		return { clock, sending };
	}

	test('does so after a 429, too, which was the last of the hour', async () => {
		const { clock, sending } = demo(9, [tooMany(), 'answer']);
		expect(await clock.run(sending)).toMatchObject({ outcome: 'notSent' });
		expect(clock.now()).toBeLessThan(40_000);
	});

	test('has the answer to the second, where there is one left', async () => {
		const { clock, sending } = demo(8, [tooMany(), 'answer']);
		expect(await clock.run(sending)).toBe('answer');
	});
});
