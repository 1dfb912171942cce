import type { JobError } from '../../../nodes/shared/orders/job.ts';
import { fault } from '../../support/fakeService.mts';
import { refuseRead } from '../../support/refuseRead.mts';
import { VirtualClock } from '../../support/virtualClock.mts';
import { listed, watchedJobs } from '../../support/watchedJobs.mts';

let clock: VirtualClock;

beforeEach(() => {
	clock = new VirtualClock(0);
});

describe('Stop takes no time', () => {
	const stop = async (ids: string[], when: number, pausedMs?: number) => {
		const ends = Object.fromEntries(ids.map((id) => [id, 600]));
		const { waitFor, limits } = watchedJobs(clock, { ends });
		const user = new AbortController();
		const waiting = Promise.all(ids.map((id) => waitFor(id, { signal: user.signal })));
		await clock.advance(3000);
		if (pausedMs !== undefined) await refuseRead(limits, pausedMs);
		await clock.advance(when - clock.now());
		user.abort();
		for (const { end, at } of await waiting) {
			expect(end).toMatchObject({ kind: 'stopped', job: { state: 'processing' } });
			expect(at).toBe(when / 1000);
		}
		expect(clock.sleeping).toBe(0);
	};

	test('between two looks', () => stop(['a'], 20_000));

	test('between two looks at several', () => stop(['a', 'b', 'c'], 20_500));

	test('while all requests pause', () => stop(['a'], 20_000, 60_000));

	test('while all requests pause, and all wait for one answer of the history', () =>
		stop(['a', 'b', 'c'], 20_000, 60_000));

	test('when it came before', async () => {
		const { waitFor, read } = watchedJobs(clock, { ends: { a: 600 } });
		const { end, at } = await clock.run(waitFor('a', { signal: AbortSignal.abort() }));
		expect(end).toMatchObject({ kind: 'stopped' });
		expect(at).toBe(0);
		expect(read('a')).toEqual([]);
	});
});

