import type { INodeExecutionData } from 'n8n-workflow';

import { withJob } from '../jobs/job';
import { replacedText } from '../jobs/ledger';
import type { JobResult, JobSpec } from '../jobs/jobContext';
import { runJob } from '../jobs/runJob';
import { jobOutput } from '../output/jobOutput';
import { resultUrls } from '../output/resultUrls';
import type { CreateOperation } from '../spec/types';
import { finishedItems, withSettings } from './finishedItem';
import { hint } from './hint';
import { nonErrorOutcomesOf, maxPollIntervalOf } from './parameters';
import { originOf } from './origin';
import type { ItemPlan, Run, Runner } from './run';

/** Creates the job of one item, unless it has one already, and waits for it if that is asked. */
export const runCreate: Runner<CreateOperation> = async (run, operation, plan, onSlot) =>
	await carryOut(run, operation, plan, { outcome: outcomeOf(run, operation, plan), onSlot });

/** The same for an item whose job has ended: its record is read once more, from its own status. */
export const rereadCreate: Runner<CreateOperation> = async (run, operation, plan) =>
	await carryOut(run, operation, plan, { isReread: true });

async function carryOut(
	run: Run,
	operation: CreateOperation,
	plan: ItemPlan,
	more: Pick<JobSpec, 'outcome' | 'isReread' | 'onSlot'>,
): Promise<INodeExecutionData[]> {
	const result = await runJob(run, { ...jobSpecOf(operation, plan), ...more });
	return await jobItems(run, operation, plan, result);
}

/** What a user gets to see of a record: two that come to the same are alike. */
function outcomeOf(
	run: Run,
	operation: CreateOperation,
	{ values, options }: ItemPlan,
): JobSpec['outcome'] {
	const { simplify, resultField } = options;
	return ({ status }) => {
		const origin = withSettings(run, originOf(operation, values, status));
		return {
			kind: [operation.resource, operation.operation, simplify, resultField].join(' '),
			read: (snapshot) => {
				const urls = resultUrls(snapshot, origin, resultField);
				const seen = { ...snapshot, waitedMs: 0 };
				return { text: JSON.stringify(jobOutput(seen, origin, options, urls)), urls: urls.main };
			},
		};
	};
}

/** What an item orders. */
export function jobSpecOf(operation: CreateOperation, plan: ItemPlan): JobSpec {
	const { itemIndex, values, request, options } = plan;
	return {
		itemIndex,
		operation,
		values,
		request,
		wait: plan.read('waitForCompletion', true) === true,
		maxPollIntervalMs: maxPollIntervalOf(options),
		timeoutMs: options.timeout * 1000,
		maxRunning: options.maxConcurrentJobs,
		nonErrorOutcomes: nonErrorOutcomesOf(options),
	};
}

/**
 * The items of a job.
 *
 * @throws JobError; it carries the job
 */
export async function jobItems(
	run: Run,
	operation: CreateOperation,
	plan: ItemPlan,
	{ job, snapshot }: JobResult,
): Promise<INodeExecutionData[]> {
	if (snapshot.notWaited !== undefined) hint(run, snapshot.notWaited);
	const replaced = replacedText(run.ledger.find(plan.itemIndex, plan.request));
	if (replaced !== '') hint(run, `Item ${plan.itemIndex}: ${replaced}`);
	const origin = originOf(operation, plan.values, job.status);
	const place = 'path' in job.status ? job.status : undefined;
	return await finishedItems(run, plan, snapshot, origin, place).catch((error: unknown) => {
		throw withJob(error, snapshot);
	});
}
