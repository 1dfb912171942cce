import type { JobSpec } from '../orders/jobContext';
import { runJob } from '../orders/runJob';
import { originOf } from '../output/jobOutput';
import { resultUrls } from '../output/resultUrls';
import type { CreateOperation } from '../spec/operation';
import { jobItems, withSettings } from './finishedItems';
import { type ItemPlan, jobSpecOf, type Run, type Runner } from './run';

/** Creates the job of one item, unless it has one already, and waits for it if that is asked. */
export const runCreate: Runner<CreateOperation> = async (run, operation, plan, onPlace) => {
	const resultIn = resultInOf(run, operation, plan);
	const result = await runJob(run, { ...jobSpecOf(operation, plan), resultIn, onPlace });
	return await jobItems(run, operation, plan, result);
};

/** Reads the result of such jobs; with *Simplify* off, a person wants the service's own record. */
function resultInOf(
	run: Run,
	operation: CreateOperation,
	{ values, options }: ItemPlan,
): JobSpec['resultIn'] {
	if (!options.simplify) return undefined;
	return (job, seen) => {
		const origin = withSettings(run, originOf(operation, values, job));
		const [first] = resultUrls(seen, origin, options.resultField).main;
		return first && { path: first.path, url: first.url };
	};
}
