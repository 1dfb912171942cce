import type { Clock } from '../clock/clock';

/** The longest pause that one answer can cause, whatever it asks for, in ms. */
export const MAX_PAUSE_MS = 300_000;

/** The first pause of a backoff, in ms, unless the caller sets another; doubled with each failure in a row. */
const FIRST_BACKOFF_MS = 1000;

/** The longest, in ms: of an account, and of a single request unless the caller sets another. */
const LONGEST_PAUSE_MS = 30_000;
const LONGEST_BACKOFF_MS = 10_000;

/**
 * Exponential backoff, in ms.
 *
 * @param failures how many came in a row before the latest one
 */
export function backoffMs(
	failures: number,
	longestMs = LONGEST_BACKOFF_MS,
	firstMs = FIRST_BACKOFF_MS,
): number {
	return Math.min(firstMs * 2 ** failures, longestMs);
}

/** The pause of an account after a 429: as long as the service asks, or else a backoff. */
export class Pause {
	private endsAt = 0;

	private isGuess = false;

	/** 429s since the last success; of several to requests under way together, only the first. */
	private refusals = 0;

	/** @param firstMs the first pause of a backoff */
	constructor(
		private readonly clock: Clock,
		private readonly firstMs = FIRST_BACKOFF_MS,
	) {}

	/** When it is over, elapsed ms. */
	get until(): number {
		return this.endsAt;
	}

	get isOver(): boolean {
		return this.clock.elapsed() >= this.endsAt;
	}

	/**
	 * Notes a 429. Of several to requests that were under way together, only the first counts for the backoff.
	 *
	 * @param retryAfterMs how long the service asks to wait
	 * @param mostMs the longest that a backoff may be
	 */
	extend(retryAfterMs?: number, mostMs = Infinity): void {
		const isFirst = this.isOver;
		if (!isFirst && retryAfterMs === undefined) return;
		const backoff = backoffMs(this.refusals, LONGEST_PAUSE_MS, this.firstMs);
		const ms = retryAfterMs ?? Math.min(backoff, mostMs);
		if (isFirst) this.refusals += 1;
		this.endsAt = Math.max(this.endsAt, this.clock.elapsed() + Math.min(ms, MAX_PAUSE_MS));
		this.isGuess = retryAfterMs === undefined;
	}

	/** The service has taken a request. */
	succeeded(): void {
		this.refusals = 0;
	}

	/** @param ms that have passed but are missing from the elapsed time, since the machine slept */
	advance(ms: number): void {
		this.endsAt -= ms;
	}

	/** Ends a pause whose length the service did not set. */
	endGuess(): void {
		if (this.isGuess) this.endsAt = 0;
	}
}
