import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type IRunExecutionData,
	NodeOperationError,
} from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import type { Settled } from '../orders/batch';
import { paidIdsIn } from '../orders/orders';
import { paidJobsText } from '../run/messages';
import { outputOf } from '../run/outputs';
import { withDetailsBelow } from '../run/nodeError';
import { attempt } from '../service/attempt';
import { isWatching, NOTHING, runAgain, startWatcher, startWorker } from './helper';
import { awake, isWorkedFor, noteWorker } from './parking';
import { dropNoted, openDurable, openRows, round, type Step } from './round';
import {
	type Caller,
	callerState,
	errorOf,
	isSoon,
	memoryIn,
	PARKED_VERSION,
	planOf,
	remembered,
	storedError,
	WATCH,
	type Watch,
	WORK,
	type Work,
} from './stored';

/** Pause after an error that is about no item, in ms, and how many in a row end the run. */
const FAULT_PAUSE_MS = 60_000;
const MOST_FAULTS = 5;

/** Time until another look at a caller that waits for something else, in ms. */
const ELSEWHERE_MS = 600_000;

/**
 * The role `worker`: one round of a durable run each time that n8n runs the node. The last one hands the items over.
 *
 * @throws NodeOperationError if the caller's node is to fail, or a person retries a worker whose run goes on by itself
 */
export async function work(
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	const { state, isNew } = remembered<Work>(context, WORK);
	// n8n stores what there is to do before anything is done.
	if (isNew) return await runAgain(context);
	const own = context.getExecutionId();
	if (state.owner !== own) await begin(context, state, clock);
	awake.add(own);
	const next = await attempt(nextStep(context, state, clock));
	awake.delete(own);
	const step = 'value' in next ? next.value : afterFault(context, state, next.error, clock);
	if ('value' in next) state.faults = 0;
	if (step === 'over') return NOTHING;
	if (step === 'handOver' && !state.handsOver) {
		// Not this one: if a machine dies in queue mode, n8n fails what ran there, and lets its parent go on with that error.
		const final = { ...state, handsOver: true as const };
		await startWorker(context, state.caller, final, context.getContext('node'));
		return NOTHING;
	}
	if (step === 'handOver' && state.hasParked) return await handOver(context, state, clock);
	const at = step === 'handOver' ? clock.now() : step;
	noteWorker(state.caller.runId, at || clock.now());
	if (at > 0) state.hasParked = true;
	return await runAgain(context, at);
}

/**
 * The first round of an execution.
 *
 * @throws NodeOperationError if a person retries it, and somebody else works for the run
 */
async function begin(context: IExecuteFunctions, state: Work, clock: Clock): Promise<void> {
	const { caller } = state;
	delete state.hasParked;
	if (context.getMode() === 'retry') {
		const isOver = (await callerOf(context, state)) !== 'here';
		const isWatched = isWatching(await watcherOf(context, state), clock.now());
		if (isOver || isWatched || isWorkedFor(caller.runId, clock.now())) {
			const why = isOver ? 'does not wait for it any more' : 'goes on by itself';
			const message = `Nothing to retry: execution ${caller.executionId} ${why}`;
			throw new NodeOperationError(context.getNode(), message);
		}
		await replaceWatcher(context, state);
	} else {
		// Neither the caller nor the watcher that has started this execution may have parked yet.
		await isSoon(clock, async () => (await callerOf(context, state)) === 'here');
		const isSo = async () => isNamed(context, caller, await watcherOf(context, state));
		if (!state.handsOver) await isSoon(clock, isSo);
	}
	state.owner = context.getExecutionId();
	noteWorker(caller.runId, clock.now());
}

async function replaceWatcher(context: IExecuteFunctions, state: Work): Promise<void> {
	const { caller, plans } = state;
	state.watcher = await startWatcher(context, caller, plans.length, context.getExecutionId());
}

const callerOf = async (context: IExecuteFunctions, { caller }: Work) =>
	callerState(await context.getExecutionDataById(caller.executionId), caller);

const watcherOf = async (context: IExecuteFunctions, { watcher }: Work) =>
	await context.getExecutionDataById(watcher);

/** Whether a watcher, as n8n has stored it, names no other worker. */
function isNamed(
	context: IExecuteFunctions,
	{ node }: Caller,
	watcher?: IRunExecutionData,
): boolean {
	const { worker } = (memoryIn(watcher, node)[WATCH] ?? {}) as Partial<Watch>;
	return worker === undefined || worker === context.getExecutionId();
}

/** What comes next. */
async function nextStep(context: IExecuteFunctions, state: Work, clock: Clock): Promise<Step> {
	const caller = await callerOf(context, state);
	if (caller === 'gone') {
		dropNoted(context);
		// A person has stopped the caller, and n8n stores nothing of it that would name the jobs.
		const paid = paidJobsText(paidIdsIn(context.getContext('node')));
		const { executionId, node } = state.caller;
		context.logger.warn(`${node}: execution ${executionId} does not wait any more. ${paid}`);
		return 'over';
	}
	// If it ended while the caller waits for something else, n8n would let that go on.
	if (state.handsOver) return caller === 'here' ? 'handOver' : clock.now() + ELSEWHERE_MS;
	const watcher = await watcherOf(context, state);
	if (caller === 'elsewhere' || !isNamed(context, state.caller, watcher)) return 'over';
	if (isUnreadable(state) || openRows(state).length === 0) return 'handOver';
	if (!isWatching(watcher, clock.now())) await replaceWatcher(context, state);
	return await round(context, state, clock);
}

const isUnreadable = ({ lost, version }: Work) => lost !== undefined || version !== PARKED_VERSION;

/** An error that is about no item, such as a credential that is gone: after some of them, all open items fail with it. */
function afterFault(context: IExecuteFunctions, state: Work, error: unknown, clock: Clock): Step {
	const stored = storedError(error);
	context.logger.warn(`${context.getNode().name} waits durably: ${stored.message}`);
	state.faults += 1;
	if (state.faults >= MOST_FAULTS) {
		dropNoted(context);
		for (const row of openRows(state)) state.done[row] = { error: stored };
	}
	return clock.now() + FAULT_PAUSE_MS;
}

/** Its end lets the caller go on: with the items, or with the error that the node fails with. */
async function handOver(
	context: IExecuteFunctions,
	state: Work,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	if (isUnreadable(state)) throw unreadable(context, state);
	const { continueOnFail, failedAs, done } = state;
	const rest = new AbortController().signal;
	const run = await openDurable(context, state, clock, { kind: 'recover', rest });
	const plans = state.plans.map(planOf);
	const results = plans.map((plan, row): Settled<INodeExecutionData[]> => {
		const one = done[row];
		if (one) return 'items' in one ? { value: one.items } : { error: errorOf(one.error) };
		return 'error' in plan ? plan : { skipped: true };
	});
	try {
		return [outputOf(run, { plans, results, continueOnFail, failedAs })];
	} catch (error) {
		throw withDetailsBelow(error);
	}
}

/** The message names the jobs, as n8n keeps only that of an error under *Continue*. */
function unreadable(context: IExecuteFunctions, { lost }: Work): NodeOperationError {
	const { message, description } = lost ?? {
		message: `Another version of n8n-nodes-mediagen has parked this durable run, and this version cannot go on with it. ${paidJobsText(paidIdsIn(context.getContext('node')))}`,
		description:
			'No more jobs were created. Read those that are paid for with Job > Wait for Completion, and run the workflow again for the other items.',
	};
	return new NodeOperationError(context.getNode(), message, { description });
}
