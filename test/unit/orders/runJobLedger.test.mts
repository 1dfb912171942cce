import type { IDataObject } from 'n8n-workflow';

import { fault } from '../../support/fakeService.mts';
import { jobAccount } from '../../support/jobAccount.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

let clock: VirtualClock;
/** The node's own part of the execution data. */
let context: IDataObject;

beforeEach(() => {
	clock = new VirtualClock();
	context = {};
});

/** The same execution again (*Retry On Fail*), or another one of it (*Retry execution*). */
const AGAIN = { executionId: 'first', isRetry: false };
const BY_PERSON = { executionId: 'second', isRetry: true };

/** All that must not repeat what may have been paid for. */
const NOT_BY_PERSON = [
	['Retry On Fail', AGAIN],
	['Retry On Fail within Retry execution', { executionId: 'first', isRetry: true }],
	['another execution that is no retry', { executionId: 'second', isRetry: false }],
] as const;

const done = { snapshot: { state: 'completed' } };

test('a job is in the ledger before it is looked at', async () => {
	const known: unknown[] = [];
	const account = jobAccount(clock, { onRead: () => known.push(run.entry(10)) });
	const run = account.open({ context });
	await clock.run(run.job(10));
	expect(known[0]).toMatchObject({ job: { id: 'g0' }, executionId: 'first' });
});

test('and says how it has ended', async () => {
	const end = ({ prompt }: { prompt: string }) => (prompt === '10' ? 'completed' : 'failed');
	const run = jobAccount(clock, { end }).open({ context });
	await clock.run(Promise.all([run.job(10), run.job(11, { itemIndex: 1 })]));
	expect(run.entry(10)).toMatchObject({ job: { id: 'g0' }, ended: 'completed' });
	expect(run.entry(11, 1)).toMatchObject({ job: { id: 'g1' }, ended: 'failed' });
});

test('but for a job that was given up while it was running', async () => {
	const run = jobAccount(clock).open({ context });
	const { result } = await clock.run(run.job(100, { timeoutMs: 20_000 }));
	expect(result).toMatchObject({ kind: 'timeout' });
	expect(run.entry(100)).toMatchObject({ job: { id: 'g0' }, executionId: 'first' });
	expect(run.entry(100)).not.toHaveProperty('ended');
});

test.each([...NOT_BY_PERSON, ['Retry execution', BY_PERSON] as const])(
	'%s waits for a job that was paid for, and does not create it again',
	async (_, more) => {
		const account = jobAccount(clock);
		await clock.run(account.open({ context }).job(100, { timeoutMs: 20_000 }));
		const run = account.open({ context, ...more });
		expect((await clock.run(run.job(100))).result).toMatchObject({ job: { id: 'g0' }, ...done });
		expect(account.tries()).toHaveLength(1);
	},
);

test('a job that has completed is read again, and not created', async () => {
	const account = jobAccount(clock);
	await clock.run(account.open({ context }).job(10));
	await clock.advance(60_000);
	const before = account.read('g0').length;
	const { result } = await clock.run(account.open({ context, ...BY_PERSON }).job(10));
	expect(result).toMatchObject({ job: { id: 'g0' }, ...done });
	expect(account.read('g0')).toHaveLength(before + 1);
	expect(account.tries()).toHaveLength(1);
});

test('what is missing is created', async () => {
	const account = jobAccount(clock);
	await clock.run(account.open({ context }).job(10, { itemIndex: 0 }));
	const run = account.open({ context, ...AGAIN });
	await clock.run(Promise.all([run.job(10, { itemIndex: 0 }), run.job(10, { itemIndex: 1 })]));
	expect(account.made).toHaveLength(2);
});

describe('a job that failed', () => {
	test.each(NOT_BY_PERSON)('is told again by %s, not paid for again', async (_, more) => {
		const account = jobAccount(clock, { end: () => 'failed' });
		await clock.run(account.open({ context }).job(10));
		const { result } = await clock.run(account.open({ context, ...more }).job(10));
		expect(result).toMatchObject({ kind: 'failed', job: { id: 'g0' } });
		expect(account.tries()).toHaveLength(1);
	});

	test('is created again by Retry execution, once', async () => {
		const account = jobAccount(clock, { end: ({ id }) => (id === 'g2' ? 'completed' : 'failed') });
		await clock.run(account.open({ context }).job(10));
		const retried = await clock.run(account.open({ context, ...BY_PERSON }).job(10));
		expect(retried.result).toMatchObject({ kind: 'failed', job: { id: 'g1' } });
		await clock.run(account.open({ context, ...BY_PERSON }).job(10));
		expect(account.made).toHaveLength(2);
		const third = { executionId: 'third', isRetry: true };
		const { result } = await clock.run(account.open({ context, ...third }).job(10));
		expect(result).toMatchObject({ job: { id: 'g2' }, ...done });
	});
});

describe('a creation in doubt', () => {
	const doubtful = () => {
		const beforeCreation = (attempt: number) => {
			if (attempt === 1) throw fault('unknown', 500);
		};
		return jobAccount(clock, { beforeCreation });
	};

	test.each(NOT_BY_PERSON)('is not sent again by %s', async (_, more) => {
		const account = doubtful();
		await clock.run(account.open({ context }).job(10));
		const { result, at } = await clock.run(account.open({ context, ...more }).job(10));
		expect(result).toMatchObject({
			outcome: 'unknown',
			message: 'Not sent again, since the first try may have been paid for: fault 500',
		});
		expect(at).toBeCloseTo(0, 0);
		expect(account.tries()).toHaveLength(1);
	});

	test('is sent again by Retry execution', async () => {
		const account = doubtful();
		await clock.run(account.open({ context }).job(10));
		const run = account.open({ context, ...BY_PERSON });
		expect((await clock.run(run.job(10))).result).toMatchObject(done);
		expect(run.entry(10)).toMatchObject({ executionId: 'second', ended: 'completed' });
		expect(run.entry(10)).not.toHaveProperty('unknownOutcome');
	});
});

describe('the places of jobs that are found', () => {
	/** Five jobs of 100 s, found by another run after 10 s. */
	const five = async (account: ReturnType<typeof jobAccount>, seconds: number) => {
		const first = account.open({ context });
		const all = [0, 1, 2, 3, 4].map((itemIndex) =>
			first.job(seconds, { itemIndex, timeoutMs: 20_000 }),
		);
		await clock.run(Promise.all(all));
		const again = account.open({ context, ...AGAIN });
		return [0, 1, 2, 3, 4].map((itemIndex) => again.job(seconds, { itemIndex }));
	};

	test('are taken while they run', async () => {
		const account = jobAccount(clock);
		const found = await five(account, 100);
		const { result } = await clock.run(account.open().job(10));
		expect(result).toMatchObject(done);
		expect(account.counts.refused).toBe(0);
		expect(account.made[5]!.createdAt).toBeGreaterThan(100);
		await clock.run(Promise.all(found));
	});

	test('are free where they have ended', async () => {
		const account = jobAccount(clock);
		const found = await five(account, 10);
		const now = clock.now();
		const other = account.open().job(10);
		await clock.advance(0);
		expect(account.tries()).toHaveLength(6);
		expect(clock.now()).toBe(now);
		await clock.run(Promise.all([...found, other]));
	});
});
