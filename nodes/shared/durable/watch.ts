import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { memoryOf, ordersIn } from '../orders/orders';
import { NOTHING, nothingToRetry, runAgain, startHelper } from './helper';
import { knownWorkers } from './parking';
import { lostError, resultsOf } from './results';
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

/** Time until another look at a caller that waits for something else, in ms. */
const ELSEWHERE_MS = 600_000;

/**
 * How many workers in a row are replaced that never parked: n8n may let none start, as where the credential is no longer
 * shared.
 */
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
	if (!state.hasBegun) {
		// The caller may not have parked yet.
		state.hasBegun = true;
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
	if (state.silent === seen) {
		state.inVain += 1;
		if (state.inVain > MOST_IN_VAIN) return { lost: IN_VAIN };
		state.worker = await startHelper(context, 'worker', work, ordersIn(memory), state.credentials);
	}
	state.silent = seen;
	return AFTER_MS;
}

const GONE =
	'The execution that worked for this durable run was stopped or deleted, or n8n has lost what it had stored of it.';
const IN_VAIN =
	'The executions that worked for this durable run ended at once: n8n may not let them start, for example as the credential is no longer shared.';
const OTHER_VERSION =
	'Another version of n8n-nodes-mediagen has parked this durable run, and this version cannot go on with it.';
