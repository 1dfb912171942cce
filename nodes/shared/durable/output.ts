import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { Batch, NotStarted } from '../jobs/batch';
import type { Clock } from '../clock/clock';
import { outputOf } from '../run/outputOf';
import { jobItems } from '../run/runCreate';
import { unpacked, unpackPlan } from './packing';
import { recall, takeIn, WORK, type WorkState } from './state';
import { openDurable } from './stretch';

/**
 * The role of the execution that makes the items of a durable run, as the node itself would.
 *
 * @throws NodeOperationError where an item has failed and is not to become an item
 */
export async function output(
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	takeIn(context, WORK);
	const state = recall<WorkState>(context, WORK);
	const run = await openDurable(context, state, clock);
	const plans = state.plans.map(unpackPlan);
	const results = await new Batch(true).settle(
		[...plans.entries()],
		async ([itemIndex, plan]) => {
			if ('error' in plan) throw plan.error;
			const result = unpacked(state.results[itemIndex] ?? { skipped: true });
			if ('error' in result) throw result.error;
			if ('skipped' in plan || 'skipped' in result) throw new NotStarted();
			const { operation } = plan.value;
			if (operation.kind !== 'create') throw new NotStarted();
			return await jobItems(run, operation, plan.value, result.value);
		},
		Infinity,
	);
	return outputOf(run, { plans, results, continueOnFail: state.continueOnFail });
}
