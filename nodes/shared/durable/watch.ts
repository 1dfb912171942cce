import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeOperationError,
} from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { jobOf } from '../orders/order';
import { ordersIn } from '../orders/orders';
import { paidJobsText } from '../run/messages';
import { rowsInWords } from '../run/rows';
import { attempt } from '../service/attempt';
import { capitalized } from '../spec/conditions';
import { NOTHING, runAgain, startWorker } from './helper';
import { awake } from './parking';
import {
	callerState,
	type Handle,
	HANDLE,
	memoryIn,
	parkedTill,
	remembered,
	WATCH,
	type Watch,
	WORK,
	type Work,
} from './stored';

/** How long after the worker is due it is checked, and how long it may do nothing then, in ms. */
const AFTER_MS = 90_000;
const SILENT_MS = 66_000;

/**
 * How many workers in a row are replaced that never parked: n8n may let none start, as where the credential is no longer
 * shared, or the caller takes no results any more, which nothing shows.
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
	const { state, isNew } = remembered<Watch>(context, WATCH);
	// A node that parks before it has given out anything would pass on its input.
	if (isNew) return await runAgain(context);
	if (context.getMode() === 'retry') throw retryWorker(context, state);
	const checked = await attempt(check(context, state, clock.now()));
	if ('value' in checked) {
		const ms = checked.value;
		return ms === undefined ? NOTHING : await runAgain(context, clock.now() + ms);
	}
	const { message } = checked.error as Error;
	context.logger.warn(`${context.getNode().name} watches a durable run: ${message}`);
	return await runAgain(context, clock.now() + SILENT_MS);
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
	if (awake.has(state.worker)) return AFTER_MS;
	const data = await context.getExecutionDataById(state.worker);
	const memory = memoryIn(data, caller.node);
	const work = memory[WORK] as object as Work | undefined;
	const error = data?.resultData.error;
	const isStopped = error !== undefined && 'reason' in error && error.reason === 'manual';
	if (!work || isStopped) return await replace(context, state, lost(state, GONE));
	// The worker has taken this watcher for dead, and has another.
	if (work.watcher !== context.getExecutionId()) return undefined;
	noteJobs(state, memory);
	const till = parkedTill(data);
	if (till > now - AFTER_MS) {
		Object.assign(state, { silent: undefined, inVain: 0 });
		return Math.max(till, now) - now + AFTER_MS;
	}
	const rounds = data?.resultData.runData[caller.node]?.length ?? 0;
	const seen = `${state.worker} ${rounds} ${till}`;
	if (state.silent === seen) return await replace(context, state, work, memory);
	state.silent = seen;
	return SILENT_MS;
}

/** Starts another worker, and returns how long to park then, in ms. */
async function replace(
	context: IExecuteFunctions,
	state: Watch,
	work: Partial<Work>,
	memory: IDataObject = {},
): Promise<number | undefined> {
	const { caller } = state;
	const { plans = [], done = {} } = work;
	state.inVain += 1;
	const isLast = plans.every((_, row) => done[row]);
	if (state.inVain > MOST_IN_VAIN * (work.lost ? 2 : 1) && isLast) return undefined;
	const next = state.inVain > MOST_IN_VAIN && !isLast ? lost(state, IN_VAIN) : work;
	const own = { ...next, caller, watcher: context.getExecutionId() };
	state.worker = await startWorker(context, caller, own, memory, state.credentials);
	delete state.silent;
	return AFTER_MS;
}

/** Notes the jobs that a worker knows, in case n8n loses what it has stored of it. */
function noteJobs(state: Watch, memory: IDataObject): void {
	for (const order of ordersIn(memory)) {
		const job = jobOf(order);
		if (job) state.jobs[order.row] = job.id;
	}
}

const GONE =
	'The execution that worked for this durable run was stopped or deleted, or n8n has lost what it had stored of it.';
const IN_VAIN =
	'The executions that worked for this durable run ended at once: n8n may not let them start, for example as the credential is no longer shared.';

/** There is nothing left to do but to say so: names the jobs as the last check has seen them, and the rows that may have others. */
function lost({ rows, jobs }: Watch, why: string): Partial<Work> {
	const open = [...Array(rows).keys()].filter((row) => jobs[row] === undefined);
	const named = rowsInWords(open.map((itemIndex) => ({ itemIndex })));
	const others = open.length > 0 ? `${capitalized(named)} may be paid for, too.` : '';
	// The message names the jobs, as n8n keeps only that of an error under *Continue*.
	const message = [why, paidJobsText(Object.values(jobs)), others].join(' ');
	const description =
		'Look for jobs of such rows with Job > Get History, and get each with Job > Wait for Completion, before you run the workflow again for the rest.';
	return { lost: { message, description }, handsOver: true };
}

function retryWorker(context: IExecuteFunctions, { caller }: Watch): NodeOperationError {
	const message = `Nothing to retry: execution ${caller.executionId} needs no watcher to go on`;
	const description =
		'If it has not gone on after 15 minutes, open its newest red worker, and choose Retry with original workflow.';
	return new NodeOperationError(context.getNode(), message, { description });
}
