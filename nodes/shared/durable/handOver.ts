import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { jobOf } from '../orders/order';
import { ordersIn } from '../orders/orders';
import { rowsInWords, withDetailsBelow } from '../run/messages';
import { outputOf } from '../run/outputs';
import { rowOf } from '../run/run';
import { sentences } from '../service/shownText';
import { NOTHING, runAgain } from './helper';
import { openDurable } from './round';
import { callerState, HELPER, type HandOver, planAt } from './stored';

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
