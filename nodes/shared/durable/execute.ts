import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import { systemClock, type Clock } from '../clock/clock';
import { ROLE_PARAMETER } from '../form/names';
import { executeItems } from '../run/execute';
import type { Durable } from '../run/run';
import type { Catalog } from '../spec/operation';
import { AGAIN, NOTHING, type Role } from './helper';
import { ordersOf } from './recovery';
import { startDurable } from './startDurable';
import { WATCH, WORK } from './stored';
import { watch } from './watch';
import { handOver, work } from './work';

const DURABLE: Durable = { start: startDurable, ordersOf };

type Runner = (context: IExecuteFunctions, clock: Clock) => Promise<INodeExecutionData[][]>;

const RUNNERS: Record<Role, Runner> = { worker: work, watcher: watch, 'hand-over': handOver };

/** Fields that only a helper's item has. */
const MARKS = [WORK, WATCH, AGAIN];

/**
 * What n8n runs: a user's node over its items, or a helper of a durable run.
 *
 * @throws NodeApiError, NodeOperationError unless the user chose *Continue* for errors; also in a role that this version
 * lacks: as a user's node, it would create new jobs
 */
export async function executeCatalog(
	context: IExecuteFunctions,
	catalog: Catalog,
	clock: Clock = systemClock,
): Promise<INodeExecutionData[][]> {
	const role: unknown = context.getNodeParameter(ROLE_PARAMETER, 0, '');
	if (role === '')
		return refusedItem(context) ?? (await executeItems(context, catalog, clock, DURABLE));
	const runner = RUNNERS[role as Role] as Runner | undefined;
	if (runner) return await runner(context, clock);
	const message = `This version has no durable role ${JSON.stringify(role)}: nothing was created`;
	throw new NodeOperationError(context.getNode(), message);
}

/**
 * What a user's own node gives out if it gets the item of a helper, since a person has retried that with the saved workflow.
 * Under *Continue*, no items: an error would go on as an item, even to nodes that order something.
 *
 * @throws NodeOperationError under *Stop*
 */
function refusedItem(context: IExecuteFunctions): INodeExecutionData[][] | undefined {
	const items = context.getInputData().map(({ json }) => json);
	if (!items.some((json) => MARKS.some((mark) => mark in json))) return undefined;
	const message = 'Nothing was ordered: this is the item of a helper of a durable run';
	const description =
		'To let a red worker go on, open it again, not this retry, and choose Retry with original workflow.';
	if (!context.continueOnFail())
		throw new NodeOperationError(context.getNode(), message, { description });
	const hint = `${message}. ${description}`;
	context.addExecutionHints({ message: hint, type: 'warning', location: 'outputPane' });
	return NOTHING;
}
