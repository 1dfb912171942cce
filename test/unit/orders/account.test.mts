import { accountOf } from '../../../nodes/shared/orders/account.ts';
import { jobAccount } from '../../support/jobAccount.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

test('all runs of an account share what belongs to it, and accounts nothing', () => {
	const clock = new VirtualClock();
	const [one, again, other] = ['one', 'one', 'other'].map((id) => accountOf(id, clock));
	for (const part of ['loop', 'historyReader', 'historyTrust', 'detached', 'claims'] as const) {
		expect(again![part]).toBe(one![part]);
		expect(other![part]).not.toBe(one![part]);
	}
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
