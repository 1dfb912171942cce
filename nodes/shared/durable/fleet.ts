import type { Silence } from './executions';

/**
 * What this process of n8n knows of its durable runs, and of the supervisors that watch over all of
 * them. A process that has just started knows of none; each is known as soon as it does something.
 */

/** A durable run: who works on it, and who supervises that. */
export interface Member {
	worker: string;
	supervisor: string;
	/** When the worker goes on, or has last gone on, ms since 1970. */
	dueAt: number;
}

/** A run that a watcher has on its list. It goes by the list after n8n was killed. */
export interface Watched extends Member {
	/** The last check of its worker, and of its supervisor. */
	silence?: Silence;
	supervisorSilence?: Silence;
}

/** What a watcher has on its list, by run ID. */
export type Fleet = Record<string, Watched>;

interface Known extends Member {
	isParked: boolean;
}

/** By run ID. */
const known = new Map<string, Known>();

/** Supervisors that watch over the others: when each is due, ms since 1970, by execution. */
const watchers = new Map<string, number>();

/** When this process has known of a run for the first time, and has last asked for a watcher, elapsed ms. */
let firstAt = Infinity;
let askedAt = -Infinity;

/** Of a run that was due so long ago, nothing is expected any more; nor does it count, ms. */
const FORGOTTEN_MS = 3_600_000;
const PARKED_NO_MORE_MS = 60_000;

/** @param at elapsed ms */
export function noteRun(runId: string, run: Known, at: number): void {
	firstAt = Math.min(firstAt, at);
	known.set(runId, run);
}

/**
 * What is on the list of a watcher: a process that has just started knows at once how many there are,
 * and not only when each has gone on.
 */
export function noteListed(fleet: Fleet): void {
	for (const [runId, { worker, supervisor, dueAt }] of Object.entries(fleet)) {
		if (!known.has(runId)) known.set(runId, { worker, supervisor, dueAt, isParked: true });
	}
}

/** @param worker the one that has seen its end; a run that another works on by now stays known */
export function forgetRun(runId: string, worker?: string): void {
	if (worker === undefined || known.get(runId)?.worker === worker) known.delete(runId);
}

/** The runs besides one. */
export function otherRuns(runId: string, now: number): Array<[runId: string, run: Member]> {
	for (const [id, { dueAt }] of known) if (dueAt < now - FORGOTTEN_MS) known.delete(id);
	return [...known].filter(([id]) => id !== runId);
}

/** How many are parked besides one. */
export function otherParkedRuns(runId: string, now: number): number {
	const isParked = ([, run]: [string, Member]) =>
		(run as Known).isParked && run.dueAt >= now - PARKED_NO_MORE_MS;
	return otherRuns(runId, now).filter(isParked).length;
}

export function noteWatcher(id: string, dueAt: number): void {
	watchers.set(id, dueAt);
}

export function forgetWatcher(id: string): void {
	watchers.delete(id);
}

export const isKnownWatcher = (id: string): boolean => watchers.has(id);

export function knownWatchers(): Array<[id: string, dueAt: number]> {
	return [...watchers];
}

/** So long after its start, a process has seen those who watch, ms: they wake up more often. */
const ACQUAINTED_MS = 110_000;

/**
 * Whether this process is old enough to know who watches.
 *
 * @param at elapsed ms
 */
export const isAcquainted = (at: number): boolean => at - firstAt >= ACQUAINTED_MS;

/** Between two times that a watcher is asked for, ms. */
const ASKING_MS = 20_000;

/**
 * Whether it may be asked for a watcher now; then not for a while.
 *
 * @param at elapsed ms
 */
export function mayAsk(at: number): boolean {
	if (!isAcquainted(at) || at - askedAt < ASKING_MS) return false;
	askedAt = at;
	return true;
}

/** All that a process knows goes with it; in tests, several are one after another in the same. */
export function forgetAll(): void {
	known.clear();
	watchers.clear();
	firstAt = Infinity;
	askedAt = -Infinity;
}
