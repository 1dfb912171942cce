import v8 from 'node:v8';
import vm from 'node:vm';

import { accountId, perAccount, seeAccount } from '../../../nodes/shared/account/perAccount.ts';
import { VirtualClock } from '../../support/virtualClock.mts';

test('an account is a key at an address, and its name does not tell the key', () => {
	const id = accountId('https://service.example', 'secret');
	expect(id).toBe(accountId('https://service.example', 'secret'));
	expect(id).not.toBe(accountId('https://service.example', 'other'));
	expect(id).not.toBe(accountId('https://other.example', 'secret'));
	expect(id).not.toContain('secret');
});

test('each account has one, and keeps it', () => {
	const clock = new VirtualClock();
	const own = perAccount(() => ({}));
	expect(own('a', clock)).toBe(own('a', new VirtualClock()));
	expect(own('a', clock)).not.toBe(own('b', clock));
});

describe('of many accounts', () => {
	const HOUR_MS = 3_600_000;

	/** So many others are at work, one after another. */
	const others = (clock: VirtualClock, own: (account: string, clock: VirtualClock) => object) => {
		for (let number = 0; number < 100; number++) own(`other ${number}`, clock);
	};

	/** What nobody holds is gone. */
	async function collectGarbage() {
		v8.setFlagsFromString('--expose-gc');
		const gc = vm.runInNewContext('gc') as () => void;
		// A WeakRef that was just made or read keeps its object until the next turn.
		await new Promise((resolve) => setImmediate(resolve));
		gc();
	}

	function counted() {
		const made = { count: 0 };
		const own = perAccount(() => ({ number: ++made.count }));
		return { made, own };
	}

	test('one that nobody has used for long is let go', async () => {
		const clock = new VirtualClock();
		const { made, own } = counted();
		own('rests', clock);
		await clock.advance(3 * HOUR_MS);
		others(clock, own);
		await collectGarbage();
		expect(own('rests', clock)).toEqual({ number: made.count });
		expect(made.count).toBe(102);
	});

	test('one that was used within two hours stays: its limits may remember', async () => {
		const clock = new VirtualClock();
		const { made, own } = counted();
		own('works', clock);
		await clock.advance(2 * HOUR_MS);
		others(clock, own);
		await collectGarbage();
		expect(own('works', clock)).toEqual({ number: 1 });
		expect(made.count).toBe(101);
	});

	test('the hundred that were seen last stay, however long they have rested', async () => {
		const clock = new VirtualClock();
		const { own } = counted();
		own('rests', clock);
		await clock.advance(10_000 * HOUR_MS);
		own('another', clock);
		await collectGarbage();
		expect(own('rests', clock)).toEqual({ number: 1 });
	});

	test('what a run still holds is found again, so that an account never has two', async () => {
		const clock = new VirtualClock();
		const { own } = counted();
		const held = own('held', clock);
		await clock.advance(3 * HOUR_MS);
		others(clock, own);
		await collectGarbage();
		await clock.advance(3 * HOUR_MS);
		own('one more', clock);
		await collectGarbage();
		expect(own('held', clock)).toBe(held);
	});

	test('one that sends requests is at work', async () => {
		const clock = new VirtualClock();
		const { own } = counted();
		own('sends', clock);
		for (let hours = 0; hours < 4; hours++) {
			await clock.advance(HOUR_MS);
			seeAccount('sends', clock);
		}
		others(clock, own);
		await collectGarbage();
		expect(own('sends', clock)).toEqual({ number: 1 });
	});
});
