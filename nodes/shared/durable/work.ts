import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { NOTHING, nothingToRetry, runAgain, startWatcher } from './helper';
import { knownWorkers, noteWorker } from './parking';
import { paidText } from './results';
import { dropNoted, openRows, round } from './round';
import {
	callerState,
	HELPER,
	isSoon,
	PARKED_VERSION,
	parkedTill,
	storedError,
	type Work,
	workerNamed,
} from './stored';

/** Pause after an error that is about no item, in ms, and how many in a row end the run. */
const FAULT_PAUSE_MS = 60_000;
const MOST_FAULTS = 5;

/** A watcher that is overdue by so much, in ms, and so much later still is, is dead or stopped. */
const OVERDUE_MS = 120_000;

/**
 * The role `worker`: one round of a durable run each time that n8n runs the node, until the watcher has handed over what
 * has become of it.
 *
 * @throws NodeOperationError if a person retries it, and its run goes on by itself
 */
export async function work(
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	const state = context.getContext('node')[HELPER] as Work;
	const { runId } = state.caller;
	if (state.owner !== context.getExecutionId()) {
		await takeOver(context, state, clock);
		// Neither the caller nor the watcher that has started this execution may have parked yet.
		await isSoon(clock, async () => (await callerOf(context, state)) === 'here');
		await isSoon(clock, async () => !(await watcherOf(context, state, clock)).hasAnother);
	}
	noteWorker(runId, Infinity);
	const at = await next(context, state, clock).catch((error: unknown) =>
		afterFault(context, state, error, clock),
	);
	noteWorker(runId, at || clock.now());
	return at === undefined ? NOTHING : await runAgain(context, at);
}

/**
 * Notes that this execution works for the run from now on.
 *
 * @throws NodeOperationError if a person retries it, and the run needs nobody, or somebody else works for it
 */
async function takeOver(context: IExecuteFunctions, state: Work, clock: Clock): Promise<void> {
	const { caller } = state;
	if (context.getMode() === 'retry') {
		const isOver = (await callerOf(context, state)) !== 'here';
		const { isInTime: isWatched } = await watcherOf(context, state, clock);
		if (isOver || isWatched || knownWorkers(clock.now()).has(caller.runId)) {
			const why = isOver ? 'does not wait for it any more' : 'goes on by itself';
			throw nothingToRetry(context, caller, why);
		}
		state.watcher = await startWatcher(context, caller, context.getExecutionId());
	}
	state.owner = context.getExecutionId();
	noteWorker(caller.runId, clock.now());
}

const callerOf = async (context: IExecuteFunctions, { caller }: Work) =>
	callerState(await context.getExecutionDataById(caller.executionId), caller);

/** The watcher, as far as what n8n has stored of it shows: whether it is in time, and names another worker. */
async function watcherOf(context: IExecuteFunctions, { watcher, caller }: Work, clock: Clock) {
	const data = await context.getExecutionDataById(watcher);
	const isInTime = !data?.resultData.error && parkedTill(data) > clock.now() - OVERDUE_MS;
	const own = context.getExecutionId();
	return { isInTime, hasAnother: (workerNamed(data, caller.node) ?? own) !== own };
}

/** Does what is next, and gives when n8n is to run the node again, ms since 1970; `undefined` for never. */
async function next(
	context: IExecuteFunctions,
	state: Work,
	clock: Clock,
): Promise<number | undefined> {
	const where = await callerOf(context, state);
	if (where === 'gone' && !state.isOver) {
		dropNoted(context);
		// A person has stopped the caller, and n8n stores nothing of it that would name the jobs.
		const { executionId, node } = state.caller;
		const paid = paidText(context);
		context.logger.warn(`${node}: execution ${executionId} does not wait any more. ${paid}`);
	}
	const watcher = await watcherOf(context, state, clock);
	const isWrong = watcher.hasAnother || state.version !== PARKED_VERSION;
	if (where !== 'here' || isWrong) return undefined;
	const now = clock.now();
	// When n8n has started, both are overdue for a moment.
	state.unwatchedSince = watcher.isInTime ? undefined : (state.unwatchedSince ?? now);
	if (now >= Number(state.unwatchedSince) + OVERDUE_MS) {
		delete state.unwatchedSince;
		// The caller may be dead, which nothing shows.
		if (state.isOver && ++state.faults > MOST_FAULTS) return undefined;
		state.watcher = await startWatcher(context, state.caller, context.getExecutionId());
	}
	if (openRows(state).length > 0 && !state.isOver) {
		const at = await round(context, state, clock);
		state.faults = 0;
		if (at !== undefined) return at;
	}
	if (!state.isOver) Object.assign(state, { isOver: true, faults: 0 });
	return clock.now() + OVERDUE_MS;
}

/** An error that is about no item, such as a credential that is gone: after some of them, all open items fail with it. */
function afterFault(context: IExecuteFunctions, state: Work, error: unknown, clock: Clock): number {
	const stored = storedError(error);
	context.logger.warn(`${context.getNode().name} waits durably: ${stored.message}`);
	// If nothing was sent, nothing is in doubt.
	dropNoted(context);
	state.faults += 1;
	if (state.faults >= MOST_FAULTS) {
		for (const row of openRows(state)) state.done[row] = { error: stored };
	}
	return clock.now() + FAULT_PAUSE_MS;
}
