import { withJob } from '../jobs/job';
import { runJob } from '../jobs/runJob';
import type { CreateOperation } from '../spec/types';
import { finishedItems } from './finishedItem';
import { hint } from './hint';
import { acceptedEnds, ceilingOf } from './parameters';
import type { Runner } from './run';

/** Creates the job of one item, unless it has one already, and waits for it if that is asked. */
export const runCreate: Runner<CreateOperation> = async (run, operation, plan) => {
	const { itemIndex, values, request, options } = plan;
	const { job, seen } = await runJob(run.jobs, {
		itemIndex,
		operation,
		values,
		request,
		wait: plan.read('waitForCompletion', true) === true,
		ceilingMs: ceilingOf(options),
		timeoutMs: options.timeout * 1000,
		maxRunning: options.maxConcurrentJobs,
		accepted: acceptedEnds(options),
	});
	if (seen.notWaited !== undefined) hint(run, seen.notWaited);

	const route = 'path' in job.status ? job.status : undefined;
	const { mediaType, operation: name } = operation;
	const origin = { mediaType, route, request: values, operation: name };
	return await finishedItems(run, plan, seen, origin).catch((error: unknown) => {
		throw withJob(error, seen);
	});
};
