import type { Clock } from '../clock/clock';

/** The longest that one answer can make an account wait, whatever it says, ms. */
export const MAX_PAUSE_MS = 300_000;

/** The first pause of a backoff, ms; doubled with each failure in a row. */
export const FIRST_BACKOFF_MS = 1000;

/** The longest, ms: of an account, and of a single request where a person does not say. */
const LONGEST_PAUSE_MS = 30_000;
const LONGEST_BACKOFF_MS = 10_000;

/**
 * Exponential backoff.
 *
 * @param failures in a row before the one that is waited for now
 */
export function backoffMs(failures: number, longestMs = LONGEST_BACKOFF_MS): number {
	return Math.min(FIRST_BACKOFF_MS * 2 ** failures, longestMs);
}

/** The pause of an account after a 429: as long as the service asks, or else a backoff. */
export class Pause {
	private endsAt = 0;

	private isGuess = false;

	/** Since the last success. */
	private refusals = 0;

	constructor(private readonly clock: Clock) {}

	/** When it is over, elapsed ms. */
	get until(): number {
		return this.endsAt;
	}

	get isOver(): boolean {
		return this.clock.elapsed() >= this.endsAt;
	}

	/**
	 * Of several 429s to requests that were under way together, the first counts for the backoff.
	 *
	 * @param backoff.leastMs how long one lasts at least
	 * @param backoff.mostMs and at most
	 */
	extend(retryAfterMs?: number, { leastMs = 0, mostMs = Infinity } = {}): void {
		const isFirst = this.isOver;
		if (!isFirst && retryAfterMs === undefined) return;
		const backoff = Math.max(leastMs, backoffMs(this.refusals, LONGEST_PAUSE_MS));
		const ms = retryAfterMs ?? Math.min(backoff, mostMs);
		if (isFirst) this.refusals += 1;
		this.endsAt = Math.max(this.endsAt, this.clock.elapsed() + Math.min(ms, MAX_PAUSE_MS));
		this.isGuess = retryAfterMs === undefined;
	}

	/** The service has taken a request. */
	succeeded(): void {
		this.refusals = 0;
	}

	/** @param ms that have gone by and are not in the elapsed time */
	advance(ms: number): void {
		this.endsAt -= ms;
	}

	/** Ends a pause whose length the service did not tell. */
	endGuess(): void {
		if (this.isGuess) this.endsAt = 0;
	}
}
