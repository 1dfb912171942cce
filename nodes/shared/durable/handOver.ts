import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { paidIdsIn } from '../orders/orders';
import { paidJobsText } from '../run/messages';
import { withDetailsBelow } from '../run/nodeError';
import { outputOf } from '../run/outputs';
import { sentences } from '../service/shownText';
import { NOTHING, nothingToRetry, runAgain } from './helper';
import { openDurable } from './round';
import { type Caller, callerState, HELPER, type HandOver, planAt, type Work } from './stored';

/** Time until another look at a caller that waits for something else, in ms. */
const ELSEWHERE_MS = 600_000;

/**
 * The role `hand-over`: its end lets the caller go on, with the items or with the error that the node fails with.
 *
 * @throws NodeOperationError if that is so, or a person retries it: the worker starts another where that is needed
 */
export async function handOver(
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	const state = context.getContext('node')[HELPER] as HandOver;
	const { caller, hasParked } = state;
	if (context.getMode() === 'retry')
		throw nothingToRetry(context, caller, 'needs no hand-over to go on');
	state.hasParked = true;
	// To n8n, only the end of what has parked counts.
	if (!hasParked) return await runAgain(context, clock.now());
	const data = await context.getExecutionDataById(caller.executionId);
	const where = callerState(data, caller);
	if (where === 'gone') return NOTHING;
	// If it ended now, n8n would let a caller go on that waits for something else.
	if (where === 'elsewhere') return await runAgain(context, clock.now() + ELSEWHERE_MS);
	if ('lost' in state) throw lostError(context, caller, state.lost);
	return await resultsOf(context, state, clock);
}

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
