import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Settled } from '../jobs/batch';
import { jobOutput } from '../output/jobOutput';
import { jobInError, nodeError } from './errors';
import { failure, unnamedJobsText } from './failure';
import type { ItemPlan, Run } from './run';

/** What a run has come to, in input order. */
export interface Results {
	plans: ReadonlyArray<Settled<ItemPlan>>;
	results: ReadonlyArray<Settled<INodeExecutionData[]>>;
	/** Whether an error becomes an item (*Continue*). */
	continueOnFail: boolean;
}

/**
 * The output of a run.
 *
 * @throws NodeApiError, NodeOperationError where an item has failed and is not to become an item
 */
export function outputOf(
	run: Run,
	{ plans, results, continueOnFail }: Results,
): INodeExecutionData[][] {
	if (results.some((result) => 'error' in result) && !continueOnFail)
		throw failure(run, plans, results);
	if (results.every((result) => 'value' in result)) run.ledger.close();
	return [
		results.flatMap((result, itemIndex) => resultItems(run, plans[itemIndex], result, itemIndex)),
	];
}

/** The items of one result: under *Continue* a failed one becomes an item that says why. */
function resultItems(
	run: Run,
	plan: Settled<ItemPlan> | undefined,
	result: Settled<INodeExecutionData[]>,
	itemIndex: number,
): INodeExecutionData[] {
	if ('value' in result) return result.value;
	if ('skipped' in result) return [];
	// Just these keys: n8n takes the item for an error by them, and keeps no others of one that has
	// an `error` beside its json.
	const paid = unnamedJobsText(run, itemIndex, plan, result.error);
	const { message, description } = nodeError(run.context, result.error, itemIndex, paid);
	const details = { description, ...snapshotOutput(result.error) } as IDataObject;
	return [{ json: { error: message, details }, pairedItem: { item: itemIndex } }];
}

function snapshotOutput(error: unknown): IDataObject {
	const job = jobInError(error);
	return job ? jobOutput(job, {}, { simplify: true, resultField: '' }) : {};
}
