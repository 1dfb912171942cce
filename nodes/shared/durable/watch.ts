import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { memoryOf, ordersIn, paidIdsIn } from '../orders/orders';
import { paidJobsText } from '../run/messages';
import { withDetailsBelow } from '../run/nodeError';
import { outputOf } from '../run/outputs';
import { sentences } from '../service/shownText';
import { NOTHING, nothingToRetry, runAgain, startHelper } from './helper';
import { knownWorkers } from './parking';
import { openDurable } from './round';
import {
	type Caller,
	callerState,
	type Handle,
	HANDLE,
	HELPER,
	memoryIn,
	PARKED_VERSION,
	parkedTill,
	planAt,
	type Watch,
	type Work,
} from './stored';

/** How long after the worker is due it is checked, and how long it may do nothing then, in ms. */
const AFTER_MS = 90_000;

/** Time until another look at a caller that waits for something else, in ms. */
const ELSEWHERE_MS = 600_000;

/** How many workers in a row are replaced that never parked: n8n may let none start, or the credential may be gone. */
const MOST_IN_VAIN = 3;

/**
 * The role `watcher`. n8n does not revive an execution that was running when n8n ended. So if the worker is late, and has
 * done nothing between two checks, another goes on with what n8n has stored of it. Once it is over, the end of the watcher
 * lets the caller go on, with the items or with the error that the node fails with.
 *
 * @throws NodeOperationError if that is so, or a person retries it: the worker starts a watcher where it lacks one
 */
export async function watch(
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	const state = context.getContext('node')[HELPER] as Watch;
	if (context.getMode() === 'retry')
		throw nothingToRetry(context, state.caller, 'needs no watcher to go on');
	const seen = await check(context, state, clock.now()).catch(({ message }: Error) => {
		context.logger.warn(`${context.getNode().name} watches a durable run: ${message}`);
		return AFTER_MS;
	});
	if (seen === 'gone') return NOTHING;
	if (typeof seen === 'number') return await runAgain(context, clock.now() + seen);
	if ('lost' in seen) throw lostError(context, state.caller, seen.lost);
	return await resultsOf(context, seen, clock);
}

/** What a check comes to: how long to park then, in ms; the work, if it is over; or why nobody can go on with it. */
type Seen = number | Work | { lost: string } | 'gone';

/** Looks after the worker once. */
async function check(context: IExecuteFunctions, state: Watch, now: number): Promise<Seen> {
	if (state.silent === undefined) {
		// The caller may not have parked yet.
		state.silent = '';
		return AFTER_MS;
	}
	const { caller } = state;
	const waiting = await context.getExecutionDataById(caller.executionId);
	const where = callerState(waiting, caller);
	// If it ended now, n8n would let a caller go on that waits for something else.
	if (where !== 'here') return where === 'gone' ? 'gone' : ELSEWHERE_MS;
	state.worker ??= (memoryIn(waiting, caller.node)[HANDLE] as object as Handle).worker;
	const data = await context.getExecutionDataById(state.worker);
	const memory = memoryIn(data, caller.node);
	const work = memory[HELPER] as object as Work | undefined;
	const error = data?.resultData.error;
	const isStopped = error !== undefined && 'reason' in error && error.reason === 'manual';
	if (!work || isStopped) return { lost: GONE };
	// n8n may lose what it has stored of the worker.
	Object.assign(context.getContext('node'), memoryOf(caller.workflowId, ordersIn(memory)));
	if (work.version !== PARKED_VERSION) return { lost: OTHER_VERSION };
	// The worker has taken this watcher for dead, and has another.
	if (work.watcher !== context.getExecutionId()) return ELSEWHERE_MS;
	if (work.isOver) return work;
	const isAwake = knownWorkers(now).get(caller.runId) === Infinity;
	const till = isAwake ? now : parkedTill(data);
	if (till > now - AFTER_MS) {
		state.inVain = 0;
		return Math.max(till, now) - now + AFTER_MS;
	}
	const rounds = data?.resultData.runData[caller.node]?.length ?? 0;
	const seen = `${state.worker} ${rounds} ${till}`;
	if (error || state.silent === seen) {
		state.inVain += 1;
		if (state.inVain > MOST_IN_VAIN) return { lost: sentences(IN_VAIN, error?.message ?? '') };
		state.worker = await startHelper(context, 'worker', work, ordersIn(memory), state.credentials);
	}
	state.silent = seen;
	return AFTER_MS;
}

const GONE =
	'The execution that worked for this durable run was stopped or deleted, or n8n has lost what it had stored of it.';
const IN_VAIN =
	'The executions that worked for this durable run ended at once, as where the credential is gone or no longer shared.';
const OTHER_VERSION =
	'Another version of n8n-nodes-mediagen has parked this durable run, and this version cannot go on with it.';

/** The items that the caller's node gives out. @throws NodeOperationError what it fails with instead */
async function resultsOf(
	context: IExecuteFunctions,
	state: Work,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	const { continueOnFail, failedAs, done } = state;
	const run = await openDurable(context, state, clock);
	const plans = state.plans.map((plan, row) => (plan ? { value: planAt(state, row) } : SKIPPED));
	const results = plans.map((_, row) => done[row] ?? SKIPPED);
	try {
		return [outputOf(run, { plans, results, continueOnFail, failedAs })];
	} catch (error) {
		throw withDetailsBelow(error);
	}
}

const SKIPPED = { skipped: true as const };

/** Why nobody can go on. The message names the jobs, as n8n keeps only that of an error under *Continue*. */
function lostError(context: IExecuteFunctions, caller: Caller, why: string): NodeOperationError {
	const jobs = paidIdsIn(context.getContext('node'));
	const others = jobs.length < caller.rows ? 'Other rows may be paid for, too.' : '';
	const message = sentences(why, paidJobsText(jobs), others);
	const description =
		'Before you run the workflow again: Job > Get Paid Jobs Back gives these jobs with their rows; look for others with Job > Get History.';
	return new NodeOperationError(context.getNode(), message, { description });
}
