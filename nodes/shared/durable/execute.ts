import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { systemClock, type Clock } from '../clock/clock';
import { executeItems } from '../run/execute';
import type { Durable } from '../run/run';
import type { Catalog } from '../spec/types';
import { ordersOf } from './recovery';
import { runAsHelper } from './role';
import { startDurable } from './startDurable';

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
	return (
		(await runAsHelper(context, clock)) ?? (await executeItems(context, catalog, clock, DURABLE))
	);
}
