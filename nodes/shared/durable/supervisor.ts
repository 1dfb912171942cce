import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type IRunExecutionData,
	NodeOperationError,
} from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { attempt } from '../service/attempt';
import { jsonCopy } from '../service/bodies';
import {
	type Caller,
	callerState,
	checkSilence,
	handleIn,
	isDropped,
	isStale,
	isStopped,
	memoryOf,
	isStoredSoon,
	PARKED_VERSION,
	parkedTill,
	silentAgain,
	type Silence,
	SLACK_MS,
} from './executions';
import { minimumParkMs, otherParkedRuns } from './parking';
import { continueAt, NOTHING, start, wakeStandby } from './roleWorkflow';
import {
	firstCopyOf,
	latestOf,
	loadState,
	replacementOf,
	SUPERVISOR,
	type SupervisorState,
	supervisorStateIn,
	type Work,
	workIn,
	workItem,
	workOfCopy,
	type WorkState,
} from './state';

/** After the worker is due, it is checked this much later, ms. */
const AFTER_MS = 90_000;

/** Between two checks while the worker is silent, ms. */
const SUSPICIOUS_MS = 66_000;

/**
 * From the moment that n8n has stored that a worker is dismissed until another takes its place, ms: it may be alive,
 * and what it does until it asks (`CHECK_MS`, and a quiet tick) is in the copy that the other one gets.
 */
const DISMISSED_MS = 15_000;

/** Between two checks of a standby at least, ms: a kill is rarely to meet it awake. */
const SELDOM_MS = 900_000;

/** Woken up so late, n8n was not running: others may be as late, ms. */
const LATE_MS = 90_000;

/** Results that were handed over are handed over again so many times at most. */
const MOST_DELIVERIES = 3;

/** What a check has decided: to check again in so many ms, or that there is nothing left to supervise. */
type Decision =
	| { kind: 'checkIn'; ms: number }
	/** The way from the run handle to who works now may lead through a supervisor: then n8n has to keep it. */
	| { kind: 'quit'; leadsOn: boolean };

async function quit(
	context: IExecuteFunctions,
	{ caller, standby, hasReplaced }: SupervisorState,
): Promise<Decision> {
	const leadsOn = hasReplaced ?? (await hasStandbyTakenOver(context, caller, standby));
	return { kind: 'quit', leadsOn };
}

/** Another supervisor has taken its place, or its standby is to. */
const SUPERSEDED: Decision = { kind: 'quit', leadsOn: true };

const checkIn = (ms: number): Decision => ({ kind: 'checkIn', ms });

/**
 * The role of the executions that supervise a durable run. n8n brings none back to life that ran when
 * it was killed. So where the worker, or the execution that hands over the results, has done nothing
 * for two checks, a replacement starts with what n8n has stored of it. There are two supervisors, lest
 * one be awake just when n8n is killed: the supervisor, and its standby, which checks seldom.
 *
 * However long the worker parks, it is checked only after that: a kill hits none that is parked.
 */
export async function supervise(
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	const { state, isNew } = loadState<SupervisorState>(context, SUPERVISOR);
	if (isNew) return await continueAt(context, 0);
	const checked = await attempt(check(context, state, clock));
	if ('error' in checked) {
		const { message } = checked.error as Error;
		context.logger.warn(`${context.getNode().name} supervises: ${message}`);
	}
	const decision = 'error' in checked ? checkIn(SUSPICIOUS_MS) : checked.value;
	if (decision.kind === 'quit') {
		if (decision.leadsOn) throw stays(context, state);
		return NOTHING;
	}
	if (isOverdue(state, clock.now())) state.wasSilent = true;
	state.dueAt = clock.now() + decision.ms;
	return await continueAt(context, state.dueAt);
}

/** n8n deletes an execution of this role that succeeds, and keeps one that fails. */
function stays(context: IExecuteFunctions, { caller }: SupervisorState): NodeOperationError {
	// @error(durable) This supervisor has done its work, and another execution has gone on with it
	// Nothing is wrong. n8n keeps it, in red, because the paid jobs are found through it. Do not retry it.
	const message = 'This supervisor has done its work, and another execution has gone on with it';
	const description = `Nothing is wrong: it is kept because the paid jobs of execution ${caller.executionId} are found through it. Do not retry it.`;
	return new NodeOperationError(context.getNode(), message, { description });
}

