import type { RateLimiter } from '../../../nodes/shared/limits/rateLimiter.ts';
import type { Priority } from '../../../nodes/shared/plan/requests.ts';
import { fault } from '../../support/fakeService.mts';
import { MachineClock } from '../../support/machineClock.mts';
import { rateLimiterAmong, sendBy } from '../../support/limiters.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

const owner = {};

let clock: VirtualClock;
let rateLimiter: RateLimiter;
let others: { share: number };

beforeEach(() => {
	clock = new VirtualClock(0);
	({ rateLimiter, others } = rateLimiterAmong(clock));
});

/** Sends a request; gives when that was, s. */
async function send(
	priority: Priority = 'read',
	answer: () => unknown = () => {},
): Promise<number> {
	let at = NaN;
	const request = async () => {
		at = clock.now() / 1000;
		await answer();
	};
	await sendBy(rateLimiter, request, { priority, owner }).catch(() => {});
	return at;
}

/** The service answers 429, after a while. */
const refuse = (retryAfterMs?: number, latencyMs = 0) => {
	const answer = async () => {
		await clock.sleep(latencyMs);
		throw fault('refused', 429).with({ retryAfterMs });
	};
	return send('read', answer);
};

test.each(['create', 'read', 'poll'] as const)(
	'a 429 on a read makes a %s wait, as long as Retry-After says',
	async (priority) => {
		await clock.run(refuse(7000));
		expect(await clock.run(send(priority))).toBe(7);
	},
);

test('a 429 on a look makes all wait, too', async () => {
	const answer = () => {
		throw fault('refused', 429).with({ retryAfterMs: 7000 });
	};
	await clock.run(send('poll', answer));
	expect(await clock.run(send('create'))).toBe(7);
});

test('what waits already is not sent during the pause either', async () => {
	const looks = [send('poll'), send('poll'), send('poll')];
	await clock.run(refuse(7000));
	expect(await clock.run(Promise.all(looks))).toEqual([0, 7, expect.any(Number)]);
});

test('no answer makes an account wait for more than 5 minutes', async () => {
	await clock.run(refuse(86_400_000));
	expect(await clock.run(send())).toBe(300);
});

test('without Retry-After the pause doubles from 1 s on, up to 30 s, until an answer comes', async () => {
	const times = [];
	for (let count = 0; count < 8; count++) times.push(await clock.run(refuse()));
	expect(times).toEqual([0, 1, 3, 7, 15, 31, 61, 91]);
	expect(await clock.run(send())).toBe(121);
	await clock.run(refuse());
	expect(await clock.run(send())).toBe(122);
});

test('where others share the account, it waits until its oldest request counts no more', async () => {
	others.share = 1 / 2;
	await clock.run(send());
	await clock.advance(46_000);
	await clock.run(refuse());
	expect(await clock.run(send())).toBe(60);
});

test('where it is alone, a pause is a backoff', async () => {
	await clock.run(send());
	await clock.advance(46_000);
	await clock.run(refuse());
	expect(await clock.run(send())).toBe(47);
});

test('a backoff lasts no longer than until the oldest request counts no more', async () => {
	await clock.run(send());
	await clock.advance(50_000);
	const times = [];
	for (let count = 0; count < 4; count++) times.push(await clock.run(refuse()));
	expect(times).toEqual([50, 51, 53, 57]);
	expect(await clock.run(send())).toBe(60);
});

test('tries in vain slow polls down once, until one has succeeded', async () => {
	await clock.run(refuse());
	await clock.run(refuse());
	await clock.run(refuse());
	expect(rateLimiter.slowness).toBe(2);
	await clock.run(send());
	await clock.run(refuse());
	expect(rateLimiter.slowness).toBe(4);
});

test('a connection that is lost in between is no success', async () => {
	const lose = () => {
		throw fault('unknown');
	};
	const times = [];
	for (let count = 0; count < 4; count++) {
		times.push(await clock.run(refuse()));
		await clock.run(send('read', lose));
	}
	expect(rateLimiter.slowness).toBe(2);
	expect(times).toEqual([0, 1, 3, 7]);
});

test('polls are slowed down no more where the clock is set back', async () => {
	const machine = new MachineClock(clock);
	({ rateLimiter, others } = rateLimiterAmong(machine));
	await clock.run(refuse());
	machine.set(-3_600_000);
	expect(rateLimiter.slowness).toBe(2);
});

test('of several 429 that were under way together one counts', async () => {
	await clock.run(Promise.all([1, 2, 3, 4, 5].map(() => refuse())));
	expect(await clock.run(refuse())).toBe(1);
	expect(await clock.run(send())).toBe(3);
});

test.each([
	[2000, 9000],
	[9000, 2000],
])('of Retry-After %i and %i the longer one counts', async (first, second) => {
	await clock.run(Promise.all([refuse(first), refuse(second, 100)]));
	const seconds = first < second ? 9.1 : 9;
	expect(await clock.run(send())).toBe(seconds);
});

test('a guess does not shorten the pause that was asked for', async () => {
	await clock.run(Promise.all([refuse(9000), refuse(undefined, 100)]));
	expect(await clock.run(send())).toBe(9);
});

test('a 429 to a creation, which may be about running jobs, makes nobody wait', async () => {
	const answer = () => {
		throw fault('refused', 429).with({ retryAfterMs: 7000 });
	};
	await clock.run(send('create', answer));
	expect(await clock.run(Promise.all([send('poll'), send('read'), send('create')]))).toEqual([
		0, 0, 0,
	]);
});

test('an account shared with another process meets few 429, and spends what is left', async () => {
	const counted: number[] = [];
	/** As the service counts: the strictest way, each when it arrives. */
	const arrive = () => {
		const now = clock.now();
		if (counted.filter((at) => at > now - 60_000).length >= 100) throw fault('refused', 429);
		counted.push(now);
	};
	const other = async () => {
		for (; clock.now() < 1_200_000; await clock.sleep(1200)) {
			try {
				arrive();
			} catch {
				// The other process has its own way to go on.
			}
		}
	};
	let [passed, refused] = [0, 0];
	const ours = async () => {
		while (clock.now() < 1_200_000) {
			const attempt = async () => arrive();
			await sendBy(rateLimiter, attempt, { priority: 'read', owner }).then(
				() => (passed += 1),
				() => (refused += 1),
			);
		}
	};
	await clock.run(Promise.all([other(), ours(), ours(), ours()]));
	// In 20 minutes, of which the other process leaves 50 requests each.
	expect(passed).toBeGreaterThan(800);
	expect(refused).toBeLessThan(30);
});
