import type { INodeExecutionData } from 'n8n-workflow';

import { withJob } from '../jobs/job';
import { replacedText } from '../jobs/ledger';
import { runJob, type Order, type Outcome } from '../jobs/runJob';
import type { CreateOperation } from '../spec/types';
import { finishedItems } from './finishedItem';
import { hint } from './hint';
import { acceptedEnds, ceilingOf } from './parameters';
import type { Plan, Run, Runner } from './run';

/** Creates the job of one item, unless it has one already, and waits for it if that is asked. */
export const runCreate: Runner<CreateOperation> = async (run, operation, plan) =>
	await itemsOf(run, operation, plan, await runJob(run.jobs, orderOf(operation, plan)));

/** What an item orders. */
export function orderOf(operation: CreateOperation, plan: Plan): Order {
	const { itemIndex, values, request, options } = plan;
	return {
		itemIndex,
		operation,
		values,
		request,
		wait: plan.read('waitForCompletion', true) === true,
		ceilingMs: ceilingOf(options),
		timeoutMs: options.timeout * 1000,
		maxRunning: options.maxConcurrentJobs,
		accepted: acceptedEnds(options),
	};
}

/**
 * The items of a job.
 *
 * @throws JobError; it carries the job
 */
export async function itemsOf(
	run: Run,
	operation: CreateOperation,
	plan: Plan,
	{ job, seen }: Outcome,
): Promise<INodeExecutionData[]> {
	if (seen.notWaited !== undefined) hint(run, seen.notWaited);
	const replaced = replacedText(run.jobs.ledger.find(plan.itemIndex, plan.request));
	if (replaced !== '') hint(run, `Item ${plan.itemIndex}: ${replaced}`);
	const route = 'path' in job.status ? job.status : undefined;
	const { mediaType, operation: name } = operation;
	const origin = { mediaType, route, request: plan.values, operation: name };
	return await finishedItems(run, plan, seen, origin).catch((error: unknown) => {
		throw withJob(error, seen);
	});
}