describe('the time-out', () => {
	test.each([['a'], ['a', 'b']])(
		'is over half a minute later where the limits let no look through (%p)',
		async (...ids) => {
			const ends = Object.fromEntries(ids.map((id) => [id, 600]));
			const { waitFor, limits } = watchedJobs(clock, { ends });
			const waiting = Promise.all(ids.map((id) => waitFor(id, { timeoutMs: 60_000 })));
			await clock.advance(10_000);
			await refuseRead(limits, 300_000);
			for (const { end, at } of await clock.run(waiting)) {
				expect(end).toMatchObject({ kind: 'timeout', job: { state: 'processing' } });
				expect((end as JobError).message).toContain('was not seen to finish within 60 seconds');
				expect(at).toBeGreaterThanOrEqual(90);
				expect(at).toBeLessThanOrEqual(93);
			}
		},
	);

	const MET = {
		'a 503': fault('unknown', 503),
		'a reset': fault('unknown'),
		'a 429': fault('refused', 429).with({ retryAfterMs: 5000 }),
		'no connection': fault('unreachable'),
	};

	test.each(Object.entries(MET))(
		'does not lose a job that has ended, where the last look meets %s',
		async (_, met) => {
			const status = (state: string) => {
				if (clock.now() >= 60_000 && clock.now() < 75_000) throw met;
				return { status: state };
			};
			const { waitFor, read } = watchedJobs(clock, { ends: { a: 59.99 }, status });
			const waiting = { timeoutMs: 60_000, typical: { fromMs: 55_000, toMs: 90_000 } };
			const { end, at } = await clock.run(waitFor('a', waiting));
			expect(end).toMatchObject({ state: 'completed' });
			expect(at).toBeGreaterThan(75);
			expect(at).toBeLessThan(93);
			// Not at the pace of a service that answers.
			expect(read('a').filter((time) => time >= 60).length).toBeLessThan(10);
		},
	);

	test('does not lose a young job that the service does not know everywhere', async () => {
		const status = (state: string) => {
			if (clock.now() >= 10_000 && clock.now() < 25_000) throw fault('refused', 404);
			return { status: state };
		};
		const { waitFor, read } = watchedJobs(clock, { ends: { a: 12 }, status });
		const { end, at } = await clock.run(waitFor('a', { timeoutMs: 20_000 }));
		expect(end).toMatchObject({ state: 'completed' });
		expect(at).toBeGreaterThanOrEqual(25);
		expect(at).toBeLessThan(30);
		expect(read('a').filter((time) => time >= 20).length).toBeLessThan(6);
	});

	test('is over half a minute later where no look is answered, which says what was seen', async () => {
		const status = (state: string) => {
			if (clock.now() >= 30_000) throw fault('unknown', 503);
			return { status: state };
		};
		const { waitFor } = watchedJobs(clock, { ends: { a: 20_000 }, status });
		const { end, at } = await clock.run(waitFor('a', { timeoutMs: 60_000 }));
		const { message, description } = end as JobError;
		expect(message).toBe('Job a was not seen to finish within 60 seconds');
		expect(description).toContain('It was last seen processing.');
		expect(description).toContain('The last status check failed: fault 503.');
		expect(at).toBeGreaterThanOrEqual(90);
		expect(at).toBeLessThanOrEqual(93);
		expect(clock.sleeping).toBe(0);
	});

	test('Stop ends that at once, too', async () => {
		const status = () => {
			throw fault('unknown', 503);
		};
		const { waitFor } = watchedJobs(clock, { ends: { a: 600 }, status });
		const user = new AbortController();
		const waiting = waitFor('a', { timeoutMs: 60_000, signal: user.signal });
		await clock.advance(65_500);
		user.abort();
		expect(await waiting).toMatchObject({ end: { kind: 'stopped' }, at: 65.5 });
		expect(clock.sleeping).toBe(0);
	});

	test('is kept by jobs that are looked at together', async () => {
		const { waitFor } = watchedJobs(clock, { ends: { a: 600, b: 600 } });
		const waiting = [waitFor('a', { timeoutMs: 50_000 }), waitFor('b')];
		const { end, at } = await clock.run(waiting[0]!);
		expect(end).toMatchObject({ kind: 'timeout', job: { id: 'a', state: 'processing' } });
		expect(at).toBeLessThanOrEqual(52);
	});

	test.each([['a'], ['a', 'b']])('does not lose what ended just before (%p)', async (...ids) => {
		const ends = Object.fromEntries(ids.map((id) => [id, 59.99]));
		const { waitFor } = watchedJobs(clock, { ends });
		const waiting = { timeoutMs: 60_000, typical: { fromMs: 55_000, toMs: 90_000 } };
		const all = Promise.all(ids.map((id) => waitFor(id, waiting)));
		for (const { end, at } of await clock.run(all)) {
			expect(end).toMatchObject({ state: 'completed' });
			// With a little time for the last look.
			expect(at).toBeGreaterThanOrEqual(60);
			expect(at).toBeLessThanOrEqual(62);
		}
	});

	test('does not leave it to the history either', async () => {
		const history = () => listed({ a: 'processing', b: 'processing' });
		const { waitFor } = watchedJobs(clock, { ends: { a: 59, b: 59 }, history });
		const waiting = { timeoutMs: 60_000 };
		const ends = await clock.run(Promise.all(['a', 'b'].map((id) => waitFor(id, waiting))));
		for (const { end } of ends) expect(end).toMatchObject({ state: 'completed' });
	});

	test('counts from the creation of the job', async () => {
		const { waitFor } = watchedJobs(clock, { ends: { a: 600 } });
		await clock.advance(100_000);
		const { end, at } = await clock.run(waitFor('a', { timeoutMs: 120_000 }, 0));
		expect(end).toMatchObject({ kind: 'timeout', job: { state: 'processing' } });
		expect(at).toBeCloseTo(120, 0);
	});

	test.each([
		[600, 'timeout'],
		[300, undefined],
	])('a job that is older gets one look, and ended at %i s: %s', async (ends, kind) => {
		const { waitFor, read } = watchedJobs(clock, { ends: { a: ends } });
		await clock.advance(400_000);
		const { end, at } = await clock.run(waitFor('a', { timeoutMs: 120_000 }, 0));
		expect(end).toMatchObject(kind ? { kind } : { state: 'completed' });
		expect(at).toBeCloseTo(400, 0);
		expect(read('a')).toHaveLength(1);
	});

	test('is no longer than that from now, where the clock was set back since', async () => {
		const { waitFor } = watchedJobs(clock, { ends: { a: 900_000 } });
		const { end, at } = await clock.run(waitFor('a', { timeoutMs: 60_000 }, 3_600_000));
		expect(end).toMatchObject({ kind: 'timeout' });
		expect(at).toBeCloseTo(60, 0);
	});
});

test('a service in trouble is asked again after 1, 2, 4, 8 and then each 10 seconds', async () => {
	const status = () => {
		throw fault('unknown', 500);
	};
	const { waitFor, read } = watchedJobs(clock, { ends: { a: 600 }, status });
	await clock.run(waitFor('a', { timeoutMs: 50_000 }));
	const pauses = read('a')
		.filter((at) => at < 50)
		.map((at, index, times) => Math.round(at - (times[index - 1] ?? 0)));
	expect(pauses).toEqual([1, 1, 2, 4, 8, 10, 10, 10]);
});

test('and at the usual pace again once it answers', async () => {
	const status = (state: string) => {
		if (clock.now() < 20_000) throw fault('unknown', 500);
		return { status: state };
	};
	const { waitFor, read } = watchedJobs(clock, { ends: { a: 40 }, status });
	const { at } = await clock.run(waitFor('a'));
	expect(at).toBeLessThan(45);
	const later = read('a').filter((time) => time > 25);
	expect(later.length).toBeGreaterThanOrEqual(4);
});

test('a job in trouble does not keep the others from being looked at together', async () => {
	const status = (state: string, id: string) => {
		if (id === 'a') throw fault('unknown', 500);
		return { status: state };
	};
	const { waitFor } = watchedJobs(clock, { ends: { a: 600, b: 20, c: 20 }, status });
	void waitFor('a');
	const ends = await clock.run(Promise.all([waitFor('b'), waitFor('c')]));
	for (const { at } of ends) expect(at).toBeLessThan(23);
});
