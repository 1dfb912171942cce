import { accountId, perAccount } from '../../../nodes/shared/service/perAccount.ts';
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
