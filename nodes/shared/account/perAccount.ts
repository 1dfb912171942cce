import { createHash } from 'crypto';

import type { Clock } from '../clock/clock';

/**
 * Names an account without revealing its key: limits belong to an account, not to a node or an
 * execution (docs/maintainers/rules.md).
 */
export function accountId(baseUrl: string, key: string): string {
	// The same address may be written in several ways.
	const { href } = new URL(baseUrl);
	return createHash('sha256').update(`${href}\n${key}`).digest('hex');
}

/** Gives each account one object, shared by all executions of the process. */
export function perAccount<T>(
	make: (clock: Clock, account: string) => T,
): (account: string, clock: Clock) => T {
	const known = new Map<string, T>();
	return (account, clock) => {
		const own = known.get(account) ?? make(clock, account);
		known.set(account, own);
		return own;
	};
}
