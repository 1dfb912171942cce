import { createHash } from 'crypto';

import type { Clock } from '../clock/clock';
import { ACCOUNT_KINDS } from '../spec/limits';

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

/** After this time, in ms, no limit remembers anything: two of the longest windows. */
const REST_MS = 2 * Math.max(...ACCOUNT_KINDS.map(({ windowMs }) => windowMs));

/** The accounts of this process, the least recently used first. */
const known = new Map<string, Known>();

/**
 * Accounts that are not kept any more. What a run still holds of one is used again when the account is:
 * with two loops, say, an account would not keep its limits.
 */
const letGo = new Map<string, Map<Make<object>, WeakRef<object>>>();

/**
 * Gives each account one object, shared by all executions of the process. Of many accounts, the least
 * recently used are let go.
 */
export function perAccount<T extends object>(make: Make<T>): (account: string, clock: Clock) => T {
	return (account, clock) => {
		const { parts } = seeAccount(account, clock);
		const own = (parts.get(make) as T | undefined) ?? make(clock, account);
		parts.set(make, own);
		return own;
	};
}

/** Notes that an account is in use. */
export function seeAccount(account: string, clock: Clock): Known {
	const now = clock.elapsed();
	const own = known.get(account) ?? { seenAt: now, parts: foundAgain(account) };
	const isNew = !known.delete(account);
	known.set(account, own);
	own.seenAt = now;
	if (isNew) letGoOfOldest(now);
	return own;
}

function foundAgain(account: string): Known['parts'] {
	const held = [...(letGo.get(account) ?? [])].flatMap(([make, reference]) => {
		const part = reference.deref();
		return part ? [[make, part] as const] : [];
	});
	letGo.delete(account);
	return new Map(held);
}

function letGoOfOldest(now: number): void {
	for (const [account, references] of letGo) {
		const isHeld = [...references.values()].some((reference) => reference.deref());
		if (!isHeld) letGo.delete(account);
	}
	for (const [account, { seenAt, parts }] of known) {
		if (known.size <= MOST_AT_REST || now - seenAt <= REST_MS) return;
		known.delete(account);
		letGo.set(account, new Map([...parts].map(([make, part]) => [make, new WeakRef(part)])));
	}
}
