import type { Typical } from '../account/requests';
import { attempt, type Attempt } from '../clock/clock';
import { holds } from '../spec/values';
import { COMPLETED } from '../spec/answers';
import { findStatus, type StatusNotFound, type StatusFound } from './findStatus';
import type { ShownJob } from './history';
import {
	type Job,
	JobError,
	type JobSnapshot,
	snapshotOrThrow,
	type StatusPlace,
	stopped,
	timedOut,
} from './job';
import type { CreatedJob, JobContext, JobResult, JobSpec } from './jobContext';
import { identifiersOf } from './readStatus';
import { jobOf, type Outcome } from './order';
import { stateIn } from './readRecord';
import { startJob } from './startJob';
import { GRACE_MS, waitForJob } from './waitForJob';

/**
 * Creates the job of an item when a place is free, unless the item has one already, and waits for its end (money rules
 * 1 to 3).
 *
 * @throws JobError when the job came to no result; it carries the job
 * @throws ServiceError when no job was created, or that is unknown
 * @throws NotStarted when the run does not start any more jobs
 */
export async function runJob(run: JobContext, jobSpec: JobSpec): Promise<JobResult> {
	const found = orderedJob(run, jobSpec);
	const created = found ?? (await startJob(run, jobSpec));
	const { job, place } = created;
	if (!jobSpec.wait) {
		leave(run, jobSpec, created);
		return { job, snapshot: asCreated(job) };
	}
	const finished = await attempt(finish(run, jobSpec, created));
	// Before the place is given back: an item that gets it must know by then that nothing more is to be begun.
	if ('error' in finished) run.onItemFailed();
	if (isLeft(finished)) leave(run, jobSpec, created);
	else place?.release();
	if ('error' in finished) throw finished.error;
	return finished.value;
}

const orderOf = ({ orders }: JobContext, { order, itemIndex }: JobSpec) =>
	order ?? orders.find(itemIndex);

/** The job that an earlier try has paid for. */
function orderedJob(run: JobContext, jobSpec: JobSpec): CreatedJob | undefined {
	const order = orderOf(run, jobSpec);
	const job = jobOf(order);
	if (!job) return undefined;
	if (order?.outcome.state !== 'running') return { job };
	return { job, place: run.account.limits.takeBack(job.id, run) };
}

function settle(run: JobContext, jobSpec: JobSpec, outcome: Outcome): void {
	const order = orderOf(run, jobSpec);
	if (order) run.orders.settle(order, outcome);
}

/** Whether nobody waits for the job any longer, although it is still running. */
function isLeft(finished: Attempt<JobResult>): boolean {
	if ('value' in finished) return finished.value.snapshot.timedOut === true;
	const { error } = finished;
	return error instanceof JobError && (error.kind === 'timeout' || error.kind === 'stopped');
}

/** @throws JobError when the job came to no result */
async function finish(run: JobContext, jobSpec: JobSpec, created: CreatedJob): Promise<JobResult> {
	let { job } = created;
	try {
		const located = await locate(run, jobSpec, job);
		if ('notWaited' in located) return { job, snapshot: { ...asCreated(job), ...located } };
		({ job } = located);
		const { timeoutMs, since, graceMs } = jobSpec;
		const snapshot = await waitForJob(run, located.job, {
			...{ timeoutMs, since, graceMs, typical: typicalOf(jobSpec) },
			...{ place: created.place, shown: shownOf(jobSpec, job), record: located.record },
		});
		settle(run, jobSpec, { state: 'completed', job });
		return { job, snapshot, foundHint: located.foundHint };
	} catch (error) {
		const hasFailed = error instanceof JobError && error.kind === 'failed';
		if (hasFailed) settle(run, jobSpec, { state: 'failed', job });
		return { job, snapshot: snapshotOrThrow(error, jobSpec.failuresAreItems) };
	}
}

/** A job with the place where its state is read, and what was read there a moment ago. */
interface Located extends Omit<StatusFound, 'id' | 'status'> {
	job: Job & { status: StatusPlace };
}

/**
 * Finds out where the state of a job is read, and notes in its order what was found.
 *
 * @throws JobError when it was stopped, or its time is up
 */
async function locate(
	run: JobContext,
	jobSpec: JobSpec,
	job: Job,
): Promise<Located | StatusNotFound> {
	if (job.status) return { job: { ...job, status: job.status } };
	const { clock, signal } = run;
	const { operation, timeoutMs, since = job.startedAt, graceMs = GRACE_MS } = jobSpec;
	const sought = {
		...{ family: operation.status.value, link: job.link },
		...{ identifiers: identifiersOf(job), createdAt: job.startedAt },
		// Some time is left even when its time is up: the job may have ended long ago.
		withinMs: Math.max(0, since + timeoutMs - clock.now()) + graceMs,
	};
	const found = await findStatus(run, sought).catch(() => {
		throw signal?.aborted
			? stopped(asCreated(job))
			: timedOut(asCreated(job), { timeoutMs, isAnswered: false });
	});
	if ('notWaited' in found) return found;
	const { id, status, ...more } = found;
	const located = { ...job, id, status };
	const isRunning = orderOf(run, jobSpec)?.outcome.state === 'running';
	// A path that is set may be corrected before a retry.
	if (isRunning && status.proof) settle(run, jobSpec, { state: 'running', job: located });
	return { job: located, ...more };
}

/** What tells whether an entry of the history stands for the record of the job. */
function shownOf({ resultIn, request, operation }: JobSpec, job: Job): ShownJob | undefined {
	const { resource, operation: name } = operation;
	return (
		resultIn && {
			id: job.id,
			kind: `${resource} ${name}`,
			prompt: request.body?.prompt,
			resultIn: (record) => resultIn(job, { ...asCreated(job), state: COMPLETED, record }),
		}
	);
}

/** Nobody waits for the job, or not any longer. */
function leave(run: JobContext, jobSpec: JobSpec, created: CreatedJob): void {
	const { job, place } = created;
	const facts = { startedAt: job.startedAt, typical: typicalOf(jobSpec), leftMs: run.leftMs };
	if (place) run.account.limits.leaveJob(job.id, place, facts);
}

/** The documented typical time. */
export function typicalOf({ operation, values }: JobSpec): Typical | undefined {
	const [, from, to] = operation.takes?.find(([when]) => holds(when, values)) ?? [];
	return from && to ? { fromMs: from * 1000, toMs: to * 1000 } : undefined;
}

/** A job that has not been polled since it was created. */
function asCreated({ id, creation }: Job): JobSnapshot {
	return { id, state: stateIn(creation), record: creation, creation, waitedMs: 0 };
}
