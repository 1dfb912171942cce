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
