import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Waiter } from './executions';
import { relay } from './relay';
import { PARKED_VERSION, type Parked } from './version';

/** What the execution that hands over the results is started with, as its first item. */
export const DELIVERY = 'mediaGenDelivery';

export interface Delivery extends Parked {
	waiter: Waiter;
	/** What the node is to fail with, in place of results. */
	error?: Texts;
}

/** An error in words. */
export interface Texts {
	message: string;
	description: string;
}

/**
 * Starts the execution whose end lets the one that waits go on.
 *
 * @param items the results; none beside an error
 * @returns its id
 */
export async function startDelivery(
	context: IExecuteFunctions,
	waiter: Waiter,
	{ error, items = [] }: { error?: Texts; items?: INodeExecutionData[] },
): Promise<string> {
	const { executionId, workflowId } = waiter;
	const delivery: Delivery = { version: PARKED_VERSION, waiter, ...(error && { error }) };
	const started = await context.executeWorkflow(
		{ code: relay(context.getNode(), 'deliver', 'dropped') },
		[{ json: { [DELIVERY]: delivery as object as IDataObject } }, ...items],
		undefined,
		{
			doNotWaitToFinish: true,
			parentExecution: { executionId, workflowId, shouldResume: true },
		},
	);
	return started.executionId;
}

/** Names jobs, so that none is lost (money rule 3). */
export const paidJobsText = (ids: readonly string[]) =>
	ids.length > 0 ? `Paid for: jobs ${ids.join(', ')}.` : '';