async function check(
	context: IExecuteFunctions,
	state: SupervisorState,
	clock: Clock,
): Promise<Decision> {
	const { caller, dueAt } = state;
	if (dueAt === undefined) return await firstCheck(context, state, clock.now());
	const waiting = await context.getExecutionDataById(caller.executionId);
	if (callerState(waiting, caller) !== 'here') {
		await wakeOwn(context, state, clock.now());
		return await quit(context, state);
	}
	const first = firstCopyOf(memoryOf(waiting, caller.node));
	state.worker ??= first.worker;
	// n8n can drop what it has stored of the worker before anybody has looked at it.
	state.copy ??= first;
	// n8n was down: the check before does not count. Late twice in a row, its clock is ahead of that of whoever wakes
	// it up, or n8n is always so busy.
	if (!state.wasSilent && clock.now() - dueAt > LATE_MS) state.silence = undefined;
	return await checkRun(context, state, clock);
}

/**
 * Lets its standby look: the last thing that it does, so that the two are never awake together on its account. Should
 * it fail, that one looks when it is due.
 */
async function wakeOwn(context: IExecuteFunctions, state: SupervisorState, now: number) {
	if (state.standby) await attempt(wakeStandby(context, state.caller, state.standby, now));
}

/** The worker may not have begun: there is nothing to look at but that there is a standby. */
async function firstCheck(
	context: IExecuteFunctions,
	state: SupervisorState,
	now: number,
): Promise<Decision> {
	if (state.isStandby) return checkIn(seldomMs(state, now));
	state.standby ??= await startStandby(context, state);
	return checkIn(AFTER_MS);
}

async function checkRun(
	context: IExecuteFunctions,
	state: SupervisorState,
	clock: Clock,
): Promise<Decision> {
	const { caller } = state;
	const own = context.getExecutionId();
	if (state.isStandby) {
		// It has no standby that could have taken over.
		delete state.wasSilent;
		await followSupervisor(context, state);
	}
	const data = await context.getExecutionDataById(String(state.worker));
	const work = data && workOf(state, data);
	if (!data || !work || isStopped(data)) return await quit(context, state);
	// The worker may have dismissed it while it was silent: its standby goes on with a copy, unless it is alone.
	const isUnsure = isDropped(data) && !state.isStandby && isOverdue(state, clock.now());
	if (isUnsure && (await isParked(context, state.standby, clock.now()))) {
		await wakeOwn(context, state, clock.now());
		return SUPERSEDED;
	}
	// A copy may be of before this one was its supervisor.
	if (!state.isStandby && !isDropped(data) && !isSupervisorOf(work.state, own)) return SUPERSEDED;

	const { resuming } = work.state;
	const checked = resuming === undefined ? data : await context.getExecutionDataById(resuming);
	const before = state.silence;
	state.silence = checkSilence(checked, clock.now(), before);
	if (state.isStandby && (state.silence || state.isWorkerDismissed)) {
		const supervisor = await context.getExecutionDataById(work.state.supervisor);
		const { standby = own } = supervisorStateIn(supervisor, caller.node);
		// It was silent itself, and has another in its place: nobody asks whether it takes over.
		if (standby !== own) return { kind: 'quit', leadsOn: false };
		noteDropped(state, supervisor);
		state.silence &&= joined(state.silence, checkSilence(supervisor, clock.now()), before);
	}
	if (!(await hasStandby(context, state, clock))) return SUPERSEDED;
	if (!state.isWorkerDismissed) {
		if (!state.silence) return checkIn(usualMs(state, checked, clock.now()));
		if (!isStale(state.silence, 2 ** state.deliveries)) return checkIn(SUSPICIOUS_MS);
		// One that has handed over does nothing any more.
		if (resuming === undefined || state.isStandby) {
			state.isWorkerDismissed = true;
			return checkIn(DISMISSED_MS);
		}
	}
	if (resuming !== undefined && ++state.deliveries > MOST_DELIVERIES)
		return await quit(context, state);
	await replace(context, state, state.isInTheDark ? workOfCopy(work) : work);
	return checkIn(AFTER_MS);
}

/** Due for longer, it has seemed silent: its standby may have taken over. */
const isOverdue = ({ dueAt }: SupervisorState, now: number) =>
	dueAt !== undefined && now - dueAt > SLACK_MS;

/** @param other its supervisor, or its standby: whether that had started another worker is lost with what it knew */
function noteDropped(state: SupervisorState, other: IRunExecutionData | undefined): void {
	if (other && isDropped(other)) state.isInTheDark = true;
}

/** The work of the worker, as stored; where n8n has dropped that, a copy. */
function workOf(state: SupervisorState, data: IRunExecutionData): Work | undefined {
	const { caller, copy, worker } = state;
	const work = workIn(data, caller.node);
	if (work) state.copy = { worker: String(worker), work };
	if (work || !copy || copy.worker !== worker || !isDropped(data)) return work;
	return workOfCopy(copy.work);
}

