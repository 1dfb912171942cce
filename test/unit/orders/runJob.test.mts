import { NotStarted } from '../../../nodes/shared/orders/batch.ts';
import type { JobSpec } from '../../../nodes/shared/orders/jobContext.ts';
import { GENERATE_IMAGE_UNIFIED } from '../../../nodes/shared/spec/images.ts';
import { jobAccount } from '../../support/jobAccount.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

let clock: VirtualClock;

beforeEach(() => {
	clock = new VirtualClock();
});

type Run = ReturnType<ReturnType<typeof jobAccount>['open']>;

const jobs = (run: Run, count: number, seconds: number, jobSpec: Partial<JobSpec> = {}) =>
	Array.from({ length: count }, (_, itemIndex) => run.job(seconds, { itemIndex, ...jobSpec }));

const createdAt = ({ made }: ReturnType<typeof jobAccount>) => made.map((job) => job.createdAt);

test('5 jobs run at once, the next is created when one ends, and the service refuses none', async () => {
	const account = jobAccount(clock);
	const all = jobs(account.open(), 20, 30);
	await clock.run(Promise.all(all));
	expect(account.counts.refused).toBe(0);
	expect(createdAt(account).filter((at) => at < 1)).toHaveLength(5);
	// After three rounds, each seen to end an eighth late at most.
	expect(createdAt(account).at(-1)).toBeLessThan(3 * (30 * (9 / 8) + 1));
});

test('no more run than the order allows', async () => {
	const account = jobAccount(clock);
	const all = jobs(account.open(), 4, 20, { maxRunning: 2 });
	await clock.advance(10_000);
	expect(account.made).toHaveLength(2);
	await clock.run(Promise.all(all));
});

test('an image of another run does not wait for a batch', async () => {
	const account = jobAccount(clock);
	void jobs(account.open(), 500, 20);
	await clock.advance(5000);
	const { at } = await clock.run(account.open().job(20));
	expect(at).toBeLessThan(20 + 20 + 5);
});

test('what waits for a place is not started any more once the run does not want it', async () => {
	const account = jobAccount(clock);
	const stopCreating = new AbortController();
	const run = account.open({ stopCreating: stopCreating.signal });
	const all = jobs(run, 7, 20);
	await clock.advance(5000);
	stopCreating.abort();
	const results = (await clock.run(Promise.all(all))).map(({ result }) => result);
	expect(results.slice(5)).toEqual([expect.any(NotStarted), expect.any(NotStarted)]);
	expect(account.tries()).toHaveLength(5);
	// Their places are free again.
	void jobs(account.open(), 5, 20);
	await clock.advance(1000);
	expect(account.tries()).toHaveLength(10);
});

test('ends that the user wants as items are no errors', async () => {
	const run = jobAccount(clock, { end: () => 'failed' }).open();
	const failuresAreItems = true;
	const [onItemFailed, late] = await clock.run(
		Promise.all([
			run.job(10, { failuresAreItems }),
			run.job(90, { failuresAreItems, timeoutMs: 20_000 }),
		]),
	);
	expect(onItemFailed!.result).toMatchObject({ job: { id: 'g0' }, snapshot: { state: 'failed' } });
	expect(late!.result).toMatchObject({ snapshot: { state: 'processing', timedOut: true } });
});

test('a job whose status nobody knows how to read is given out with the reason', async () => {
	const account = jobAccount(clock, { creation: () => ({ task_id: 't', status: 'queued' }) });
	const run = account.open();
	const operation = GENERATE_IMAGE_UNIFIED;
	const { result, at } = await clock.run(run.job(0, { operation }));
	expect(result).toMatchObject({ job: { id: 't' }, snapshot: { notWaited: expect.any(String) } });
	expect(at).toBeLessThan(10);
	// Nor does it keep its place.
	void jobs(account.open(), 5, 20);
	await clock.advance(1000);
	expect(account.made).toHaveLength(6);
	expect(run.order()).toMatchObject({ outcome: { job: { id: 't' } } });
});

describe('jobs that nobody waits for', () => {
	const wait = false;

	test('are given out as created, without a look', async () => {
		const account = jobAccount(clock);
		const { result, at } = await clock.run(account.open().job(30, { wait }));
		expect(result).toMatchObject({
			job: { id: 'g0' },
			snapshot: { state: 'processing', waitedMs: 0 },
		});
		expect(at).toBeLessThan(10);
		await clock.advance(60_000);
		expect(account.read('g0')).toEqual([]);
	});

	test('hold their places as long as others need one, so that the service refuses none', async () => {
		const account = jobAccount(clock);
		await clock.run(Promise.all(jobs(account.open(), 15, 20, { wait })));
		expect(account.made).toHaveLength(15);
		expect(account.counts.refused).toBe(0);
		expect(createdAt(account).at(-1)).toBeLessThan(1.2 * 40);
	});

	test('until they have ended, whoever has made them', async () => {
		const account = jobAccount(clock);
		const run = account.open();
		const lasting = [10, 100, 100, 100, 100, 10];
		await clock.run(
			Promise.all(lasting.map((seconds, itemIndex) => run.job(seconds, { itemIndex, wait }))),
		);
		const others = Promise.all(jobs(account.open(), 5, 20));
		await clock.advance(0);
		expect(account.tries()).toHaveLength(6);
		await clock.advance(13_000);
		expect(account.tries()).toHaveLength(6 + 1);
		await clock.run(others);
		expect(account.made).toHaveLength(6 + 5);
	});
});
