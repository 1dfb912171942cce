import type { Clock } from '../clock/clock';

/** The longest pause that one answer can cause, whatever it asks for, in ms. */
export const MAX_PAUSE_MS = 300_000;

/**
 * Exponential backoff, in ms.
 *
 * @param failures how many came in a row before the latest one
 */
export const backoffMs = (failures: number, longestMs = 10_000, firstMs = 1000): number =>
	Math.min(firstMs * 2 ** failures, longestMs);

interface Refused {
	/** How many 429s came in a row before this one. */
	before: number;
	/** How long the service asks to wait. */
	retryAfterMs?: number;
	firstMs: number;
	longestMs: number;
}

/** The pause after a 429, in ms: as long as the service asks, or else a backoff, drawn between half and all of it. */
export function pauseMs(
	clock: Clock,
	{ before, retryAfterMs, firstMs, longestMs }: Refused,
): number {
	const jittered = backoffMs(before, longestMs, firstMs) * (0.5 + clock.random() / 2);
	return Math.min(retryAfterMs ?? jittered, MAX_PAUSE_MS);
}

/** The shortest pause that counts, in ms: the header is in seconds, so that less means none. */
const LEAST_MS = 1000;

/**
 * The header Retry-After, a number of seconds or a date, in ms. `undefined` where it names no pause that counts: then
 * the caller's backoff applies.
 *
 * @param now ms since 1970
 */
export function retryAfterIn(headers: unknown, now: number): number | undefined {
	const value: unknown = Object(headers)['retry-after'];
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	const seconds = Number(value);
	const ms = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000;
	return ms >= LEAST_MS && Number.isFinite(ms) ? ms : undefined;
}

/** When a job ends according to the service's documentation, ms from its creation. */
export interface Typical {
	fromMs: number;
	toMs: number;
}

/** The gap to the next poll is this part of the documented range, or else of the job's age. */
const PART = 1 / 6;

/** The shortest and the longest gap between two polls of a job, in ms; the document's own loop has the longest. */
const SHORTEST_GAP_MS = 1000;
const LONGEST_GAP_MS = 10_000;

/**
 * When to poll a job next, ms from its creation.
 *
 * @param polledMs when it was last polled, ms from its creation; 0 before the first time
 */
export function nextPollMs(polledMs: number, typical?: Typical): number {
	if (typical && polledMs < typical.fromMs) return typical.fromMs;
	const isInRange = typical && polledMs <= typical.toMs;
	const span = isInRange ? typical.toMs - typical.fromMs : polledMs;
	return polledMs + Math.min(Math.max(span * PART, SHORTEST_GAP_MS), LONGEST_GAP_MS);
}
