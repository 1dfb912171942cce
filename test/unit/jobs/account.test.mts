import { accountOf } from '../../../nodes/shared/jobs/account.ts';
import { jobAccount } from '../../support/jobAccount.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

test('all runs of an account share what belongs to it, and accounts nothing', () => {
	const clock = new VirtualClock();
	const [one, again, other] = ['one', 'one', 'other'].map((id) => accountOf(id, clock));
	for (const part of ['limiter', 'historyPoller', 'durations'] as const) {
		expect(again![part]).toBe(one![part]);
		expect(other![part]).not.toBe(one![part]);
	}
});

test('its rate limiter knows what the jobs that wait and run will need', async () => {
	const clock = new VirtualClock();
	const { limiter, durations } = accountOf('forecast', clock);
	durations.note('image', 10_000);
	expect(limiter.forecast.requests).toBe(0);
	for (let count = 0; count < 100; count++) void limiter.acquire({}, 5);
	// Within a minute 30 jobs of 10 s: their creations and ends, and the end of the first, after which
	// it is looked who else uses the account.
	expect(limiter.forecast.requests).toBe(30 + 30 + 1);
});

test.each([
	[15, 100],
	[20, 100],
	[30, 40],
])(
	'looks at jobs of %i s leave the requests that are needed to start the next',
	async (seconds, count) => {
		const clock = new VirtualClock();
		const account = jobAccount(clock);
		const run = account.open();
		const all = Array.from({ length: count }, (_, itemIndex) => run.job(seconds, { itemIndex }));
		await clock.run(Promise.all(all));
		// Rounds of five.
		const bound = (count / 5) * seconds;
		expect(account.made.at(-1)!.endsAt / bound).toBeLessThan(1.1);
		expect(account.counts.refused).toBe(0);
	},
);
