import { acceptedJob, type SeenJob } from '../jobs/job';
import { lookAtJob, waitForJob, type Awaited } from '../jobs/waitForJob';
import { sendPatiently } from '../service/retry';
import type { Service } from '../service/service';
import type { StatusOperation } from '../spec/types';
import { finishedItems } from '../run/finishedItem';
import { acceptedEnds, ceilingOf } from '../run/parameters';
import type { Plan, Run, Runner } from '../run/run';

/** Reads the state of the job that an item names, once or until it has finished. */
export const runStatus: Runner<StatusOperation> = async (run, { route, follow }, plan) => {
	const { values, request } = plan;
	const id = String(values[route.idField]);
	const { stateField } = route;
	const awaited = { id, path: request.path, stateField, startedAt: run.clock.now() };
	const seen = follow
		? await waitFor(run, plan, awaited, route.isInHistory)
		: await lookAtJob(patient(run), awaited, run.clock);
	return await finishedItems(run, plan, seen, { route });
};

async function waitFor(
	{ service, jobs }: Run,
	{ options }: Plan,
	awaited: Awaited,
	isInHistory = false,
): Promise<SeenJob> {
	const { account, clock, signal } = jobs;
	account.followed.count++;
	return await waitForJob(service, awaited, {
		ceilingMs: ceilingOf(options),
		timeoutMs: options.timeout * 1000,
		clock,
		signal,
		...(isInHistory && { lookout: account.lookout }),
	})
		.catch((error: unknown) => acceptedJob(error, acceptedEnds(options)))
		.finally(() => account.followed.count--);
}

/** The service, for a single look that the limits should not make fail. */
function patient({ service, clock, signal }: Run): Service {
	return {
		...service,
		send: async (request) => await sendPatiently(service, request, clock, { signal }),
	};
}
