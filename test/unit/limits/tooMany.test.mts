import type { AccountLoop } from '../../../nodes/shared/limits/accountLoop.ts';
import type { Priority } from '../../../nodes/shared/plan/requests.ts';
import { fault } from '../../support/fakeService.mts';
import { loopAmong, sendBy } from '../../support/limiters.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** What a 429 does to requests: a pause, and slower polls. */

const owner = {};

let clock: VirtualClock;
let loop: AccountLoop;

beforeEach(() => {
	clock = new VirtualClock(0);
	({ loop } = loopAmong(clock));
});

/** Sends a request; gives when that was, s. */
async function send(
	priority: Priority = 'other',
	answer: () => unknown = () => {},
): Promise<number> {
	let at = NaN;
	const request = async () => {
		at = clock.now() / 1000;
		await answer();
	};
	await sendBy(loop, request, { priority, owner }).catch(() => {});
	return at;
}

/** The service answers 429, after a while. */
const refuse = (retryAfterMs?: number, latencyMs = 0, priority: Priority = 'other') =>
	send(priority, async () => {
		await clock.sleep(latencyMs);
		throw fault('refused', 429).with({ retryAfterMs });
	});

test.each<[refused: Priority, next: Priority]>([
	['other', 'create'],
	['other', 'other'],
	['other', 'poll'],
	['poll', 'create'],
])('a 429 to a %s makes a %s wait, as long as Retry-After says', async (refused, next) => {
	await clock.run(refuse(7000, 0, refused));
	expect(await clock.run(send(next))).toBe(7);
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

test('without Retry-After the pause doubles from 8 s on, up to 30 s, until an answer comes', async () => {
	const times = [];
	for (let count = 0; count < 8; count++) times.push(await clock.run(refuse()));
	expect(times).toEqual([0, 8, 24, 54, 84, 114, 144, 174]);
	expect(await clock.run(send())).toBe(204);
	await clock.run(refuse());
	expect(await clock.run(send())).toBe(212);
});

test('a backoff lasts no longer than until the oldest request counts no more', async () => {
	await clock.run(send());
	await clock.advance(40_000);
	const times = [];
	for (let count = 0; count < 2; count++) times.push(await clock.run(refuse()));
	expect(times).toEqual([40, 48]);
	expect(await clock.run(send())).toBe(60);
});

test('of several 429 that were under way together one counts', async () => {
	await clock.run(Promise.all([1, 2, 3, 4, 5].map(() => refuse())));
	expect(await clock.run(refuse())).toBe(8);
	expect(await clock.run(send())).toBe(24);
});

test.each([
	[2000, 9000, 9.1],
	[9000, 2000, 9],
	// A guess.
	[9000, undefined, 9],
])('of Retry-After %p and, 0.1 s later, %p the longer one counts', async (first, second, next) => {
	await clock.run(Promise.all([refuse(first), refuse(second, 100)]));
	expect(await clock.run(send())).toBe(next);
});

test('a 429 to a creation, which may be about running jobs, makes nobody wait', async () => {
	await clock.run(refuse(7000, 0, 'create'));
	const all = [send('poll'), send('other'), send('create')];
	expect(await clock.run(Promise.all(all))).toEqual([0, 0, 0]);
});

describe('polls are slower after it: others use the account, too', () => {
	/** There is a long job to poll. */
	const runJob = () => {
		loop.durations.note('job', 90_000);
		loop.occupy(owner);
	};

	beforeEach(runJob);

	/** Each after one that has succeeded. */
	const refuseTimes = async (count: number) => {
		for (let one = 0; one < count; one++) {
			await clock.run(refuse(1000));
			await clock.run(send());
		}
	};

	/** Between two polls in vain, s. */
	const gap = async () => {
		const [first, second] = await clock.run(Promise.all([send('poll'), send('poll')]));
		return second! - first!;
	};

	/** The same without any 429, after so many requests. */
	const usualGap = async (requests: number) => {
		({ loop } = loopAmong(clock));
		runJob();
		for (let count = 0; count < requests; count++) await clock.run(send());
		return await gap();
	};

	test.each([1, 3])('after %i they are some 2.2 times as far apart', async (count) => {
		await refuseTimes(count);
		expect((await gap()) / (await usualGap(2 * count))).toBeCloseTo(2.2, 1);
	});

	test('and as far as ever after two minutes without one', async () => {
		await refuseTimes(4);
		await clock.advance(123_000);
		expect((await gap()) / (await usualGap(0))).toBeCloseTo(1, 1);
	});

	test('pauses grow until one has succeeded; a lost connection is no success', async () => {
		const lose = () => {
			throw fault('unknown');
		};
		const times = [];
		for (let count = 0; count < 4; count++) {
			times.push(await clock.run(refuse()));
			await clock.run(send('other', lose));
		}
		expect(times).toEqual([0, 8, 24, 54]);
	});

	test('what is no poll is not', async () => {
		await clock.run(refuse(1000));
		const times = await clock.run(Promise.all(Array.from({ length: 50 }, () => send('other'))));
		expect(new Set(times)).toEqual(new Set([1]));
	});
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
			await sendBy(loop, async () => arrive(), { priority: 'other', owner }).then(
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
