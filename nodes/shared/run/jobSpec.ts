import type { Failing } from '../jobs/job';
import type { JobSpec } from '../jobs/jobContext';
import type { CreateOperation } from '../spec/types';
import type { RunOptions } from './readOptions';
import type { ItemPlan } from './run';

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

/** Ends of a job without a result that the user wants as items. */
export function nonErrorOutcomesOf(options: RunOptions): Failing[] {
	const { onTimeout, onJobFailure, outputByStatus } = options;
	return [
		...(onTimeout === 'item' || outputByStatus ? (['timeout'] as const) : []),
		...(onJobFailure === 'item' || outputByStatus ? (['failed'] as const) : []),
	];
}

/** ms between two polls of a job at most, where the user says so. */
export function maxPollIntervalOf({ pollInterval }: RunOptions): number | undefined {
	return pollInterval === undefined ? undefined : pollInterval * 1000;
}
