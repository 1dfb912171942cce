import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { jobOf } from '../orders/order';
import { ordersIn, paidIdsIn } from '../orders/orders';
import { paidJobsText } from '../run/messages';
import { withDetailsBelow } from '../run/nodeError';
import { outputOf } from '../run/outputs';
import { rowsInWords } from '../run/rows';
import { sentences } from '../service/shownText';
import { capitalized } from '../spec/conditions';
import { openDurable } from './round';
import { type Caller, planAt, type Work } from './stored';

/** The items that the caller's node gives out. @throws NodeOperationError what it fails with instead */
export async function resultsOf(
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
export function lostError(
	context: IExecuteFunctions,
	caller: Caller,
	why: string,
): NodeOperationError {
	const known = ordersIn(context.getContext('node')).filter(jobOf);
	const rows = [...Array(caller.rows).keys()].map((itemIndex) => ({ itemIndex }));
	const open = rows.filter(({ itemIndex }) => !known.some(({ row }) => row === itemIndex));
	const others = open.length > 0 ? `${capitalized(rowsInWords(open))} may be paid for, too.` : '';
	const message = sentences(why, paidText(context), others);
	const description =
		'Before you run the workflow again: Job > Get Paid Jobs Back gives these jobs with their rows; look for others with Job > Get History.';
	return new NodeOperationError(context.getNode(), message, { description });
}

/** The jobs that the run has paid for, as far as this helper knows. */
export const paidText = (context: IExecuteFunctions) =>
	paidJobsText(paidIdsIn(context.getContext('node')));
