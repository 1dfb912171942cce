/** Section "Limits". */

/** A kind of account, and how many requests it may send in any window of `windowMs` ms. */
export interface AccountKind {
	value: string;
	label: string;
	words: string;
	requests: number;
	windowMs: number;
}

export const AUTHENTICATED: AccountKind = {
	value: 'authenticated',
	label: 'Authenticated',
	words: '100 requests a minute',
	requests: 100,
	windowMs: 60_000,
};

export const DEMO: AccountKind = {
	value: 'demo',
	label: 'Demo',
	words: '10 requests an hour',
	requests: 10,
	windowMs: 3_600_000,
};

/** The first applies unless the credential says otherwise. */
export const ACCOUNT_KINDS = [AUTHENTICATED, DEMO];

/** Generations of one account that may run at the same time. */
export const CONCURRENT_GENERATIONS = 5;
