/** Without anything new, an execution stays awake for so long, ms. */
export const AWAKE_MS = 30_000;

/** What is due so soon is waited for awake, ms. */
const SOON_MS = 20_000;

/** Parked for less, it would not save n8n anything: it checks for what is due once a minute. */
const SHORTEST_PARK_MS = 60_000;

/** Part of the time without anything new that may pass until the next poll, and at most, ms. */
const PART = 1 / 8;
const LONGEST_PARK_MS = 300_000;

/**
 * For each durable run that is parked, ms: to wake up a worker, and then its supervisor, costs n8n a fifth to a third
 * of a second of a processor, so together they do it no more often.
 */
const SHARE_MS = 12_000;

/** How long each parks at least, so that all together do not keep n8n busy, ms. */
export const minimumParkMs = (others: number) => others * SHARE_MS;

export interface ParkInput {
	/** ms since 1970, as the others. */
	now: number;
	/** When something was last new: a job created, or ended. */
	lastProgressAt: number;
	/** When a running job can have ended; `undefined` when none runs. */
	dueAt?: number;
	/** When the time of a running job is up; never, when none runs. */
	endsAt: number;
	/** Between two polls at most, where the user says more than we would (Poll Interval), or 0, ms. */
	maxPollIntervalMs: number;
	/** Durable runs that are parked besides. */
	others: number;
}

/**
 * For how long a durable run parks now, ms; 0 when it stays awake. Awake as long as there is news:
 * a batch goes on fast. Then less and less often, as jobs that take long are polled.
 */
export function parkMs(resting: ParkInput): number {
	const { now, lastProgressAt, dueAt = now, endsAt, maxPollIntervalMs, others } = resting;
	const idle = now - lastProgressAt;
	const untilDue = dueAt - now;
	if (untilDue <= SOON_MS && idle < AWAKE_MS) return 0;
	const paced = Math.max(
		SHORTEST_PARK_MS,
		Math.min(idle * PART, LONGEST_PARK_MS),
		minimumParkMs(others),
	);
	const rest = Math.max(
		untilDue > SOON_MS ? untilDue : 0,
		idle < AWAKE_MS ? 0 : paced,
		maxPollIntervalMs,
	);
	return Math.max(1, Math.min(rest, endsAt - now));
}

/**
 * The durable runs that are parked, as far as this process of n8n knows: the more there are, the longer each
 * parks. By run ID: until when, ms since 1970. It goes with the process: after a start of n8n, each run is counted
 * again from its first park on.
 */
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
