import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IRunExecutionData,
} from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { attempt } from '../service/attempt';
import {
	callerState,
	checkSilence,
	handleIn,
	isStale,
	isStopped,
	memoryOf,
	readExecution,
	type Caller,
	type Silence,
} from './executions';
import { forgetWatcher, noteWatcher, otherRuns } from './fleet';
import { minimumParkMs } from './parkPolicy';
import { type Alarm, alarmIn, continueAt, NOTHING, start, wakeSupervisor } from './roleWorkflow';
import {
	loadState,
	newSupervisorState,
	recall,
	SUPERVISOR,
	supervisorStateIn,
	workIn,
	workItem,
	type SupervisorState,
	type Work,
} from './state';
import { areMany, fleetBefore, isWatched, isWatcher, takePart, WATCH_MS, watchOver } from './watch';

/** After the worker is due, it is checked this much later, ms. */
const AFTER_MS = 90_000;

/** Between two checks at most, ms. */
const LONGEST_DELAY_MS = 900_000;

/** Checks after which a run that is one of many has a standby, unless enough watch over it by then. */
const PATIENT_CHECKS = 2;

/** Between two checks while the worker is silent, ms. */
const SUSPICIOUS_MS = 66_000;

/** Times that the worker may be woken up meanwhile, where there are many. */
const OFTEN = 5;

/** Times as long that one sleeps on whose run others watch over: they and the worker wake it up. */
const RELYING = 2;

/** Woken up so late, n8n was not running: others may be as late, ms. */
const LATE_MS = 90_000;

/** Woken up so early, it is for somebody who believes that there is nothing left to supervise, ms. */
const EARLY_MS = 5_000;

/** Results that were handed over are handed over again so many times at most. */
const MOST_DELIVERIES = 3;

/** What a check has decided: to check again in so many ms, or that there is nothing left to supervise. */
type Decision = { kind: 'checkIn'; ms: number } | { kind: 'quit' };

const QUIT: Decision = { kind: 'quit' };
const checkIn = (ms: number): Decision => ({ kind: 'checkIn', ms });

/**
 * The role of the executions that supervise a durable run. n8n brings none back to life that ran when
 * it was killed. So where the worker, or the execution that hands over the results, has done nothing
 * for two checks, a replacement starts with what n8n has stored of it. There are two supervisors, lest
 * one be awake just when n8n is killed: the supervisor, and its standby, which checks seldom.
 */
export async function supervise(
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	if (loadState(context, SUPERVISOR)) return await continueAt(context, 0);
	const state = recall<SupervisorState>(context, SUPERVISOR);
	const checked = await attempt(check(context, state, clock));
	if ('error' in checked) {
		const { message } = checked.error as Error;
		context.logger.warn(`${context.getNode().name} supervises: ${message}`);
	}
	const decision = 'error' in checked ? checkIn(SUSPICIOUS_MS) : checked.value;
	const id = context.getExecutionId();
	if (decision.kind === 'quit') {
		forgetWatcher(id);
		return NOTHING;
	}
	const dueAt = clock.now() + decision.ms;
	if (dueAt !== state.dueAt) state.decidedAt = clock.now();
	state.dueAt = dueAt;
	if (state.fleet) noteWatcher(id, state.dueAt);
	else forgetWatcher(id);
	return await continueAt(context, state.dueAt);
}

async function check(
	context: IExecuteFunctions,
	state: SupervisorState,
	clock: Clock,
): Promise<Decision> {
	if (state.dueAt === undefined) return checkIn(await firstDelay(context, state, clock.now()));
	const { caller } = state;
	const waiting = await readExecution(context, caller.executionId);
	if (callerState(waiting, caller) !== 'here') {
		// Not before: the two are never awake together on its account.
		if (state.standby) await wakeSupervisor(context, caller, state.standby, clock.now());
		return QUIT;
	}
	state.worker ??= handleIn(memoryOf(waiting, caller.node), caller)?.worker;
	const alarm = newAlarm(context, state);
	// Where the clock was set back meanwhile, it is due: nobody waits until it shows the old times again.
	const isSetBack = clock.now() < (state.decidedAt ?? 0);
	const early = isSetBack ? 0 : state.dueAt - clock.now();
	// Not counted as a check: what is checked has had no time to do something.
	if (early > EARLY_MS && (!alarm || state.silence)) return checkIn(early);
	const isLate = early < -LATE_MS;
	const own = await checkRun(context, state, { isLate, alarm }, clock);
	if (own.kind === 'quit' || state.isStandby) return own;
	await takePart(context, state, clock);
	if (!isWatcher(state)) return own;
	const isSuspicious = await watchOver(context, state, isLate, clock);
	return checkIn(Math.min(own.ms, isSuspicious ? SUSPICIOUS_MS : WATCH_MS));
}