/** Whether a standby is alive, as far as that shows: one that is awake does not. */
async function isParked(context: IExecuteFunctions, standby: string | undefined, now: number) {
	if (standby === undefined) return false;
	return parkedTill(await context.getExecutionDataById(standby)) > now - SLACK_MS;
}

const isSupervisorOf = ({ supervisor, isSupervisorDismissed }: WorkState, id: string) =>
	supervisor === id && !isSupervisorDismissed;

/** A replacement takes the worker's place; a standby that has started one becomes the supervisor. */
async function replace(context: IExecuteFunctions, state: SupervisorState, work: Work) {
	const replacement = replacementOf(work, context.getExecutionId());
	state.worker = await start(context, state.caller, 'work', [{ json: workItem(replacement) }]);
	// It may be killed before the next check.
	state.copy = { worker: state.worker, work: replacement };
	delete state.isWorkerDismissed;
	delete state.isInTheDark;
	state.hasReplaced = true;
	// After it: the new standby has to know who works now.
	if (state.isStandby) {
		delete state.isStandby;
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
		const stored = workIn(await context.getExecutionDataById(String(last)), node);
		const { copy } = state;
		const work = stored ?? (copy && copy.worker === last ? copy.work : undefined);
		const id = work?.state.supervisor ?? state.supervisor;
		if (id === undefined) return;
		const supervisor = supervisorStateIn(await context.getExecutionDataById(id), node);
		if (supervisor.copy) state.copy = latestOf(copy, supervisor.copy);
		state.worker = supervisor.worker ?? last;
		// Lest each standby begins to count anew, where nobody takes the results any more.
		state.deliveries = Math.max(state.deliveries, supervisor.deliveries ?? 0);
	}
}

/** Of a standby: both worker and supervisor have done nothing since the check before. */
function joined(worker: Silence, supervisor?: Silence, before?: Silence): Silence | undefined {
	if (!supervisor) return undefined;
	return silentAgain(`${worker.fingerprint} ${supervisor.fingerprint}`, before);
}

/**
 * Sees to it that there is a standby.
 *
 * @returns whether the standby is one still; where n8n woke this execution up late, it has taken over
 */
async function hasStandby(
	context: IExecuteFunctions,
	state: SupervisorState,
	clock: Clock,
): Promise<boolean> {
	if (state.isStandby) return true;
	state.standby ??= await startStandby(context, state);
	const data = await context.getExecutionDataById(state.standby);
	if (isSupervisor(data, state.caller)) return false;
	if (state.wasSilent || isOverdue(state, clock.now())) noteDropped(state, data);
	if (data && !isDropped(data)) delete state.wasSilent;
	state.standbySilence = checkSilence(data, clock.now(), state.standbySilence);
	if (!isStale(state.standbySilence)) return true;
	state.standby = await startStandby(context, state);
	state.standbySilence = undefined;
	return true;
}

/**
 * Whether the standby of a supervisor has replaced the worker, and that supervisor, which never hears of it: the
 * process of the two may only have stood still.
 */
async function hasStandbyTakenOver(
	context: IExecuteFunctions,
	caller: Caller,
	standby: string | undefined,
): Promise<boolean> {
	if (standby === undefined) return false;
	return isSupervisor(await context.getExecutionDataById(standby), caller);
}

/** Whether what was started as a standby has taken over, or is about to. */
function isSupervisor(data: IRunExecutionData | undefined, { node }: Caller) {
	const { caller, isStandby, isWorkerDismissed } = supervisorStateIn(data, node);
	return caller !== undefined && (!isStandby || isWorkerDismissed === true);
}

async function startStandby(
	context: IExecuteFunctions,
	{ caller, worker, copy }: SupervisorState,
): Promise<string> {
	const supervisor = context.getExecutionId();
	return await startSupervisor(context, caller, { isStandby: true, supervisor, worker, copy });
}

/**
 * Starts a supervisor, or the standby of one.
 *
 * @param known what it is to know, besides for whom it is
 * @returns its id
 */
export async function startSupervisor(
	context: IExecuteFunctions,
	caller: Caller,
	known: Pick<SupervisorState, 'worker' | 'standby' | 'isStandby' | 'supervisor' | 'copy'> = {},
): Promise<string> {
	const state: SupervisorState = { version: PARKED_VERSION, caller, deliveries: 0, ...known };
	const item = { [SUPERVISOR]: jsonCopy(state) as object as IDataObject };
	return await start(context, caller, 'supervise', [{ json: item }]);
}

