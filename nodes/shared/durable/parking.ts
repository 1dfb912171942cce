/** How long a worker stays awake without news, in ms. */
export const AWAKE_MS = 30_000;

/** A worker with recent news stays awake for what is due within this time, in ms. */
const SOON_MS = 20_000;

/** Shortest park without news, in ms: n8n looks only once a minute for what is due, so less would save nothing. */
const SHORTEST_PARK_MS = 60_000;

/** Without news, a worker parks for this part of the time since the last, up to this many ms. */
const PART = 1 / 8;
const LONGEST_PARK_MS = 300_000;

/**
 * Each parked run lets every other one park this much longer, up to a maximum, in ms: waking up a worker and its
 * watcher takes a fifth to a third of a second of processor time. So 20 runs take about 3 % of a core, 200 about 9 %.
 */
const SHARE_MS = 9000;
const MOST_SHARED_MS = 600_000;

/**
 * How long a worker parks now, in ms; 0 if it stays awake. It stays awake while there is news, so that a batch goes on
 * fast. After that it wakes up less and less often, as long jobs are polled.
 *
 * @param idle for how long nothing was new: no job created, or ended
 * @param untilDue until a running job may have ended, ms; 0 or less if that is now, or none runs
 * @param others how many other runs are parked
 */
export function parkMs(idle: number, untilDue: number, others: number): number {
	const isSoon = untilDue <= SOON_MS;
	if (idle < AWAKE_MS) return isSoon ? 0 : untilDue;
	const paced = Math.min(idle * PART, LONGEST_PARK_MS);
	const shared = Math.min(others * SHARE_MS, MOST_SHARED_MS);
	return Math.max(isSoon ? 0 : untilDue, SHORTEST_PARK_MS, paced, shared);
}

/** A run that is overdue by more than this, in ms, goes on in another process (queue mode) or not at all. */
const OVERDUE_MS = 60_000;

/**
 * The runs that this process works for, by run ID: until when their workers are parked, ms since 1970. After a restart,
 * a run is known again from its next round on.
 */
const known = new Map<string, number>();

/** @param until ms since 1970 */
export function noteWorker(runId: string, until: number): void {
	known.set(runId, until);
}

/** Whether this process knows a worker of the run that is not long overdue. @param now ms since 1970 */
export function isWorkedFor(runId: string, now: number): boolean {
	for (const [id, until] of known) if (until < now - OVERDUE_MS) known.delete(id);
	return known.has(runId);
}

/** How many other runs are parked. @param now ms since 1970 */
export const otherParkedRuns = (runId: string, now: number): number =>
	isWorkedFor(runId, now) ? known.size - 1 : known.size;

/** The workers that are awake in this process: alive, however long a round takes, as for the download of a long video. */
export const awake = new Set<string>();

/** For tests, in which one process plays several, one after another. */
export function forgetAll(): void {
	known.clear();
	awake.clear();
}
