import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { ordersIn } from '../orders/orders';
import { NOTHING, nothingToRetry, runAgain, startHelper } from './helper';
import { knownWorkers } from './parking';
import {
	callerState,
	type Handle,
	HANDLE,
	HELPER,
	memoryIn,
	parkedTill,
	type Watch,
	type Work,
} from './stored';

/** How long after the worker is due it is checked, and how long it may do nothing then, in ms. */
const AFTER_MS = 90_000;
const SILENT_MS = 66_000;

/**
 * How many in a row are replaced that never parked: n8n may let no worker start, as where the credential is no longer
 * shared. As many hand-overs say so; then the caller takes nothing any more, which n8n does not show.
 */
const MOST_IN_VAIN = 3;

/**
 * The role `watcher`. n8n does not revive an execution that was running when n8n ended. So if the worker is late, and has
 * done nothing between two checks, another goes on with what n8n has stored of it.
 *
 * @throws NodeOperationError if a person retries it: the worker goes on, and starts a watcher where it lacks one
 */
export async function watch(
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	const state = context.getContext('node')[HELPER] as Watch;
	if (context.getMode() === 'retry')
		throw nothingToRetry(context, state.caller, 'needs no watcher to go on');
	const ms = await check(context, state, clock.now()).catch(({ message }: Error) => {
		context.logger.warn(`${context.getNode().name} watches a durable run: ${message}`);
		return SILENT_MS;
	});
	return ms === undefined ? NOTHING : await runAgain(context, clock.now() + ms);
}

/**
 * Looks after the worker once.
 *
 * @returns how long to park then, in ms; `undefined` if nobody waits for the run any more
 */
async function check(
	context: IExecuteFunctions,
	state: Watch,
	now: number,
): Promise<number | undefined> {
	if (!state.hasBegun) {
		// The caller may not have parked yet.
		state.hasBegun = true;
		return AFTER_MS;
	}
	const { caller } = state;
	const waiting = await context.getExecutionDataById(caller.executionId);
	if (callerState(waiting, caller) !== 'here') return undefined;
	state.worker ??= (memoryIn(waiting, caller.node)[HANDLE] as object as Handle).worker;
	if (knownWorkers(now).get(caller.runId) === Infinity) return AFTER_MS;
	const data = await context.getExecutionDataById(state.worker);
	const memory = memoryIn(data, caller.node);
	const work = memory[HELPER] as object as Work | undefined;
	if (work) state.orders = ordersIn(memory);
	const error = data?.resultData.error;
	const isStopped = error !== undefined && 'reason' in error && error.reason === 'manual';
	if (!work || isStopped) return await replace(context, state, { lost: GONE });
	// The worker has taken this watcher for dead, and has another.
	if (work.watcher !== context.getExecutionId()) return undefined;
	const till = parkedTill(data);
	if (till > now - AFTER_MS) {
		state.inVain = 0;
		return Math.max(till, now) - now + AFTER_MS;
	}
	const rounds = data?.resultData.runData[caller.node]?.length ?? 0;
	const seen = `${state.worker} ${rounds} ${till}`;
	if (state.silent === seen) return await replace(context, state, work);
	state.silent = seen;
	return SILENT_MS;
}

/** Starts another worker, or a hand-over that says why none goes on; returns how long to park then, in ms. */
async function replace(
	context: IExecuteFunctions,
	state: Watch,
	work: Partial<Work>,
): Promise<number | undefined> {
	const { caller, orders, credentials } = state;
	state.inVain += 1;
	if (state.inVain > 2 * MOST_IN_VAIN) return undefined;
	const lost = work.lost ?? (state.inVain > MOST_IN_VAIN ? IN_VAIN : undefined);
	const role = lost === undefined ? 'worker' : 'hand-over';
	const own = { ...work, lost, caller, watcher: context.getExecutionId() };
	state.worker = await startHelper(context, role, own, orders, credentials);
	return AFTER_MS;
}

const GONE =
	'The execution that worked for this durable run was stopped or deleted, or n8n has lost what it had stored of it.';
const IN_VAIN =
	'The executions that worked for this durable run ended at once: n8n may not let them start, for example as the credential is no longer shared.';
