import { createHash } from 'crypto';

import type { Clock } from '../clock/clock';
import { ACCOUNT_KINDS } from '../spec/limits';

/**
 * Names an account without telling its key: limits belong to an account, not to a node or an
 * execution (docs/maintainers/rules.md).
 */
export function accountId(baseUrl: string, key: string): string {
	// The same address may be written in several ways.
	const { href } = new URL(baseUrl);
	return createHash('sha256').update(`${href}\n${key}`).digest('hex');
}

/** Makes what is kept of an account. */
type Make<T extends object> = (clock: Clock, account: string) => T;

/** What is kept of one account, by what has made it. */
interface Known {
	/** elapsed ms. */
	seenAt: number;
	parts: Map<Make<object>, object>;
}

/** So many accounts are kept, however long ago they were seen. */
const MOST_AT_REST = 100;

/** After so long, ms, no limit remembers anything: two of the longest windows. */
const REST_MS = 2 * Math.max(...ACCOUNT_KINDS.map(({ windowMs }) => windowMs));

/** The accounts of this process, who was seen longest ago first. */
const known = new Map<string, Known>();

/**
 * Accounts that are not kept any more. A run may still hold what it has of one, and then that is found
 * again: an account that has two of a kind would keep no limit.
 */
const letGo = new Map<string, Map<Make<object>, WeakRef<object>>>();

/**
 * One of a kind for each account, shared by all executions of the process. Of many accounts, those that
 * have rested longest are let go.
 */
export function perAccount<T extends object>(make: Make<T>): (account: string, clock: Clock) => T {
	return (account, clock) => {
		const { parts } = seeAccount(account, clock);
		const own = (parts.get(make) as T | undefined) ?? make(clock, account);
		parts.set(make, own);
		return own;
	};
}

/** An account is at work. */
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
