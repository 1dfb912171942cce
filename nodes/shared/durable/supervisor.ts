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

/** How long after the worker is due it is checked, in ms. */
const AFTER_MS = 90_000;

/** Time between two checks while the worker is silent, in ms. */
const SUSPICIOUS_MS = 66_000;

/**
 * Time from when n8n has stored that a worker is dismissed until another takes its place, in ms. The worker may be
 * alive: what it does until it next asks (`CHECK_MS`, and a quiet tick) is then in the copy that the other one gets.
 */
const DISMISSED_MS = 15_000;

/** Shortest time between two checks by a standby, in ms: rarely awake, it is rarely hit by a kill. */
const SELDOM_MS = 900_000;

/** A wake-up later than this, in ms, means that n8n was not running: others may be as late. */
const LATE_MS = 90_000;

/** How many times results are handed over again at most. */
const MOST_DELIVERIES = 3;

/** What a check has decided: to check again in `ms` milliseconds, or that there is nothing left to supervise. */
type Decision =
	| { kind: 'checkIn'; ms: number }
	/** `leadsOn`: the current worker may be found only through this supervisor, so n8n has to keep it. */
	| { kind: 'quit'; leadsOn: boolean };

async function quit(
	context: IExecuteFunctions,
	{ caller, standby, hasReplaced }: SupervisorState,
): Promise<Decision> {
	const leadsOn = hasReplaced ?? (await hasStandbyTakenOver(context, caller, standby));
	return { kind: 'quit', leadsOn };
}

/** Another supervisor has taken this one's place, or its standby is about to. */
const SUPERSEDED: Decision = { kind: 'quit', leadsOn: true };

const checkIn = (ms: number): Decision => ({ kind: 'checkIn', ms });

/**
 * The role `supervise`. n8n does not revive an execution that was running when n8n was killed. So if the
 * worker, or the execution that hands over the results, has done nothing for two checks, a replacement
 * starts with what n8n has stored. There are two supervisors, in case one is awake just when n8n is
 * killed: the supervisor, and its standby, which checks seldom.
 *
 * A parked worker is checked only after it is due, however long that takes: a kill cannot hit it before.
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
	// A late check means that n8n was down, so the check before does not count. Late twice in a row means that this
	// process's clock is ahead of the one that wakes it up, or that n8n is always so busy.
	if (!state.wasSilent && clock.now() - dueAt > LATE_MS) state.silence = undefined;
	return await checkRun(context, state, clock);
}

/**
 * Lets this supervisor's standby look. It is the last thing that a supervisor does, so that it never causes both to be
 * awake together. If it fails, the standby looks when it is due.
 */
async function wakeOwn(context: IExecuteFunctions, state: SupervisorState, now: number) {
	if (state.standby) await attempt(wakeStandby(context, state.caller, state.standby, now));
}

