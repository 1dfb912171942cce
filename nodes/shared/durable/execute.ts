import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import { systemClock, type Clock } from '../clock/clock';
import { ROLE_PARAMETER } from '../form/names';
import { executeItems } from '../run/execute';
import type { Durable } from '../run/run';
import type { Catalog } from '../spec/operation';
import { handOver } from './handOver';
import { AGAIN, NOTHING, runAgain } from './helper';
import { ordersOf } from './recovery';
import { startDurable } from './startDurable';
import { HELPER, isNew } from './stored';
import { watch } from './watch';
import { work } from './work';

const DURABLE: Durable = { start: startDurable, ordersOf };

/**
 * What n8n runs: a user's node over its items, or a helper of a durable run.
 *
 * @throws NodeApiError, NodeOperationError unless the user chose *Continue* for errors
 */
export async function executeCatalog(
	context: IExecuteFunctions,
	catalog: Catalog,
	clock: Clock = systemClock,
): Promise<INodeExecutionData[][]> {
	const role = context.getNodeParameter(ROLE_PARAMETER, 0, '');
	if (role === '')
		return refusedItem(context) ?? (await executeItems(context, catalog, clock, DURABLE));
	// n8n stores what there is to do before anything is done, and a node that parks at first would pass on its input.
	if (isNew(context)) return await runAgain(context);
	const runner = role === 'watcher' ? watch : role === 'hand-over' ? handOver : work;
	return await runner(context, clock);
}

/**
 * What a user's own node gives out if it gets the item of a helper, since a person has retried that with the saved workflow.
 * Under *Continue*, no items: an error would go on as an item, even to nodes that order something.
 *
 * @throws NodeOperationError under *Stop*
 */
function refusedItem(context: IExecuteFunctions): INodeExecutionData[][] | undefined {
	if (!context.getInputData().some(({ json }) => HELPER in json || AGAIN in json)) return undefined;
	const message =
		'Nothing was ordered: this is the item of a helper of a durable run. To let a red worker go on, open it again, not this retry, and choose Retry with original workflow.';
	if (!context.continueOnFail()) throw new NodeOperationError(context.getNode(), message);
	context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
	return NOTHING;
}
