/**
 * The durable runs that are parked, as far as this process of n8n knows: the more there are, the longer each
 * parks. All of it goes with the process. After a start, each run is counted again from its first park on.
 */

/** By run ID: until when each is parked, ms since 1970. */
const parked = new Map<string, number>();

/** One that is overdue by more goes on in another process (queue mode), or not at all, ms. */
const OVERDUE_MS = 60_000;

/** @param until ms since 1970 */
export function noteParked(runId: string, until: number): void {
	parked.set(runId, until);
}

export function noteAwake(runId: string): void {
	parked.delete(runId);
}

/**
 * How many are parked besides one.
 *
 * @param now ms since 1970
 */
export function otherParkedRuns(runId: string, now: number): number {
	for (const [id, until] of parked) if (until < now - OVERDUE_MS) parked.delete(id);
	return parked.size - (parked.has(runId) ? 1 : 0);
}

/** In tests, several processes are one after another in the same. */
export function forgetAll(): void {
	parked.clear();
}
