import type { IExecuteFunctions } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { callerState, checkSilence, isStale, readExecution, SLACK_MS } from './executions';
import {
	forgetRun,
	forgetWatcher,
	isAcquainted,
	isKnownWatcher,
	knownWatchers,
	mayAsk,
	type Fleet,
	type Watched,
	noteListed,
	noteWatcher,
	otherRuns,
} from './fleet';
import { wakeSupervisor } from './roleWorkflow';
import { roleStateIn, SUPERVISOR, WORK, type SupervisorState, type WorkState } from './state';

/**
 * Where there are many durable runs, few of their supervisors watch over all of them, and the others
 * sleep. A watcher replaces nobody: it wakes up the supervisor of a run whose worker has died, and that
 * one replaces it, in its own workflow and with its own credential.
 */

/** A supervisor that watches. */
type Watcher = SupervisorState & { fleet: Fleet };

export const isWatcher = (state: SupervisorState): state is Watcher => state.fleet !== undefined;

/** Other runs from which on it is worth while, and supervisors that then watch. */
const MANY = 4;
const WATCHERS = 3;

/** Watchers that have to have a run on their stored list, until its own supervisor sleeps. */
const ENOUGH = 2;

/** Between two rounds of a watcher, ms. */
export const WATCH_MS = 90_000;

/** Whether there are so many runs that few supervisors watch over all. */
export const areMany = (runId: string, now: number): boolean =>
	otherRuns(runId, now).length >= MANY;

/** The executions that watch, as far as this process knows; those it has not seen lately are read. */
async function livingWatchers(context: IExecuteFunctions, now: number): Promise<string[]> {
	for (const [id, dueAt] of knownWatchers()) {
		if (dueAt > now - SLACK_MS) continue;
		const data = await readExecution(context, id);
		const isWatching = roleStateIn<SupervisorState>(data, SUPERVISOR)?.fleet !== undefined;
		const till = data?.waitTill ? new Date(data.waitTill).getTime() : 0;
		if (isWatching && till > now - SLACK_MS) noteWatcher(id, till);
		else forgetWatcher(id);
	}
	return knownWatchers().map(([id]) => id);
}

/** A supervisor begins to watch where there are too few, and ends where there are too many. */
export async function takePart(
	context: IExecuteFunctions,
	state: SupervisorState,
	clock: Clock,
): Promise<void> {
	const own = context.getExecutionId();
	const now = clock.now();
	if (!isAcquainted(clock.elapsed())) return;
	if (!state.fleet && !areMany(state.caller.runId, now)) return;
	const others = (await livingWatchers(context, now)).filter((id) => id !== own);
	const before = others.filter((id) => Number(id) < Number(own));
	if (!state.fleet && others.length < WATCHERS) state.fleet = await fleetBefore(context, state);
	else if (state.fleet && before.length >= WATCHERS) delete state.fleet;
}

/** What those had on their lists who have watched before: a kill may have hit all of them at once. */
export async function fleetBefore(
	context: IExecuteFunctions,
	{ caller, watchers = [] }: SupervisorState,
): Promise<Fleet> {
	const fleet: Fleet = {};
	for (const id of watchers) {
		for (const [runId, listed] of Object.entries(await fleetOf(context, id))) {
			const isNewer = listed.dueAt > (fleet[runId]?.dueAt ?? 0);
			if (isNewer && runId !== caller.runId) fleet[runId] = listed;
		}
	}
	return fleet;
}

async function fleetOf(context: IExecuteFunctions, id: string): Promise<Fleet> {
	const data = await readExecution(context, id);
	return roleStateIn<SupervisorState>(data, SUPERVISOR)?.fleet ?? {};
}

/** Whether enough watchers have a run on the list that n8n has stored; notes which. */
export async function isWatched(
	context: IExecuteFunctions,
	state: SupervisorState,
	now: number,
): Promise<boolean> {
	const listing: string[] = [];
	// Those it has noted, too: a process that has just started knows none.
	const ids = [...(await livingWatchers(context, now)), ...(state.watchers ?? [])];
	for (const id of new Set(ids)) {
		const data = await readExecution(context, id);
		const { fleet } = roleStateIn<SupervisorState>(data, SUPERVISOR) ?? {};
		if (fleet?.[state.caller.runId] && !checkSilence(data, now)) listing.push(id);
	}
	const isEnough = listing.length >= ENOUGH;
	if (isEnough) state.watchers = listing;
	return isEnough;
}

