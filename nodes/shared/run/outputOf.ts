import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Settled } from '../jobs/batch';
import { jobOf } from '../jobs/order';
import { jobOutput } from '../output/jobOutput';
import { toolAnswer } from '../output/toolAnswer';
import { jobInError, nodeError } from './errors';
import { failedItem, type FailedAs } from './failedItem';
import { failure, storedOrder, unnamedText } from './failure';
import { isTool } from './openRun';
import { originOf } from './origin';
import type { ItemPlan, Run } from './run';

/** What a run has come to, in input order. */
export interface Results {
	plans: ReadonlyArray<Settled<ItemPlan>>;
	results: ReadonlyArray<Settled<INodeExecutionData[]>>;
	/** Whether an error becomes an item (*Continue*). */
	continueOnFail: boolean;
	/** How it leaves the node then. */
	failedAs: FailedAs;
}

/**
 * The output of a run.
 *
 * @throws NodeApiError, NodeOperationError where an item has failed and is not to become an item
 */
export function outputOf(
	run: Run,
	{ plans, results, continueOnFail, failedAs }: Results,
): INodeExecutionData[][] {
	if (results.some((result) => 'error' in result) && !continueOnFail)
		throw failure(run, plans, results);
	if (results.every((result) => 'value' in result)) run.ledger.close();
	return [
		results.flatMap((result, itemIndex) =>
			resultItems(run, plans[itemIndex], result, itemIndex, failedAs),
		),
	];
}

/** The items of one result: under *Continue* a failed one becomes an item that says why. */
function resultItems(
	run: Run,
	plan: Settled<ItemPlan> | undefined,
	result: Settled<INodeExecutionData[]>,
	itemIndex: number,
	as: FailedAs,
): INodeExecutionData[] {
	if ('value' in result) return result.value;
	if ('skipped' in result) return [];
	const unnamed = unnamedText(run, itemIndex, plan, result.error);
	const texts = nodeError(run.context, result.error, itemIndex, unnamed);
	const job = failedJob(run, itemIndex, plan, result.error);
	const shown = isTool(run.context.getNode()) ? toolAnswer(job) : job;
	return [{ json: failedItem(texts, shown, as), pairedItem: { item: itemIndex } }];
}

/** The item of the job that has failed, or that an earlier try of the item has paid for. */
function failedJob(
	run: Run,
	itemIndex: number,
	plan: Settled<ItemPlan> | undefined,
	error: unknown,
): IDataObject {
	const stored = jobOf(storedOrder(run, itemIndex, plan));
	const job = jobInError(error);
	if (!job) return stored ? { jobId: stored.id } : {};
	const { operation, values = {} } = plan && 'value' in plan ? plan.value : {};
	const isCreated = operation?.kind === 'create';
	const origin = isCreated ? originOf(operation, values, stored?.status) : {};
	return jobOutput(job, origin, { simplify: true, resultField: '' });
}
