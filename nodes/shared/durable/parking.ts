/** How long an execution stays awake without news, in ms. */
export const AWAKE_MS = 30_000;

/** An execution with recent news stays awake for what is due within this time, in ms. */
const SOON_MS = 20_000;

/** Shortest park without news, in ms: n8n checks only once a minute for what is due, so less would save nothing. */
const SHORTEST_PARK_MS = 60_000;

/** Without news, a run parks for this part of the time since the last news, up to this maximum in ms. */
const PART = 1 / 8;
const LONGEST_PARK_MS = 300_000;

/**
 * All durable runs together wake up n8n no more often than this, in ms: waking up a worker and then its supervisor
 * takes a fifth to a third of a second of processor time.
 */
const SHARE_MS = 12_000;

/** How long each run parks at least, in ms, so that all of them together do not keep n8n busy. */
export const minimumParkMs = (others: number) => others * SHARE_MS;

export interface ParkInput {
	/** ms since 1970, like all times here. */
	now: number;
	/** When something was last new: a job created, or ended. */
	lastProgressAt: number;
	/** When a running job may have ended; `undefined` if that is now, or no job runs. */
	dueAt?: number;
	/** When the time of a running job is up; `Infinity` if none runs. */
	endsAt: number;
	/** How many other durable runs are parked. */
	others: number;
}

/**
 * How long a durable run parks now, in ms; 0 if it stays awake. It stays awake while there is news, so that a batch
 * goes on fast. After that it wakes up less and less often, as long jobs are polled.
 */
export function parkMs(resting: ParkInput): number {
	const { now, lastProgressAt, dueAt = now, endsAt, others } = resting;
	const idle = now - lastProgressAt;
	const untilDue = dueAt - now;
	if (untilDue <= SOON_MS && idle < AWAKE_MS) return 0;
	const paced = Math.max(
		SHORTEST_PARK_MS,
		Math.min(idle * PART, LONGEST_PARK_MS),
		minimumParkMs(others),
	);
	const rest = Math.max(untilDue > SOON_MS ? untilDue : 0, idle < AWAKE_MS ? 0 : paced);
	return Math.max(1, Math.min(rest, endsAt - now));
}

/**
 * Until when each durable run is parked, ms since 1970, by run ID: the more runs, the longer each parks. Only this
 * process of n8n knows the map: after a restart, a run is counted again from its next park on.
 */
const parked = new Map<string, number>();

/** A run that is overdue by more than this, in ms, goes on in another process (queue mode) or not at all. */
const OVERDUE_MS = 60_000;

/** @param until ms since 1970 */
export function noteParked(runId: string, until: number): void {
	parked.set(runId, until);
}

export function noteAwake(runId: string): void {
	parked.delete(runId);
}

/**
 * How many other runs are parked.
 *
 * @param now ms since 1970
 */
export function otherParkedRuns(runId: string, now: number): number {
	for (const [id, until] of parked) if (until < now - OVERDUE_MS) parked.delete(id);
	return parked.size - (parked.has(runId) ? 1 : 0);
}

/** For tests, in which one process plays several, one after another. */
export function forgetAll(): void {
	parked.clear();
}
