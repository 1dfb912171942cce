import { snapshotIfNoError, type JobSnapshot } from '../jobs/job';
import { pollJob, waitForJob, type Awaited } from '../jobs/waitForJob';
import { sendWithRetry } from '../service/retry';
import type { Service } from '../service/service';
import { JOB_ID_FIELD } from '../spec/jobs';
import type { JobRoute, StatusOperation } from '../spec/types';
import { finishedItems } from '../run/finishedItem';
import { nonErrorOutcomesOf, maxPollIntervalOf } from '../run/jobSpec';
import type { ItemPlan, Run, Runner } from '../run/run';

/** Reads the state of the job that an item names, once or until it has finished. */
export const runStatus: Runner<StatusOperation> = async (run, { routes, follow }, plan) => {
	const { values, request } = plan;
	const id = String(values[JOB_ID_FIELD]);
	const { route, value: startedWith } = routes[0] as JobRoute;
	const { stateField } = route;
	const awaited = { id, path: request.path, stateField, startedAt: run.clock.elapsed() };
	const snapshot = follow
		? await waitFor(run, plan, awaited, route.isInHistory)
		: await pollJob(retrying(run), awaited, run.clock);
	return await finishedItems(run, plan, snapshot, { route, startedWith }, awaited);
};

async function waitFor(
	{ service, account, clock, signal }: Run,
	{ options }: ItemPlan,
	awaited: Awaited,
	isInHistory = false,
): Promise<JobSnapshot> {
	account.limiter.followed += 1;
	return await waitForJob(service, awaited, {
		maxPollIntervalMs: maxPollIntervalOf(options),
		timeoutMs: options.timeout * 1000,
		clock,
		signal,
		...(isInHistory && { historyPoller: account.historyPoller }),
	})
		.catch((error: unknown) => snapshotIfNoError(error, nonErrorOutcomesOf(options)))
		.finally(() => (account.limiter.followed -= 1));
}

/** The service, for a single poll that the limits should not make fail. */
function retrying({ service, clock, signal }: Run): Service {
	return {
		...service,
		send: async (request) => await sendWithRetry(service, request, clock, { signal }),
	};
}
