import type { IExecuteFunctions } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import {
	callerState,
	checkSilence,
	isStale,
	PARKING_CHECK_MS,
	PARKING_MS,
	readExecution,
	type Caller,
} from './executions';
import { start } from './roleWorkflow';
import { newSupervisorState, SUPERVISOR, supervisorStateIn, type WorkState } from './state';

/** Between two times that the caller and the supervisor are checked, ms. */
const CHECK_MS = 5_000;

/**
 * Whether a worker is the one that works on its run:
 * - `owned`: it is
 * - `callerGone`: no execution waits for the results any more
 * - `superseded`: its supervisor takes another execution for the worker
 * - `unsupervised`: it is, but its supervisor is dead; with the standby of that one, where it had one
 */
export type Ownership =
	| { kind: 'owned' | 'callerGone' | 'superseded' }
	| { kind: 'unsupervised'; standby?: string };

/** Asks who owns a run, and starts nothing; notes in the state what was seen, and when. */
export async function ownershipOf(
	context: IExecuteFunctions,
	state: WorkState,
	clock: Clock,
): Promise<Ownership> {
	const isFirst = state.checkedAt === undefined;
	if (!isFirst && clock.now() - Number(state.checkedAt) < CHECK_MS) return { kind: 'owned' };
	if (!(await isWaitedFor(context, state, clock, isFirst))) return { kind: 'callerGone' };
	state.checkedAt = clock.now();
	if (state.isReplacement) return await replacementOwnership(context, state, clock);
	return isFirst ? { kind: 'owned' } : await ownershipBySupervisor(context, state, clock);
}

async function isWaitedFor(
	context: IExecuteFunctions,
	{ caller }: WorkState,
	clock: Clock,
	isFirst: boolean,
): Promise<boolean> {
	// Of the first time, the caller may not have parked yet.
	const deadline = clock.elapsed() + (isFirst ? PARKING_MS : 0);
	for (;;) {
		const data = await readExecution(context, caller.executionId);
		if (callerState(data, caller) === 'here') return true;
		if (clock.elapsed() >= deadline) return false;
		await clock.sleep(PARKING_CHECK_MS);
	}
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
	const deadline = clock.elapsed() + PARKING_MS;
	for (;;) {
		const data = await readExecution(context, supervisor);
		const { worker, isStandby } = supervisorStateIn(data, caller.node);
		if (worker === context.getExecutionId()) return { kind: 'owned' };
		if (clock.elapsed() >= deadline) return { kind: isStandby ? 'unsupervised' : 'superseded' };
		await clock.sleep(PARKING_CHECK_MS);
	}
}

async function ownershipBySupervisor(
	context: IExecuteFunctions,
	state: WorkState,
	clock: Clock,
): Promise<Ownership> {
	const own = context.getExecutionId();
	const data = await readExecution(context, state.supervisor);
	const { worker = own, standby } = supervisorStateIn(data, state.caller.node);
	if (worker !== own) return { kind: 'superseded' };
	state.silence = checkSilence(data, clock.now(), state.silence);
	return isStale(state.silence) ? { kind: 'unsupervised', standby } : { kind: 'owned' };
}

/**
 * Starts a supervisor for the execution that runs.
 *
 * @param standby that of the supervisor before
 * @returns its id
 */
export async function startSupervisor(
	context: IExecuteFunctions,
	caller: Caller,
	standby?: string,
): Promise<string> {
	const worker = context.getExecutionId();
	const supervisor = { ...newSupervisorState(caller), worker, ...(standby && { standby }) };
	return await start(context, caller, 'supervise', { [SUPERVISOR]: supervisor });
}
