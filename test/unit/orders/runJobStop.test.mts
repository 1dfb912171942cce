import { NotStarted } from '../../../nodes/shared/orders/batch.ts';
import type { JobSpec } from '../../../nodes/shared/orders/jobContext.ts';
import { fault } from '../../support/fakeService.mts';
import { jobAccount } from '../../support/jobAccount.mts';
import { refuseRead, sendBy } from '../../support/refuseRead.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

let clock: VirtualClock;

beforeEach(() => {
	clock = new VirtualClock();
});

type Run = ReturnType<ReturnType<typeof jobAccount>['open']>;

const jobs = (run: Run, count: number, seconds: number, jobSpec: Partial<JobSpec> = {}) =>
	Array.from({ length: count }, (_, itemIndex) => run.job(seconds, { itemIndex, ...jobSpec }));

describe('Stop', () => {
	test('starts nothing new, and tells which jobs go on', async () => {
		const account = jobAccount(clock);
		const user = new AbortController();
		const all = jobs(account.open({ signal: user.signal }), 20, 30);
		await clock.advance(10_500);
		user.abort();
		const results = (await Promise.all(all)).map(({ result }) => result);
		for (const result of results.slice(0, 5)) expect(result).toMatchObject({ kind: 'stopped' });
		for (const result of results.slice(5)) expect(result).toBeInstanceOf(NotStarted);
		await clock.advance(60_000);
		expect(account.tries()).toHaveLength(5);
	});

	test('ends the waiting for a place that another run holds', async () => {
		const account = jobAccount(clock);
		void jobs(account.open(), 5, 30);
		await clock.advance(1000);
		const user = new AbortController();
		const job = account.open({ signal: user.signal }).job(10);
		await clock.advance(1000);
		user.abort();
		expect(await job).toEqual({ result: expect.any(NotStarted), at: 2 });
	});

	test('gives back a place that has become free at the same moment', async () => {
		const account = jobAccount(clock);
		const held = Array.from({ length: 5 }, () => account.limits.places.take({}));
		const user = new AbortController();
		const job = account.open({ signal: user.signal }).job(10);
		await clock.advance(0);
		held[0]!.release();
		user.abort();
		expect(await job).toMatchObject({ result: expect.any(NotStarted) });
		expect(account.limits.places.running).toBe(4);
	});

	test('ends the waiting of a creation for the requests of the account', async () => {
		const account = jobAccount(clock);
		await refuseRead(account.limits, 60_000);
		const user = new AbortController();
		const run = account.open({ signal: user.signal });
		const job = run.job(10);
		await clock.advance(1000);
		user.abort();
		expect(await job).toMatchObject({ result: { outcome: 'notSent' }, at: 1 });
		await clock.advance(100_000);
		expect(account.tries()).toEqual([]);
		expect(run.order()).toBeUndefined();
	});

	test('ends the waiting after a 429', async () => {
		const beforeCreation = () => {
			throw fault('refused', 429).with({ retryAfterMs: 60_000 });
		};
		const account = jobAccount(clock, { beforeCreation });
		const user = new AbortController();
		const job = account.open({ signal: user.signal }).job(10);
		await clock.advance(1000);
		user.abort();
		expect(await job).toMatchObject({ result: { status: 429 }, at: 1 });
		await clock.advance(100_000);
		expect(account.tries()).toHaveLength(1);
	});
});

test('creations that wait for the limits of the account are called off by a failure', async () => {
	const beforeCreation = () => {
		throw fault('refused', 400);
	};
	const account = jobAccount(clock, { beforeCreation });
	for (let sent = 0; sent < 99; sent++) void sendBy(account.limits, async () => {}, 'other');
	await clock.advance(0);
	const run = account.open({ continueOnFail: false });
	const all = await clock.run(
		Promise.all([0, 1, 2].map((itemIndex) => run.job(10, { itemIndex }))),
	);
	expect(all.map(({ result }) => (result as Error).message)).toEqual([
		'fault 400',
		'Not started',
		'Not started',
	]);
	expect(account.tries()).toHaveLength(1);
});

describe('nothing more is to be begun', () => {
	/** A run that another item may end. */
	const openEnding = (account: ReturnType<typeof jobAccount>) => {
		const end = new AbortController();
		const onItemFailed = jest.fn();
		const run = account.open({ signal: undefined, stopCreating: end.signal, onItemFailed });
		return { run, end, onItemFailed };
	};

	test('an item that waits for the requests of the account was not started, and has not failed', async () => {
		const account = jobAccount(clock);
		await refuseRead(account.limits, 60_000);
		const { run, end, onItemFailed } = openEnding(account);
		const job = run.job(10);
		await clock.advance(1000);
		end.abort();
		expect(await job).toEqual({ result: expect.any(NotStarted), at: 1 });
		expect(onItemFailed).not.toHaveBeenCalled();
	});

	test('an item that waits for a place was not started', async () => {
		const account = jobAccount(clock);
		void jobs(account.open(), 5, 30);
		await clock.advance(1000);
		const { run, end } = openEnding(account);
		const job = run.job(10);
		await clock.advance(1000);
		end.abort();
		expect(await job).toEqual({ result: expect.any(NotStarted), at: 2 });
	});

	test('an item that is sent again has not failed, and one that is not has', async () => {
		const beforeCreation = (attempt: number) => {
			if (attempt !== 2) throw fault(attempt === 1 ? 'unreachable' : 'refused');
		};
		const { run, onItemFailed } = openEnding(jobAccount(clock, { beforeCreation }));
		expect(await clock.run(run.job(10))).toMatchObject({ result: { job: { id: 'g0' } } });
		expect(onItemFailed).not.toHaveBeenCalled();
		await clock.run(run.job(11, { itemIndex: 1 }));
		expect(onItemFailed).toHaveBeenCalledTimes(1);
	});
});

test('a creation counts as under way until it is answered', async () => {
	const counts: number[] = [];
	const beforeCreation = () => void counts.push(account.limits.places.creating);
	const account = jobAccount(clock, { beforeCreation });
	await clock.run(account.open().job(10));
	expect([...counts, account.limits.places.creating]).toEqual([1, 0]);
});
