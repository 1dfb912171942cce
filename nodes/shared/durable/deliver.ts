import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { readExecution, whereabouts } from './executions';
import { DELIVERY, type Delivery } from './delivery';
import { refusal } from './refuse';
import { again } from './rounds';
import { isOwnVersion } from './version';

/** Until another look at an execution that waits for something else, ms. */
const ELSEWHERE_MS = 600_000;

/**
 * The role of the execution that hands over the results: its end lets the one that waits go on, with
 * what it gives out. n8n does that only for executions that have parked; and for whatever the other
 * waits for then, so this one does not end while that is something else.
 *
 * @throws NodeOperationError where the node is to fail
 */
export async function deliver(
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	const memory = context.getContext('node');
	if (!memory.items) {
		memory.items = context.getInputData();
		return await again(context, 0);
	}
	if (!memory.hasParked) {
		memory.hasParked = true;
		return await again(context, clock.now());
	}
	const [first, ...items] = memory.items as unknown as INodeExecutionData[];
	const delivery = first?.json[DELIVERY] as object as Delivery;
	const { waiter } = delivery;
	const where = whereabouts(await readExecution(context, waiter.executionId), waiter);
	if (where === 'elsewhere') return await again(context, clock.now() + ELSEWHERE_MS);
	const error = delivery.error ?? (isOwnVersion(delivery) ? undefined : refusalOf(items));
	if (!error) return [items];
	const { message, description } = error;
	throw new NodeOperationError(context.getNode(), message, { description });
}

/** Of results that another version has made, which may mean something else by now. */
const refusalOf = (items: readonly INodeExecutionData[]) =>
	refusal(items.flatMap(({ json: { jobId } }) => (jobId === undefined ? [] : [String(jobId)])));