async function firstDelay(
	context: IExecuteFunctions,
	state: SupervisorState,
	now: number,
): Promise<number> {
	if (state.isStandby) return seldom(state, now);
	// One of many is watched soon, and may do without.
	if (!areMany(state.caller.runId, now)) state.standby ??= await startStandby(context, state);
	return AFTER_MS;
}

/** Why a check takes place. */
interface Occasion {
	/** n8n was down: the checks before do not count. */
	isLate: boolean;
	alarm?: Alarm;
}

async function checkRun(
	context: IExecuteFunctions,
	state: SupervisorState,
	{ isLate, alarm }: Occasion,
	clock: Clock,
): Promise<Decision> {
	const { caller } = state;
	if (state.isStandby) await followSupervisor(context, state);
	const data = await readExecution(context, String(state.worker));
	const work = workIn(data, caller.node);
	if (!data || !work || isStopped(data)) return QUIT;
	if (!state.isStandby && work.state.supervisor !== context.getExecutionId()) return QUIT;

	const { resuming } = work.state;
	const checked = resuming === undefined ? data : await readExecution(context, resuming);
	const before = isLate ? seenBy(alarm, state) : (seenBy(alarm, state) ?? state.silence);
	state.silence = checkSilence(checked, clock.now(), before);
	if (state.isStandby && state.silence) {
		const supervisor = await readExecution(context, work.state.supervisor);
		state.silence = joined(state.silence, checkSilence(supervisor, clock.now()), before);
	}
	const isRelying =
		!state.isStandby && !state.fleet && (await isWatched(context, state, clock.now()));
	if (!(await hasHelp(context, state, isRelying, clock))) return QUIT;
	if (!state.silence && isRelying) return checkIn(RELYING * seldom(state, clock.now()));
	if (!state.silence) return checkIn(usualDelay(state, checked, clock.now()));
	if (!isStale(state.silence, 2 ** state.deliveries)) return checkIn(SUSPICIOUS_MS);
	if (resuming !== undefined && ++state.deliveries > MOST_DELIVERIES) return QUIT;
	await replace(context, state, work);
	return checkIn(AFTER_MS);
}

/** An alarm that has not been followed, and is not about a worker that has been replaced. */
function newAlarm(context: IExecuteFunctions, state: SupervisorState): Alarm | undefined {
	const alarm = alarmIn(context, state.alarmedAt);
	if (!alarm) return undefined;
	state.alarmedAt = alarm.at;
	return [undefined, state.worker].includes(alarm.worker) ? alarm : undefined;
}

/** What a watcher has seen of the worker, as a check of one's own. */
function seenBy(alarm: Alarm | undefined, state: SupervisorState): Silence | undefined {
	if (alarm?.fingerprint === undefined || state.isStandby) return undefined;
	return { fingerprint: alarm.fingerprint, times: 1 };
}

/** A replacement takes the worker's place; a standby that has started one becomes the supervisor. */
async function replace(context: IExecuteFunctions, state: SupervisorState, work: Work) {
	state.worker = await startReplacement(context, state.caller, work);
	// After it: the new standby has to know who works now.
	if (state.isStandby) {
		delete state.isStandby;
		if (state.watchers) state.fleet = await fleetBefore(context, state);
		state.standby = await startStandby(context, state);
	}
	state.silence = undefined;
}

/**
 * Finds the execution that works now: since the check before, a supervisor may have replaced the
 * worker, and each replacement may have another supervisor.
 */
