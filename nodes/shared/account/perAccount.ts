import { createHash } from 'crypto';

import type { Clock } from '../clock/clock';
import { LONGEST_WINDOW_MS } from '../spec/limits';

/**
 * Names an account without revealing its key: limits belong to an account, not to a node or an
 * execution (docs/maintainers/rules.md).
 */
export function accountId(baseUrl: string, key: string): string {
	// The same address may be written in several ways.
	const { href } = new URL(baseUrl);
	return createHash('sha256').update(`${href}\n${key}`).digest('hex');
}

/** Makes something that is kept for an account. */
type Make<T extends object> = (clock: Clock, account: string) => T;

/** What is kept for one account. */
interface Known {
	/** When the account was last used, elapsed ms. */
	seenAt: number;
	parts: Map<Make<object>, object>;
}

/** How many accounts are kept, however long ago they were used. */
const MOST_AT_REST = 100;

/** After this time, in ms, no limit remembers anything, and no run waits any more: two of the longest windows. */
const REST_MS = 2 * LONGEST_WINDOW_MS;

/** The accounts of this process, the least recently used first. */
const known = new Map<string, Known>();

/** Gives each account one object, shared by all executions of the process. */
export function perAccount<T extends object>(make: Make<T>): (account: string, clock: Clock) => T {
	return (account, clock) => {
		const { parts } = seeAccount(account, clock);
		const own = (parts.get(make) as T | undefined) ?? make(clock, account);
		parts.set(make, own);
		return own;
	};
}

/** Notes that an account is in use. Of many that are not, the least recently used are forgotten. */
export function seeAccount(account: string, clock: Clock): Known {
	const now = clock.elapsed();
	const own = known.get(account) ?? { seenAt: now, parts: new Map() };
	known.delete(account);
	known.set(account, own);
	own.seenAt = now;
	for (const [oldest, { seenAt }] of known) {
		if (known.size <= MOST_AT_REST || now - seenAt <= REST_MS) break;
		known.delete(oldest);
	}
	return own;
}
