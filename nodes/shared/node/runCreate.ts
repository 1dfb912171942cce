import { createJob, isDoubtful } from '../jobs/createJob';
import { JobError, withJob, type Job, type SeenJob } from '../jobs/job';
import type { Entry } from '../jobs/ledger';
import { stateIn } from '../jobs/readRecord';
import { waitForJob } from '../jobs/waitForJob';
import { ServiceError } from '../service/serviceError';
import type { CreateOperation } from '../spec/types';
import { finishedItems } from './finishedItem';
import { hint } from './hint';
import type { Plan, Run, Runner } from './run';

/** Creates the job of one item, unless it has one already, and waits for it if that is asked. */
export const runCreate: Runner<CreateOperation> = async (run, operation, plan) => {
	const job = await paidJob(run, operation, plan);
	const wait = plan.read('waitForCompletion', true) === true;
	const seen = wait ? await finish(run, plan, job) : asCreated(job);
	if (seen.notWaited !== undefined) hint(run, seen.notWaited);

	const route = 'path' in job.status ? job.status : undefined;
	const { mediaType, operation: name } = operation;
	const origin = { mediaType, route, request: plan.values, operation: name };
	return await finishedItems(run, plan, seen, origin).catch((error: unknown) => {
		throw withJob(error, seen);
	});
};

/** The job that an earlier try paid for, or a new one (money rules 1 and 2). */
async function paidJob(run: Run, operation: CreateOperation, plan: Plan): Promise<Job> {
	const { ledger, service, clock } = run;
	const { itemIndex, request } = plan;
	const remember = (entry: Entry) => {
		ledger.remember(itemIndex, request, { ...entry, executionId: run.context.getExecutionId() });
	};
	const entry = ledger.find(itemIndex, request);
	if (entry && !isToBeRepeated(run, entry)) {
		if (entry.job) return entry.job;
		throw stillInDoubt(entry.doubt ?? '');
	}
	const job = await createJob(service, operation, request, clock).catch((error: unknown) => {
		if (isDoubtful(error)) remember({ doubt: (error as Error).message });
		throw error;
	});
	remember({ job });
	return job;
}

/**
 * A job that failed and a creation in doubt are repeated only where a person asked for it, having
 * read what happened: by *Retry execution*, not by *Retry On Fail* within one execution.
 */
function isToBeRepeated({ context }: Run, { failed, doubt, executionId }: Entry): boolean {
	const byPerson = context.getMode() === 'retry' && executionId !== context.getExecutionId();
	return byPerson && (failed === true || doubt !== undefined);
}

function stillInDoubt(doubt: string): ServiceError {
	return new ServiceError({
		message: `Not sent again, since the first try may have been paid for: ${doubt}`,
		description:
			'Look into the history (Job > Get History). If the job is not there, retry this execution or run the workflow again.',
		outcome: 'unknown',
	});
}

async function finish(run: Run, plan: Plan, job: Job): Promise<SeenJob> {
	if ('unknown' in job.status) return { ...asCreated(job), notWaited: job.status.unknown };
	const { service, clock, signal, ledger } = run;
	const { pollInterval, timeout } = plan.options;
	const awaited = { ...job, path: job.status.path };
	const waiting = { intervalMs: pollInterval * 1000, timeoutMs: timeout * 1000, clock, signal };
	return await waitForJob(service, awaited, waiting).catch((error: unknown) => {
		if (error instanceof JobError && error.kind === 'failed') {
			const executionId = run.context.getExecutionId();
			ledger.remember(plan.itemIndex, plan.request, { job, failed: true, executionId });
		}
		throw error;
	});
}

function asCreated({ id, creation }: Job): SeenJob {
	return { id, state: stateIn(creation), record: creation, creation, waitedMs: 0 };
}
