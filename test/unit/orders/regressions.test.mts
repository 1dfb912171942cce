/** Faults that were found in the engine, each with what it should do. */

import { fault } from '../../support/fakeService.mts';
import { jobAccount } from '../../support/jobAccount.mts';
import { refuseRead } from '../../support/refuseRead.mts';
import { VirtualClock } from '../../support/virtualClock.mts';
import { listed, watchedJobs } from '../../support/watchedJobs.mts';

let clock: VirtualClock;

beforeEach(() => {
	clock = new VirtualClock(0);
});

const gaps = (times: number[]) => times.slice(1).map((at, index) => at - times[index]!);

test('what the history has told wakes a waiting job, and does not make it ask again', async () => {
	const { waitFor, asked } = watchedJobs(clock, { ends: { a: 29, b: 29 } });
	void waitFor('a');
	await clock.advance(3000);
	void waitFor('b');
	await clock.advance(25_000);
	expect(Math.min(...gaps(asked()))).toBeGreaterThan(0.29);
});

test('Stop takes no time while another run has asked the history', async () => {
	const history = () => clock.sleep(30_000);
	const ends = { a: 600, b: 600 };
	const { waitFor, open, asked } = watchedJobs(clock, { ends, history });
	const user = new AbortController();
	void waitFor('a');
	const b = waitFor('b', { signal: user.signal }, undefined, open());
	await clock.advance(1100);
	expect(asked()).toHaveLength(1);
	user.abort();
	expect(await clock.run(b)).toMatchObject({ end: { kind: 'stopped' }, at: 1.1 });
});

test('a Retry-After beyond 5 minutes does not put off a job for longer than those', async () => {
	let isFirst = true;
	const status = (state: string) => {
		if (isFirst) {
			isFirst = false;
			throw fault('refused', 429).with({ retryAfterMs: 86_400_000 });
		}
		return { status: state };
	};
	const { waitFor } = watchedJobs(clock, { ends: { a: 30 }, status });
	const { at } = await clock.run(waitFor('a', { timeoutMs: 3_600_000 }));
	expect(at).toBeLessThan(302);
});

test('an item whose creation was refused is not created once another item has failed', async () => {
	const stopCreating = new AbortController();
	const beforeCreation = (attempt: number) => {
		if (attempt === 1) throw fault('refused', 429).with({ retryAfterMs: 20_000 });
	};
	const account = jobAccount(clock, { beforeCreation });
	const run = account.open({ stopCreating: stopCreating.signal });
	const job = run.job(10);
	await clock.advance(5000);
	stopCreating.abort();
	await clock.run(job);
	expect(account.made).toEqual([]);
});

test('a job counts from its creation, not from when the creation was queued', async () => {
	const account = jobAccount(clock);
	await refuseRead(account.limits, 40_000);
	const { result } = await clock.run(account.open().job(20));
	expect(account.made[0]!.createdAt).toBeGreaterThan(39);
	expect((result as { snapshot: { waitedMs: number } }).snapshot.waitedMs).toBeLessThan(30_000);
});

test('a job made while the history answers is looked at with the others later', async () => {
	let createdAt = Infinity;
	const history = (states: Record<string, string>) => {
		// What there was when it was asked, 50 ms ago.
		const { c, ...others } = states;
		return listed(clock.now() - 50 < createdAt ? others : { ...others, c: c! });
	};
	const { waitFor, read, asked } = watchedJobs(clock, { ends: { a: 29, b: 29, c: 29 }, history });
	void Promise.all([waitFor('a'), waitFor('b')]);
	await clock.advance(1000);
	const before = asked().length;
	while (asked().length === before) await clock.advance(1);
	await clock.advance(10);
	createdAt = clock.now();
	void waitFor('c');
	await clock.advance(25_000);
	const later = createdAt / 1000 + 1;
	expect(read('c').filter((at) => at > later)).toEqual([]);
});

test('a history that answers nothing but 500 is given up', async () => {
	const history = () => {
		throw fault('unknown', 500);
	};
	const { waitFor, asked } = watchedJobs(clock, { ends: { a: 600, b: 600 }, history });
	void Promise.all([waitFor('a'), waitFor('b')]);
	await clock.advance(120_000);
	expect(asked().length).toBeLessThan(10);
});

test('a history that was right all the time is not given up, since jobs were early', async () => {
	const typical = { fromMs: 30_000, toMs: 45_000 };
	const ids = Array.from({ length: 10 }, (_, index) => `j${index}`);
	const ends = Object.fromEntries(ids.map((id, index) => [id, index < 5 ? 25 : 31 + 43]));
	const { waitFor, asked } = watchedJobs(clock, { ends });
	await clock.run(Promise.all(ids.slice(0, 5).map((id) => waitFor(id, { typical }))));
	const from = clock.now() / 1000;
	await clock.run(Promise.all(ids.slice(5).map((id) => waitFor(id, { typical }))));
	expect(asked().filter((at) => at > from).length).toBeGreaterThan(0);
});

test('the history is waited for as long as it is in the queue, not only 3 s', async () => {
	const ends = { a: 60, b: 60, c: 60, d: 60, e: 60 };
	const { waitFor, limits, read } = watchedJobs(clock, { ends });
	await refuseRead(limits, 10_000);
	const all = Object.keys(ends).map((id) => waitFor(id));
	await clock.run(Promise.all(all));
	const looks = Object.keys(ends).flatMap((id) => read(id).filter((at) => at > 1 && at < 29));
	expect(looks).toEqual([]);
});

test.each([
	[12, 100],
	[15, 100],
])('jobs of %i s are started within 15 % of the fastest schedule', async (seconds, count) => {
	const account = jobAccount(clock);
	const run = account.open();
	const all = Array.from({ length: count }, (_, itemIndex) => run.job(seconds, { itemIndex }));
	await clock.run(Promise.all(all));
	expect(account.made.at(-1)!.endsAt / ((count / 5) * seconds)).toBeLessThan(1.15);
});

test('the items of a run do not pile up listeners where n8n gives no signal', async () => {
	const account = jobAccount(clock);
	const stopCreating = new AbortController();
	const added = jest.spyOn(stopCreating.signal, 'addEventListener');
	const run = account.open({ signal: undefined, stopCreating: stopCreating.signal });
	for (let itemIndex = 0; itemIndex < 100; itemIndex++) void run.job(10, { itemIndex });
	await clock.advance(0);
	expect(added.mock.calls.length).toBeLessThanOrEqual(10);
});