/**
 * One round of a watcher: takes in the runs that this process knows, and checks those that are overdue.
 *
 * @param isLate n8n was down: the checks before do not count
 * @returns whether a worker may be dead
 */
export async function watchOver(
	context: IExecuteFunctions,
	state: Watcher,
	isLate: boolean,
	clock: Clock,
): Promise<boolean> {
	const { fleet, caller } = state;
	if (!isKnownWatcher(context.getExecutionId())) noteListed(fleet);
	for (const [runId, { worker, supervisor, dueAt }] of otherRuns(caller.runId, clock.now())) {
		const listed = fleet[runId];
		if (listed && listed.dueAt >= dueAt) continue;
		fleet[runId] = { worker, supervisor, dueAt };
	}
	const overdue = Object.entries(fleet).filter(([, { dueAt }]) => dueAt <= clock.now() - SLACK_MS);
	for (const [runId, listed] of overdue) {
		if (isLate) delete listed.silence;
		const data = await readExecution(context, listed.worker);
		listed.silence = checkSilence(data, clock.now(), listed.silence);
		if (!listed.silence) listed.dueAt = new Date(data?.waitTill ?? 0).getTime();
		else if (isStale(listed.silence)) await raise(context, state, runId, listed, clock.now());
	}
	if (Object.keys(fleet).length === 0) delete (state as SupervisorState).fleet;
	return Object.values(fleet).some(({ silence }) => silence);
}

/** A worker is silent: its supervisor is woken up, unless the run is over or has another worker. */
async function raise(
	context: IExecuteFunctions,
	{ fleet, caller: own }: Watcher,
	runId: string,
	listed: Watched,
	now: number,
): Promise<void> {
	const work = roleStateIn<WorkState>(await readExecution(context, listed.worker), WORK);
	const id = work?.supervisor ?? listed.supervisor;
	const data = await readExecution(context, id);
	const supervisor = roleStateIn<SupervisorState>(data, SUPERVISOR);
	const caller = supervisor?.caller;
	const waiting = caller && (await readExecution(context, caller.executionId));
	if (!caller || callerState(waiting, caller) !== 'here') {
		delete fleet[runId];
		forgetRun(runId, listed.worker);
		return;
	}
	const { worker = listed.worker, standby } = supervisor;
	if (worker !== listed.worker) {
		fleet[runId] = { worker, supervisor: id, dueAt: listed.dueAt };
		return;
	}
	listed.supervisorSilence = checkSilence(data, now, listed.supervisorSilence);
	const isDead = isStale(listed.supervisorSilence);
	const alarm = { worker, fingerprint: listed.silence?.fingerprint };
	delete listed.silence;
	if (!isDead || standby) {
		await wakeSupervisor(context, own, isDead ? String(standby) : id, now, alarm);
		return;
	}
	delete fleet[runId];
	context.logger.warn(
		`${context.getNode().name}: nobody works any more for execution ${caller.executionId}, which waits durably. Recover From Execution lists its paid jobs, and can finish it.`,
	);
}

/** A supervisor that is due sooner is left alone, ms: it looks soon enough. */
const RELYING_MS = 300_000;

/**
 * In a worker that parks: where too few watch, its supervisor is woken up, which may begin to, or else
 * does not rely on others any more.
 */
export async function askForWatchers(
	context: IExecuteFunctions,
	{ caller, supervisor }: WorkState,
	clock: Clock,
): Promise<void> {
	if (knownWatchers().length >= ENOUGH && !isAnyLate(clock.now())) return;
	if (!mayAsk(clock.elapsed())) return;
	if ((await livingWatchers(context, clock.now())).length >= ENOUGH) return;
	const { waitTill } = (await readExecution(context, supervisor)) ?? {};
	if (!waitTill || new Date(waitTill).getTime() <= clock.now() + RELYING_MS) return;
	await wakeSupervisor(context, caller, supervisor, clock.now(), {});
}

const isAnyLate = (now: number) => knownWatchers().some(([, dueAt]) => dueAt <= now - SLACK_MS);
