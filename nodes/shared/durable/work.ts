import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { jobOf } from '../orders/order';
import { ordersIn, paidIdsIn } from '../orders/orders';
import { paidJobsText } from '../run/messages';
import { outputOf } from '../run/outputs';
import { withDetailsBelow } from '../run/nodeError';
import { rowsInWords } from '../run/rows';
import { sentences } from '../service/shownText';
import { capitalized } from '../spec/conditions';
import { NOTHING, nothingToRetry, runAgain, startHelper, startWatcher } from './helper';
import { knownWorkers, noteWorker } from './parking';
import { dropNoted, openDurable, openRows, round, type Step } from './round';
import {
	callerState,
	HELPER,
	isSoon,
	PARKED_VERSION,
	parkedTill,
	planAt,
	storedError,
	type Work,
	workerNamed,
} from './stored';

/** Pause after an error that is about no item, in ms, and how many in a row end the run. */
const FAULT_PAUSE_MS = 60_000;
const MOST_FAULTS = 5;

/** Time until another look at a caller that waits for something else, in ms. */
const ELSEWHERE_MS = 600_000;

/**
 * The role `worker`: one round of a durable run each time that n8n runs the node. After the last one, a hand-over follows.
 *
 * @throws NodeOperationError if a person retries it, and its run goes on by itself
 */
export async function work(
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	const state = workIn(context);
	const { runId } = state.caller;
	if (state.owner !== context.getExecutionId()) {
		await takeOver(context, state, clock);
		// Neither the caller nor the watcher that has started this execution may have parked yet.
		await isSoon(clock, async () => (await callerOf(context, state)) === 'here');
		await isSoon(clock, async () => !(await watcherOf(context, state, clock)).hasAnother);
	}
	noteWorker(runId, Infinity);
	const step = await nextStep(context, state, clock).catch((error: unknown) =>
		afterFault(context, state, error, clock),
	);
	noteWorker(runId, (typeof step === 'number' && step) || clock.now());
	// Not by this one: if a machine dies in queue mode, n8n fails what ran there, and lets its parent go on with that error.
	if (step === 'handOver')
		await startHelper(context, 'hand-over', state, ordersIn(context.getContext('node')));
	return typeof step === 'string' ? NOTHING : await runAgain(context, step);
}

const workIn = (context: IExecuteFunctions) => context.getContext('node')[HELPER] as Work;

/**
 * The role `hand-over`: its end lets the caller go on, with the items or with the error that the node fails with.
 *
 * @throws NodeOperationError if that is so, or a person retries it, and its run goes on by itself
 */
export async function handOver(
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	const state = workIn(context);
	if (state.owner !== context.getExecutionId()) {
		await takeOver(context, state, clock);
		// To n8n, only the end of what has parked counts.
		return await runAgain(context, clock.now());
	}
	const caller = await callerOf(context, state).catch(() => 'elsewhere');
	if (caller === 'gone') return NOTHING;
	if (caller === 'here') return await resultsOf(context, state, clock);
	// If it ended now, n8n would let a caller go on that waits for something else.
	return await runAgain(context, clock.now() + ELSEWHERE_MS);
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
		const { isAlive: isWatched } = await watcherOf(context, state, clock);
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

/** A watcher that is parked until a time so long ago, in ms, is dead or stopped. */
const OVERDUE_MS = 180_000;

/** The watcher, as far as what n8n has stored of it shows: whether it is alive, and names another worker. */
async function watcherOf(context: IExecuteFunctions, { watcher, caller }: Work, clock: Clock) {
	const data = await context.getExecutionDataById(watcher);
	const isAlive = !data?.resultData.error && parkedTill(data) > clock.now() - OVERDUE_MS;
	const own = context.getExecutionId();
	return { isAlive, hasAnother: (workerNamed(data, caller.node) ?? own) !== own };
}

/** What a worker does next. */
async function nextStep(context: IExecuteFunctions, state: Work, clock: Clock): Promise<Step> {
	const caller = await callerOf(context, state);
	if (caller === 'gone') {
		dropNoted(context);
		// A person has stopped the caller, and n8n stores nothing of it that would name the jobs.
		const { executionId, node } = state.caller;
		const paid = paidText(context);
		context.logger.warn(`${node}: execution ${executionId} does not wait any more. ${paid}`);
		return 'over';
	}
	const watcher = await watcherOf(context, state, clock);
	if (caller === 'elsewhere' || watcher.hasAnother) return 'over';
	if (whyLost(state) !== undefined || openRows(state).length === 0) return 'handOver';
	if (!watcher.isAlive)
		state.watcher = await startWatcher(context, state.caller, context.getExecutionId());
	const next = await round(context, state, clock);
	state.faults = 0;
	return next;
}

/** Why nobody can go on with a run; `undefined` where somebody can. */
const whyLost = ({ lost, version }: Work): string | undefined =>
	lost ?? (version === PARKED_VERSION ? undefined : OTHER_VERSION);

const OTHER_VERSION =
	'Another version of n8n-nodes-mediagen has parked this durable run, and this version cannot go on with it.';

/** An error that is about no item, such as a credential that is gone: after some of them, all open items fail with it. */
function afterFault(context: IExecuteFunctions, state: Work, error: unknown, clock: Clock): Step {
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

/** The items that the caller's node gives out. @throws NodeOperationError what it fails with instead */
async function resultsOf(
	context: IExecuteFunctions,
	state: Work,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	const why = whyLost(state);
	if (why !== undefined) throw lostError(context, state, why);
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

/** The message names the jobs, as n8n keeps only that of an error under *Continue*. */
function lostError(context: IExecuteFunctions, { caller }: Work, why: string): NodeOperationError {
	const known = ordersIn(context.getContext('node')).filter(jobOf);
	const rows = [...Array(caller.rows).keys()].map((itemIndex) => ({ itemIndex }));
	const open = rows.filter(({ itemIndex }) => !known.some(({ row }) => row === itemIndex));
	const others = open.length > 0 ? `${capitalized(rowsInWords(open))} may be paid for, too.` : '';
	const message = sentences(why, paidText(context), others);
	const description =
		'Before you run the workflow again: Job > Get Paid Jobs Back gives these jobs with their rows; look for others with Job > Get History.';
	return new NodeOperationError(context.getNode(), message, { description });
}

const paidText = (context: IExecuteFunctions) =>
	paidJobsText(paidIdsIn(context.getContext('node')));
