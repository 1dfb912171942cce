import { ServiceError, type Outcome } from '../../../nodes/shared/service/serviceError.ts';
import { fault } from '../../support/fakeService.mts';
import { jobAccount } from '../../support/jobAccount.mts';
import { refuseRead } from '../../support/refuseRead.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

let clock: VirtualClock;

beforeEach(() => {
	clock = new VirtualClock();
});

/** The first tries meet these faults; `undefined` is a success. */
const meeting = (...faults: Array<ServiceError | undefined>) => {
	const beforeCreation = (attempt: number) => {
		const met = faults[Math.min(attempt, faults.length) - 1];
		if (met) throw met;
	};
	return jobAccount(clock, { beforeCreation, latencyMs: 0 });
};

const tooMany = (retryAfterMs?: number) => fault('refused', 429).with({ retryAfterMs });

const done = { snapshot: { state: 'completed' } };

describe('a 429 to a creation', () => {
	test('is waited out', async () => {
		const account = meeting(tooMany(), tooMany(), tooMany(), tooMany(), undefined);
		const { result } = await clock.run(account.open().job(10));
		expect(result).toMatchObject(done);
		expect(account.tries()).toHaveLength(5);
		expect(account.made).toHaveLength(1);
	});

	test('is waited out as long as it asks', async () => {
		const account = meeting(tooMany(20_000), undefined);
		expect((await clock.run(account.open().job(10))).result).toMatchObject(done);
		expect(account.tries()).toEqual([0, 20]);
	});

	test('does not let the next items of the run overtake', async () => {
		const account = meeting(tooMany(), undefined);
		const run = account.open();
		const jobs = [4, 5, 6].map((prompt, itemIndex) => {
			return run.job(prompt, { itemIndex, maxRunning: 1 });
		});
		await clock.run(Promise.all(jobs));
		expect(account.made.map(({ prompt }) => prompt)).toEqual(['4', '5', '6']);
	});

	test('fails the item only after an hour, and is no doubt', async () => {
		const account = meeting(tooMany());
		const run = account.open();
		const { result, at } = await clock.run(run.job(10, { timeoutMs: 300_000 }));
		expect(result).toMatchObject({ status: 429 });
		expect(at).toBeGreaterThanOrEqual(3600);
		expect(at).toBeLessThanOrEqual(3630);
		expect(account.tries().at(-1)).toBe(at);
		expect(run.order()).toBeUndefined();
	});

	test('fails it at once when it asks for an hour', async () => {
		const account = meeting(tooMany(3_600_000));
		const { result, at } = await clock.run(account.open().job(10, { timeoutMs: 60_000 }));
		expect(result).toMatchObject({ status: 429, retryAfterMs: 3_600_000 });
		expect(at).toBe(0);
	});

	test('time counts from the item’s turn, not from the begin of the run', async () => {
		const account = meeting();
		const run = account.open();
		const all = Array.from({ length: 30 }, (_, itemIndex) =>
			run.job(50, { itemIndex, timeoutMs: 60_000 }),
		);
		for (const { result } of await clock.run(Promise.all(all))) expect(result).toMatchObject(done);
	});

	test('by others who fill the account is waited out by all items of a batch', async () => {
		let others = 5;
		const beforeCreation = () => {
			if (others + account.made.length >= 5 && others > 0) throw tooMany();
		};
		const account = jobAccount(clock, { beforeCreation });
		void clock.sleep(120_000).then(() => (others = 0));
		const run = account.open();
		const all = Array.from({ length: 10 }, (_, itemIndex) => run.job(10, { itemIndex }));
		for (const { result } of await clock.run(Promise.all(all))) expect(result).toMatchObject(done);
		expect(account.made).toHaveLength(10);
		expect(account.made[0]!.createdAt).toBeLessThan(120 + 17);
	});
});

test.each([408, 409, 500, 501, 502, 503, 504, 507, 520, 522, 524, 599])(
	'a creation answered with %i may have been paid for, and is never sent again',
	async (status) => {
		const account = meeting(fault('unknown', status), undefined);
		const run = account.open();
		const { result } = await clock.run(run.job(10));
		expect(result).toMatchObject({ outcome: 'unknown', status });
		expect(account.tries()).toEqual([0]);
	},
);

