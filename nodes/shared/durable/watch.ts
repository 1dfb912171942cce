import type { IExecuteFunctions, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { memoryOf, ordersIn } from '../orders/orders';
import { sentences } from '../service/shownText';
import { NOTHING, runAgain, startHelper } from './helper';
import { knownWorkers } from './round';
import {
	callerState,
	type Handle,
	HANDLE,
	HELPER,
	memoryIn,
	PARKED_VERSION,
	parkedTill,
	type Watch,
	type Work,
} from './stored';

/** How long after the worker is due it is checked, and how long it may do nothing then, in ms. */
const AFTER_MS = 90_000;

/** How many workers in a row are replaced that never parked: n8n may let none start, or the credential may be gone. */
const MOST_IN_VAIN = 3;

/**
 * The role `watcher`. n8n does not revive an execution that was running when n8n ended. So if the worker is late, and has
 * done nothing between two checks, another goes on with what n8n has stored of it. If a person retries it, it ends: no
 * worker names it.
 */
export async function watch(
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	const state = context.getContext('node')[HELPER] as Watch;
	const ms = await check(context, state, clock.now()).catch(({ message }: Error) => {
		context.logger.warn(`${context.getNode().name} watches a durable run: ${message}`);
		return AFTER_MS;
	});
	return ms === undefined ? NOTHING : await runAgain(context, clock.now() + ms);
}

/** Looks after the worker once. @returns how long to park then, in ms; `undefined` if the watcher is needed no more */
async function check(
	context: IExecuteFunctions,
	state: Watch,
	now: number,
): Promise<number | undefined> {
	if (state.silent === undefined) {
		// The caller may not have parked yet.
		state.silent = '';
		return AFTER_MS;
	}
	const { caller } = state;
	const waiting = await context.getExecutionDataById(caller.executionId);
	if (callerState(waiting, caller) !== 'here') return undefined;
	state.worker ??= (memoryIn(waiting, caller.node)[HANDLE] as object as Handle).worker;
	const data = await context.getExecutionDataById(state.worker);
	const memory = memoryIn(data, caller.node);
	const work = memory[HELPER] as object as Work | undefined;
	const own = context.getContext('node');
	// n8n may lose what it has stored of the worker.
	if (work) Object.assign(own, memoryOf(caller.workflowId, ordersIn(memory)));
	let lost = lostBy(work, data);
	if (work && !lost) {
		// The worker has taken this watcher for dead, and has another.
		if (work.watcher !== context.getExecutionId()) return undefined;
		const dueMs = noteWorker(state, now, data);
		if (dueMs !== undefined) return dueMs + AFTER_MS;
	}
	state.inVain += 1;
	// The caller may be dead, which nothing shows, and take nothing.
	if (state.inVain > 2 * MOST_IN_VAIN) return undefined;
	if (state.inVain > MOST_IN_VAIN)
		lost ??= sentences(IN_VAIN, data?.resultData.error?.message ?? '');
	const orders = ordersIn(own);
	if (lost) await startHelper(context, 'hand-over', { caller, lost }, orders);
	else state.worker = await startHelper(context, 'worker', work!, orders, state.credentials);
	return AFTER_MS;
}

/** Why nobody can go on with what n8n has stored of the worker; `undefined` if another can. */
function lostBy(work?: Work, data?: IRunExecutionData): string | undefined {
	const { error } = data?.resultData ?? {};
	const isStopped = error !== undefined && 'reason' in error && error.reason === 'manual';
	if (!work || isStopped) return GONE;
	return work.version === PARKED_VERSION ? undefined : OTHER_VERSION;
}

/**
 * Notes what the worker has done.
 *
 * @returns how long until it is due, in ms; 0 if it is at work, or late for the first time; `undefined` if it is dead
 */
function noteWorker(state: Watch, now: number, data?: IRunExecutionData): number | undefined {
	const { runId, node } = state.caller;
	const isAwake = knownWorkers(now).get(runId) === Infinity;
	const till = isAwake ? now : parkedTill(data);
	if (till > now - AFTER_MS) {
		state.inVain = 0;
		return Math.max(till - now, 0);
	}
	const { runData = {}, error } = data?.resultData ?? {};
	const seenNow = `${state.worker} ${runData[node]?.length ?? 0} ${till}`;
	const isLate = !error && seenNow !== state.silent;
	state.silent = seenNow;
	return isLate ? 0 : undefined;
}

const GONE =
	'The execution that worked for this durable run was stopped or deleted, or n8n has lost what it had stored of it.';
const IN_VAIN =
	'The executions that worked for this durable run ended at once, as where the credential is gone or no longer shared.';
const OTHER_VERSION =
	'Another version of n8n-nodes-mediagen has parked this durable run, and this version cannot go on with it.';
