/** Section "Limits" and the client behaviour of "States and transitions". */

/** How many requests one account may send in any window of `windowMs` ms. */
export interface RequestLimit {
	requests: number;
	windowMs: number;
}

/** Kinds of account, and what each may send; the first applies unless the credential says otherwise. */
export const ACCOUNT_KINDS = [
	{
		value: 'authenticated',
		label: 'Authenticated',
		requests: 100,
		windowMs: 60_000,
		words: '100 requests a minute',
	},
	{ value: 'demo', label: 'Demo', requests: 10, windowMs: 3_600_000, words: '10 requests an hour' },
] as const satisfies ReadonlyArray<RequestLimit & { value: string; label: string; words: string }>;

/** The credential's property for the kind of account. */
export const ACCOUNT_SETTING = { name: 'accountKind', label: 'Account' } as const;

/** The longest window of any account, ms. */
export const LONGEST_WINDOW_MS = Math.max(...ACCOUNT_KINDS.map(({ windowMs }) => windowMs));

/** The limit of an authenticated account. */
export const { requests: REQUESTS_PER_WINDOW, windowMs: REQUEST_WINDOW_MS } = ACCOUNT_KINDS[0];

/** Generations of one account that may run at the same time. */
export const CONCURRENT_GENERATIONS = 5;

/** Seconds between two polls in the document's own loop. */
export const SHOWN_POLL_SECONDS = 10;