describe('a connection that was never made', () => {
	const lost = fault('unreachable');

	test('is tried 3 times in all', async () => {
		const account = meeting(lost);
		const run = account.open();
		const { result } = await clock.run(run.job(10));
		expect(result).toBe(lost);
		expect(account.tries()).toEqual([0, 1, 3]);
		expect(run.order()).toBeUndefined();
	});

	test('is not tried again after Stop, which takes no time', async () => {
		const account = meeting(lost);
		const user = new AbortController();
		const job = account.open({ signal: user.signal }).job(10);
		await clock.advance(1100);
		user.abort();
		expect(await job).toEqual({ result: lost, at: 1.1 });
		await clock.advance(10_000);
		expect(account.tries()).toEqual([0, 1]);
	});

	test('and makes the job once it is there', async () => {
		const account = meeting(lost, lost, undefined);
		expect((await clock.run(account.open().job(10))).result).toMatchObject(done);
		expect(account.made).toHaveLength(1);
	});
});

const DOUBTFUL: Array<[string, ServiceError]> = [
	['a 500', fault('unknown', 500)],
	['a 503', fault('unknown', 503)],
	['a time-out or a reset', fault('unknown')],
];

const doubt = (why: string) => ({ state: 'unknown', why });

describe.each(DOUBTFUL)('%s', (_, met) => {
	test('is never sent again, and remembered as doubt', async () => {
		const account = meeting(met, undefined);
		const run = account.open();
		const { result } = await clock.run(run.job(10));
		expect(result).toMatchObject({ outcome: 'unknown', message: met.message });
		expect(account.tries()).toEqual([0]);
		expect(run.order()).toMatchObject({ outcome: doubt(met.message), execution: '1' });
		expect(run.order()?.outcome).not.toHaveProperty('job');
	});

	test('is doubt after a 429, too', async () => {
		const account = meeting(tooMany(), met, undefined);
		const run = account.open();
		await clock.run(run.job(10));
		expect(account.tries()).toHaveLength(2);
		expect(run.order()?.outcome).toMatchObject(doubt(met.message));
	});
});

test('an answer without an identifier is doubt: the job was made', async () => {
	const account = jobAccount(clock, { creation: () => ({ success: true }) });
	const run = account.open();
	const { result } = await clock.run(run.job(10));
	expect(result).toMatchObject({ outcome: 'unknown' });
	expect(account.made).toHaveLength(1);
	expect(run.order()?.outcome).toMatchObject(doubt((result as Error).message));
});

test('a doubt knows the prompt, and when it was sent, not when it was queued', async () => {
	const account = meeting(fault('unknown', 500));
	await refuseRead(account.limits, 40_000);
	const startedAt = clock.now();
	const run = account.open();
	await clock.run(run.job(10));
	expect(run.order()).toMatchObject({ sentAt: startedAt + 40_000, started: { prompt: '10' } });
});

test.each([undefined, 201, 500])(
	'of an answer with status %p, the status is kept with it',
	async (status) => {
		const account = meeting(fault('unknown', status).with({ answer: '{"ticket":1}' }));
		const run = account.open();
		await clock.run(run.job(10));
		const accepted = { answer: '{"ticket":1}', status };
		expect(run.order()?.outcome).toMatchObject({
			...doubt('fault ' + (status ?? 'unknown')),
			...accepted,
		});
	},
);

test.each<[Outcome, number | undefined]>([
	['refused', 400],
	['refused', 402],
	['refused', 403],
	['notSent', undefined],
])('%s %p ends the item at once, and is no doubt', async (outcome, status) => {
	const account = meeting(fault(outcome, status), undefined);
	const run = account.open();
	expect((await clock.run(run.job(10))).result).toMatchObject({ outcome, status });
	expect(account.tries()).toEqual([0]);
	expect(run.order()).toBeUndefined();
});

test.each([...DOUBTFUL, ['a 402', fault('refused', 402)], ['no connection', fault('unreachable')]])(
	'%s gives the place back',
	async (_, met) => {
		let isBroken = true;
		const beforeCreation = () => {
			if (isBroken) throw met;
		};
		const account = jobAccount(clock, { beforeCreation });
		await clock.run(account.open().job(10));
		isBroken = false;
		const run = account.open();
		for (const itemIndex of [1, 2, 3, 4, 5]) void run.job(10, { itemIndex });
		await clock.advance(1000);
		expect(account.made).toHaveLength(5);
	},
);
