import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Settled } from '../jobs/batch';
import { jobOutput } from '../output/jobOutput';
import { jobOf, nodeError } from './errors';
import { failure, paidFor } from './failure';
import type { Plan, Run } from './run';

/** What a run has come to, in input order. */
export interface Results {
	plans: ReadonlyArray<Settled<Plan>>;
	results: ReadonlyArray<Settled<INodeExecutionData[]>>;
	/** Whether an error becomes an item (*Continue*). */
	goOn: boolean;
}

/**
 * The output of a run.
 *
 * @throws NodeApiError, NodeOperationError where an item has failed and is not to become an item
 */
export function outputOf(run: Run, { plans, results, goOn }: Results): INodeExecutionData[][] {
	if (results.some((result) => 'error' in result) && !goOn) throw failure(run, plans, results);
	if (results.every((result) => 'value' in result)) run.jobs.ledger.close();
	return [
		results.flatMap((result, itemIndex) => itemsOf(run, plans[itemIndex], result, itemIndex)),
	];
}

/** The items of one result: under *Continue* a failed one becomes an item that says why. */
function itemsOf(
	run: Run,
	plan: Settled<Plan> | undefined,
	result: Settled<INodeExecutionData[]>,
	itemIndex: number,
): INodeExecutionData[] {
	if ('value' in result) return result.value;
	if ('skipped' in result) return [];
	// Just these keys: n8n takes the item for an error by them, and keeps no others of one that has
	// an `error` beside its json.
	const paid = paidFor(run, itemIndex, plan, result.error);
	const { message, description } = nodeError(run.context, result.error, itemIndex, paid);
	const details = { description, ...seenJob(result.error) } as IDataObject;
	return [{ json: { error: message, details }, pairedItem: { item: itemIndex } }];
}

function seenJob(error: unknown): IDataObject {
	const job = jobOf(error);
	return job ? jobOutput(job, {}, { simplify: true, resultField: '' }) : {};
}
