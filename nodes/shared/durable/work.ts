import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { jobOf } from '../orders/order';
import { ordersIn } from '../orders/orders';
import { rowsInWords, withDetailsBelow } from '../run/messages';
import { outputOf } from '../run/outputs';
import { rowOf } from '../run/run';
import { sentences } from '../service/shownText';
import { NOTHING, runAgain, startHelper, startWatcher } from './helper';
import { dropNoted, knownWorkers, openDurable, openRows, round, workers } from './round';
import {
	callerState,
	type HandOver,
	HELPER,
	isSoon,
	PARKED_VERSION,
	parkedTill,
	planAt,
	type Work,
	workerNamed,
} from './stored';

/** A watcher that is overdue by so much, in ms, is dead or stopped. */
const WATCHER_OVERDUE_MS = 180_000;

/**
 * The role `worker`: one round of a durable run each time that n8n runs the node. After the last one, a hand-over follows.
 *
 * @throws NodeOperationError if a person retries it, and its run goes on by itself
 * @throws ServiceError, Error about no item, such as a credential that is gone: then the watcher starts another
 */
export async function work(
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	const state = context.getContext('node')[HELPER] as Work;
	const { runId } = state.caller;
	if (state.worker !== context.getExecutionId()) {
		await takeOver(context, state, clock);
		// Neither the caller nor the watcher that has started this execution may have parked yet.
		await isSoon(clock, async () => (await callerOf(context, state)) === 'here');
		await isSoon(clock, async () => !(await watcherOf(context, state, clock)).hasAnother);
	}
	workers.set(runId, Infinity);
	const at = await next(context, state, clock).finally(() => workers.set(runId, clock.now()));
	if (at) workers.set(runId, at);
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
			const message = `Nothing to retry: execution ${caller.executionId} ${why}. ${IF_IT_WAITS}`;
			throw new NodeOperationError(context.getNode(), message);
		}
		state.watcher = await startWatcher(context, caller, context.getExecutionId());
	}
	state.worker = context.getExecutionId();
	workers.set(caller.runId, clock.now());
}

const callerOf = async (context: IExecuteFunctions, { caller }: Work) =>
	callerState(await context.getExecutionDataById(caller.executionId), caller);

/** The watcher, as far as what n8n has stored of it shows: whether it is in time, and names another worker. */
async function watcherOf(context: IExecuteFunctions, { watcher, caller }: Work, clock: Clock) {
	const data = await context.getExecutionDataById(watcher);
	const isInTime = !data?.resultData.error && parkedTill(data) > clock.now() - WATCHER_OVERDUE_MS;
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
	if (where === 'gone') dropNoted(context);
	const watcher = await watcherOf(context, state, clock);
	if (where !== 'here' || watcher.hasAnother) return undefined;
	if (state.version !== PARKED_VERSION) return undefined;
	if (!watcher.isInTime)
		state.watcher = await startWatcher(context, state.caller, context.getExecutionId());
	const at = openRows(state).length > 0 ? await round(context, state, clock) : undefined;
	if (at === undefined)
		await startHelper(context, 'hand-over', state, ordersIn(context.getContext('node')));
	return at;
}

const IF_IT_WAITS =
	'If it still waits after 15 minutes, open its newest red worker, and choose Retry with original workflow.';

/** Time until another look at a caller that waits for something else, in ms. */
const ELSEWHERE_MS = 600_000;

/**
 * The role `hand-over`: its end lets the caller go on, with the items or with the error that the node fails with.
 *
 * @throws NodeOperationError if that is so
 */
export async function handOver(
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	const state = context.getContext('node')[HELPER] as HandOver;
	const { caller, hasParked } = state;
	state.hasParked = true;
	// To n8n, only the end of what has parked counts.
	if (!hasParked) return await runAgain(context, clock.now());
	const where = await context
		.getExecutionDataById(caller.executionId)
		.then((data) => callerState(data, caller))
		.catch(() => 'elsewhere');
	if (where === 'gone') return NOTHING;
	// If it ended now, n8n would let a caller go on that waits for something else.
	if (where === 'elsewhere') return await runAgain(context, clock.now() + ELSEWHERE_MS);
	if ('lost' in state) throw lostError(context, state.lost);
	const run = await openDurable(context, state, clock);
	const rows = state.plans.map((stored, row) => {
		const plan = stored ? planAt(state, row) : undefined;
		return rowOf(run.orders, row, { plan, result: state.done[row] });
	});
	try {
		return [outputOf(run, rows, state)];
	} catch (error) {
		throw withDetailsBelow(error);
	}
}

/** Why nobody can go on. The message names the jobs, as n8n keeps only that of an error under *Continue*. */
function lostError(context: IExecuteFunctions, why: string): NodeOperationError {
	const known = ordersIn(context.getContext('node')).filter(jobOf);
	const ids = known.map((order) => jobOf(order)?.id).join(', ');
	const rows = rowsInWords(known.map(({ row }) => ({ itemIndex: row })));
	const message =
		known.length > 0
			? sentences(why, `Paid for: jobs ${ids}. Any row but ${rows} may be paid for, too.`)
			: sentences(why, 'Any row may be paid for, too.');
	const description =
		'Before you run the workflow again: Job > Get Paid Jobs Back gives these jobs with their rows; look for others with Job > Get History.';
	return new NodeOperationError(context.getNode(), message, { description });
}