/** The worker may not have begun, so the first check only makes sure that there is a standby. */
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
		// A standby has none of its own that could have taken over.
		delete state.wasSilent;
		await followSupervisor(context, state);
	}
	const data = await context.getExecutionDataById(String(state.worker));
	const work = data && workOf(state, data);
	if (!data || !work || isStopped(data)) return await quit(context, state);
	// While this supervisor was silent, the worker may have dismissed it. If its standby lives, that goes on with a copy.
	const isUnsure = isDropped(data) && !state.isStandby && isOverdue(state, clock.now());
	if (isUnsure && (await isParked(context, state.standby, clock.now()))) {
		await wakeOwn(context, state, clock.now());
		return SUPERSEDED;
	}
	// Not asked of a copy, which may date from before this one became the supervisor.
	if (!state.isStandby && !isDropped(data) && !isSupervisorOf(work.state, own)) return SUPERSEDED;

	const { resuming } = work.state;
	const checked = resuming === undefined ? data : await context.getExecutionDataById(resuming);
	const before = state.silence;
	state.silence = checkSilence(checked, clock.now(), before);
	if (state.isStandby && (state.silence || state.isWorkerDismissed)) {
		const supervisor = await context.getExecutionDataById(work.state.supervisor);
		const { standby = own } = supervisorStateIn(supervisor, caller.node);
		// This standby was silent itself and has been replaced, so nobody asks whether it takes over.
		if (standby !== own) return { kind: 'quit', leadsOn: false };
		noteDropped(state, supervisor);
		state.silence &&= joined(state.silence, checkSilence(supervisor, clock.now()), before);
	}
	if (!(await hasStandby(context, state, clock))) return SUPERSEDED;
	if (!state.isWorkerDismissed) {
		if (!state.silence) return checkIn(usualMs(state, checked, clock.now()));
		if (!isStale(state.silence, 2 ** state.deliveries)) return checkIn(SUSPICIOUS_MS);
		// A worker that has handed over does nothing any more, and need not be dismissed first.
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

/** Whether a check is so late that its supervisor has seemed silent, and the standby may have taken over. */
const isOverdue = ({ dueAt }: SupervisorState, now: number) =>
	dueAt !== undefined && now - dueAt > SLACK_MS;

/** @param other its supervisor or standby: if n8n has dropped that, nobody knows whether it started another worker */
function noteDropped(state: SupervisorState, other: IRunExecutionData | undefined): void {
	if (other && isDropped(other)) state.isInTheDark = true;
}

/** The work of the worker, as stored; a copy if n8n has dropped that. */
function workOf(state: SupervisorState, data: IRunExecutionData): Work | undefined {
	const { caller, copy, worker } = state;
	const work = workIn(data, caller.node);
	if (work) state.copy = { worker: String(worker), work };
	if (work || !copy || copy.worker !== worker || !isDropped(data)) return work;
	return workOfCopy(copy.work);
}

/** Whether a standby is parked, and so alive. One that is awake may be, too, but nothing shows it. */
async function isParked(context: IExecuteFunctions, standby: string | undefined, now: number) {
	if (standby === undefined) return false;
	return parkedTill(await context.getExecutionDataById(standby)) > now - SLACK_MS;
}

const isSupervisorOf = ({ supervisor, isSupervisorDismissed }: WorkState, id: string) =>
	supervisor === id && !isSupervisorDismissed;

/** Starts a replacement for the worker; a standby that has done so becomes the supervisor. */
async function replace(context: IExecuteFunctions, state: SupervisorState, work: Work) {
	const replacement = replacementOf(work, context.getExecutionId());
	state.worker = await start(context, state.caller, 'work', [{ json: workItem(replacement) }]);
	// The replacement may be killed, and dropped by n8n, before the next check.
	state.copy = { worker: state.worker, work: replacement };
	delete state.isWorkerDismissed;
	delete state.isInTheDark;
	state.hasReplaced = true;
	// Only after that, as the new standby has to know who works now.
	if (state.isStandby) {
		delete state.isStandby;
		state.standby = await startStandby(context, state);
	}
	state.silence = undefined;
}

/**
 * Finds the execution that works now: since the last check, a supervisor may have replaced the worker,
 * and each replacement may have another supervisor.
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
		// If nobody takes the results any more, each new standby would otherwise count from 0.
		state.deliveries = Math.max(state.deliveries, supervisor.deliveries ?? 0);
	}
}

/** For a standby, which counts only checks in which both worker and supervisor have done nothing. */
function joined(worker: Silence, supervisor?: Silence, before?: Silence): Silence | undefined {
	if (!supervisor) return undefined;
	return silentAgain(`${worker.fingerprint} ${supervisor.fingerprint}`, before);
}

/**
 * Makes sure that there is a standby.
 *
 * @returns whether it is still a standby; if n8n woke this execution up late, it may have taken over
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
 * Whether the standby of a supervisor has replaced worker and supervisor. Nobody tells those two, and they may be
 * alive: their process may only have stood still.
 */
async function hasStandbyTakenOver(
	context: IExecuteFunctions,
	caller: Caller,
	standby: string | undefined,
): Promise<boolean> {
	if (standby === undefined) return false;
	return isSupervisor(await context.getExecutionDataById(standby), caller);
}

/** Whether an execution that was started as a standby has taken over, or is about to. */
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
 * @param known what it has to know besides its caller
 * @returns its ID
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

/** Time until the next check while all is well, in ms: that is soon after the worker is due. */
function usualMs(state: SupervisorState, data: IRunExecutionData | undefined, now: number): number {
	if (state.isStandby) return seldomMs(state, now);
	return Math.max(parkedTill(data) - now, 0) + AFTER_MS;
}

/** Time until the next check of a standby, in ms; longer if workers park long because there are many runs. */
const seldomMs = ({ caller }: SupervisorState, now: number) =>
	Math.max(SELDOM_MS, 2 * minimumParkMs(otherParkedRuns(caller.runId, now)));

/** Shortest time between two checks of caller and supervisor by a worker, in ms. */
const CHECK_MS = 5_000;

/**
 * Whether a worker is the one that works on its run:
 * - `owned`: it is
 * - `callerGone`: no execution waits for the results any more
 * - `superseded`: its supervisor, or the standby of that, has started another worker, or is about to
 * - `unsupervised`: it is, but its supervisor is dead; with the supervisor's standby, if there was one
 * - `inTheDark`: n8n has dropped its supervisor, so nobody knows whether there is another worker, and the standby that
 *   the caller names is not there to go on if there is none
 */
type Ownership =
	| { kind: 'owned' | 'callerGone' | 'superseded' | 'inTheDark' }
	| { kind: 'unsupervised'; standby?: string };

/** Asks who owns a run, and starts nothing; notes in the state what it saw, and when. */
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
	// The time before the answers came: the process may have stood still before it read them.
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
	// The first time, the caller may not have parked yet.
	return isFirst ? await isStoredSoon(clock, isHere) : await isHere();
}

/**
 * A replacement owns the run once its supervisor has stored the replacement's ID. If the supervisor dies before,
 * another replacement comes, unless it was a standby that took over: that has no standby of its own.
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
	// n8n has dropped the only note of whether this worker has been replaced.
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
