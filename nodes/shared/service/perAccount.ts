import { createHash } from 'crypto';

import type { Clock } from '../clock/clock';

/**
 * Names an account without telling its key: limits belong to an account, not to a node or an
 * execution (design: "Limits are the schedule").
 */
export function accountId(baseUrl: string, key: string): string {
	// The same address may be written in several ways.
	const { href } = new URL(baseUrl);
	return createHash('sha256').update(`${href}\n${key}`).digest('hex');
}

/** One of a kind for each account, shared by all executions of the process. */
export function perAccount<T>(make: (clock: Clock) => T): (account: string, clock: Clock) => T {
	const made = new Map<string, T>();
	return (account, clock) => {
		const own = made.get(account) ?? make(clock);
		made.set(account, own);
		return own;
	};
}