async function followSupervisor(context: IExecuteFunctions, state: SupervisorState): Promise<void> {
	const { node } = state.caller;
	for (let last; last !== state.worker; ) {
		last = state.worker;
		const work = workIn(await readExecution(context, String(last)), node);
		if (!work) return;
		const data = await readExecution(context, work.state.supervisor);
		const supervisor = supervisorStateIn(data, node);
		state.worker = supervisor.worker ?? last;
		// Should it die, its list is not lost.
		if (supervisor.fleet) state.watchers = [work.state.supervisor];
		// Lest each standby begins to count anew, where nobody takes the results any more.
		state.deliveries = Math.max(state.deliveries, supervisor.deliveries ?? 0);
	}
}

/** Of a standby: both worker and supervisor have done nothing since the check before. */
function joined(worker: Silence, supervisor?: Silence, before?: Silence): Silence | undefined {
	if (!supervisor) return undefined;
	const fingerprint = `${worker.fingerprint} ${supervisor.fingerprint}`;
	return { fingerprint, times: before?.fingerprint === fingerprint ? before.times + 1 : 1 };
}

/**
 * Sees to it that there is a standby, where it is needed: while the worker is silent, and as long as not
 * enough others watch over the run.
 *
 * @returns whether the standby is one still; where n8n woke this execution up late, it has taken over
 */
async function hasHelp(
	context: IExecuteFunctions,
	state: SupervisorState,
	isRelying: boolean,
	clock: Clock,
): Promise<boolean> {
	if (state.isStandby) return true;
	if (state.standby === undefined) {
		const isSoonWatched =
			areMany(state.caller.runId, clock.now()) && (state.unlisted ?? 0) < PATIENT_CHECKS;
		const isNeeded = state.silence !== undefined || !(isRelying || isSoonWatched);
		if (isNeeded) state.standby = await startStandby(context, state);
		return true;
	}
	const data = await readExecution(context, state.standby);
	const { caller, isStandby } = supervisorStateIn(data, state.caller.node);
	if (caller && !isStandby) return false;
	state.standbySilence = checkSilence(data, clock.now(), state.standbySilence);
	if (!isStale(state.standbySilence)) return true;
	state.standby = await startStandby(context, state);
	state.standbySilence = undefined;
	return true;
}

async function startStandby(
	context: IExecuteFunctions,
	{ caller, worker }: SupervisorState,
): Promise<string> {
	const standby: SupervisorState = {
		...newSupervisorState(caller),
		isStandby: true,
		...(worker !== undefined && { worker }),
	};
	return await start(context, caller, 'supervise', {
		[SUPERVISOR]: standby as object as IDataObject,
	});
}

async function startReplacement(
	context: IExecuteFunctions,
	caller: Caller,
	{ state, entries }: Work,
): Promise<string> {
	const replacement = {
		...state,
		supervisor: context.getExecutionId(),
		isReplacement: true,
		resuming: undefined,
		silence: undefined,
		consecutiveErrors: 0,
	};
	return await start(context, caller, 'work', workItem({ state: replacement, entries }));
}

/** While all is well, and nobody else watches over the run. */
function usualDelay(
	state: SupervisorState,
	data: IRunExecutionData | undefined,
	now: number,
): number {
	if (state.isStandby) return state.watchers ? LONGEST_DELAY_MS : seldom(state, now);
	const { runId } = state.caller;
	const until = data?.waitTill ? new Date(data.waitTill).getTime() : now;
	const own = Math.min(Math.max(until - now, 0) + AFTER_MS, LONGEST_DELAY_MS);
	const shared = sharedDelay(runId, now);
	if (!areMany(runId, now)) return Math.max(own, shared);
	// Somebody will watch over it soon.
	state.unlisted = (state.unlisted ?? 0) + 1;
	return Math.min(Math.max(own, shared), AFTER_MS * 2 ** (state.unlisted - 1));
}

/** Of a standby, ms; where others watch over the run, more. */
const seldom = ({ caller }: SupervisorState, now: number) =>
	Math.max(LONGEST_DELAY_MS, sharedDelay(caller.runId, now));

/** Those count, too, that have not parked yet: soon they will have. */
const sharedDelay = (runId: string, now: number) =>
	OFTEN * minimumParkMs(otherRuns(runId, now).length);
