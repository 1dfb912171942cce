import { lookAtJob, waitForJob } from '../jobs/waitForJob';
import type { StatusOperation } from '../spec/types';
import { finishedItems } from './finishedItem';
import type { Runner } from './run';

/** Reads the state of the job that an item names, once or until it has finished. */
export const runStatus: Runner<StatusOperation> = async (run, { route, follow }, plan) => {
	const { service, clock, signal } = run;
	const { values, request, options } = plan;
	const awaited = { id: String(values[route.idField]), path: request.path, startedAt: clock.now() };
	const waiting = {
		intervalMs: options.pollInterval * 1000,
		timeoutMs: options.timeout * 1000,
		clock,
		signal,
	};
	const seen = follow
		? await waitForJob(service, awaited, waiting)
		: await lookAtJob(service, awaited, clock);
	return await finishedItems(run, plan, seen, { route });
};
