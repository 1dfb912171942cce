/**
 * A worker stays awake for a minute after the last news, so that a batch goes on fast, and parks for no less, in ms: n8n
 * looks only once a minute for what is due.
 */
const SHORTEST_PARK_MS = 60_000;

/** Without news, a worker parks for this part of the time since the last. */
const PART = 1 / 8;

/**
 * Each run lets every other one park this much longer, in ms: waking up a worker and its watcher takes a fifth to a third
 * of a second of processor time. So 20 runs take about 3 % of a core, 200 about 9 %.
 */
const SHARE_MS = 9000;

/** The longest park before a job that is due, in ms. */
const LONGEST_PARK_MS = 600_000;

/**
 * How long a worker parks now, in ms; 0 if it stays awake.
 *
 * @param idle for how long nothing was new: no job created, or ended
 * @param untilDue how long the wait for its jobs would sleep now: until one may have ended
 * @param runs how many this process works for
 */
export function parkMs(idle: number, untilDue: number, runs: number): number {
	if (idle < SHORTEST_PARK_MS && untilDue < SHORTEST_PARK_MS) return 0;
	const paced = Math.min(Math.max(idle * PART, runs * SHARE_MS), LONGEST_PARK_MS);
	return Math.max(untilDue, SHORTEST_PARK_MS, paced);
}

/** A worker that is overdue by more than this, in ms, goes on in another process (queue mode) or not at all. */
const OVERDUE_MS = 60_000;

const workers = new Map<string, number>();

/** @param until when the worker is due, ms since 1970; Infinity as long as it is awake, however long a download takes */
export function noteWorker(runId: string, until: number): void {
	workers.set(runId, until);
}

/** The runs that this process works for, each with when its worker is due. After a restart, from its next round on. */
export function knownWorkers(now: number): ReadonlyMap<string, number> {
	for (const [runId, until] of workers) if (until < now - OVERDUE_MS) workers.delete(runId);
	return workers;
}

/** For tests, in which one process plays several, one after another. */
export const forgetAll = (): void => workers.clear();