/** While all is well: soon after the worker is due, whenever that is. */
function usualMs(state: SupervisorState, data: IRunExecutionData | undefined, now: number): number {
	if (state.isStandby) return seldomMs(state, now);
	return Math.max(parkedTill(data) - now, 0) + AFTER_MS;
}

/** Of a standby; where the worker parks for long, still less often than that. */
const seldomMs = ({ caller }: SupervisorState, now: number) =>
	Math.max(SELDOM_MS, 2 * minimumParkMs(otherParkedRuns(caller.runId, now)));

/** Between two times that the caller and the supervisor are checked, ms. */
const CHECK_MS = 5_000;

/**
 * Whether a worker is the one that works on its run:
 * - `owned`: it is
 * - `callerGone`: no execution waits for the results any more
 * - `superseded`: its supervisor, or the standby of that, has another execution for the worker, or is to start one
 * - `unsupervised`: it is, but its supervisor is dead; with the standby of that one, where it had one
 * - `inTheDark`: n8n has dropped its supervisor, so nobody knows whether another works, and no standby that the caller
 *   names would go on if none does
 */
type Ownership =
	| { kind: 'owned' | 'callerGone' | 'superseded' | 'inTheDark' }
	| { kind: 'unsupervised'; standby?: string };

/** Asks who owns a run, and starts nothing; notes in the state what was seen, and when. */
export async function ownershipOf(
	context: IExecuteFunctions,
	state: WorkState,
	clock: Clock,
): Promise<Ownership> {
	const isFirst = state.checkedAt === undefined;
	const now = clock.now();
	const { checkedAt = state.lastProgressAt, parkedUntil = 0 } = state;
	if (!isFirst && !state.isSupervisorDismissed && now - checkedAt < CHECK_MS)
		return { kind: 'owned' };
	if (now - Math.max(checkedAt, parkedUntil) > SLACK_MS) state.wasSilent = true;
	if (!(await isWaitedFor(context, state, clock, isFirst))) return { kind: 'callerGone' };
	const isNamed = !state.isSupervisorDismissed;
	const ask = state.isReplacement && isNamed ? replacementOwnership : ownershipBySupervisor;
	const ownership = await ask(context, state, clock);
	// Of before the answers: its process may stand still before it reads them.
	state.checkedAt = now;
	delete state.wasSilent;
	return ownership;
}

async function isWaitedFor(
	context: IExecuteFunctions,
	{ caller }: WorkState,
	clock: Clock,
	isFirst: boolean,
): Promise<boolean> {
	const isHere = async () =>
		callerState(await context.getExecutionDataById(caller.executionId), caller) === 'here';
	// Of the first time, the caller may not have parked yet.
	return isFirst ? await isStoredSoon(clock, isHere) : await isHere();
}

/**
 * A replacement owns the run when its supervisor has stored that. The supervisor may have died before:
 * then another replacement comes; unless it was a standby that took over, which has none of its own.
 */
async function replacementOwnership(
	context: IExecuteFunctions,
	{ supervisor, caller }: WorkState,
	clock: Clock,
): Promise<Ownership> {
	let known: Partial<SupervisorState> = {};
	const isNamed = async () => {
		known = supervisorStateIn(await context.getExecutionDataById(supervisor), caller.node);
		return known.worker === context.getExecutionId();
	};
	if (!(await isStoredSoon(clock, isNamed)))
		return { kind: known.isStandby ? 'unsupervised' : 'superseded' };
	const isReplaced =
		known.isWorkerDismissed || (await hasStandbyTakenOver(context, caller, known.standby));
	return { kind: isReplaced ? 'superseded' : 'owned' };
}

async function ownershipBySupervisor(
	context: IExecuteFunctions,
	state: WorkState,
	clock: Clock,
): Promise<Ownership> {
	const { caller } = state;
	const own = context.getExecutionId();
	const data = await context.getExecutionDataById(state.supervisor);
	// Whether it has been replaced is lost.
	if (state.wasSilent && data && isDropped(data)) {
		const waiting = await context.getExecutionDataById(caller.executionId);
		const handle = handleIn(memoryOf(waiting, caller.node), caller);
		const isLeft = await isParked(context, handle?.standby, clock.now());
		return { kind: isLeft ? 'superseded' : 'inTheDark' };
	}
	const { worker = own, standby, isWorkerDismissed } = supervisorStateIn(data, caller.node);
	if (worker !== own || isWorkerDismissed) return { kind: 'superseded' };
	if (await hasStandbyTakenOver(context, caller, standby)) return { kind: 'superseded' };
	if (!state.isSupervisorDismissed) {
		state.silence = checkSilence(data, clock.now(), state.silence);
		if (!isStale(state.silence)) return { kind: 'owned' };
	}
	return { kind: 'unsupervised', standby };
}
