import type { Typical } from '../account/pauses';
import { attempt, type Attempt } from '../clock/attempt';
import type { Body } from '../service/bodies';
import { holds } from '../spec/conditions';
import { COMPLETED } from '../spec/answers';
import { findStatus, type StatusNotFound, type StatusFound } from './findStatus';
import { type Job, JobError, type JobSnapshot, snapshotIfNoError, stopped, timedOut } from './job';
import type { CreatedJob, JobContext, JobResult, JobSpec } from './jobContext';
import { plainPrompt } from './history';
import { identifiersOf } from './readStatus';
import { stateIn } from './readRecord';
import { jobOf, type Outcome } from './order';
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
	if (found) jobSpec.onPlace?.();
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
		const located = await locate(run, jobSpec, created);
		({ job } = located);
		if ('notWaited' in located)
			return { job, snapshot: { ...asCreated(job), notWaited: located.notWaited } };
		const { foundHint } = located;
		const snapshot = await follow(run, jobSpec, located);
		settle(run, jobSpec, { state: 'completed', job });
		return { job, snapshot, ...(foundHint !== undefined && { foundHint }) };
	} catch (error) {
		const hasFailed = error instanceof JobError && error.kind === 'failed';
		if (hasFailed) settle(run, jobSpec, { state: 'failed', job });
		return { job, snapshot: snapshotIfNoError(error, jobSpec.failuresAreItems) };
	}
}

/** A job with the place where its state is read, and what was read there a moment ago. */
type Located = CreatedJob & Omit<StatusFound, 'id'>;

/**
 * Finds out where the state of a job is read, and notes in its order what was found.
 *
 * @throws JobError when it was stopped, or its time is up
 */
async function locate(
	run: JobContext,
	jobSpec: JobSpec,
	created: CreatedJob,
): Promise<Located | (StatusNotFound & CreatedJob)> {
	const { job } = created;
	if (job.status) return { ...created, status: job.status };
	const { clock, signal } = run;
	const { operation, timeoutMs, graceMs = GRACE_MS } = jobSpec;
	const sought = {
		...{ family: operation.status.value, link: job.link },
		...{ identifiers: identifiersOf(job), createdAt: job.startedAt },
		// Some time is left even when its time is up: the job may have ended long ago.
		withinMs: Math.max(0, job.startedAt + timeoutMs - clock.now()) + graceMs,
	};
	const found = await findStatus(run, sought).catch(() => {
		throw signal?.aborted ? stopped(asCreated(job)) : neverAnswered(job, jobSpec);
	});
	if ('notWaited' in found) return { ...created, ...found };
	const { id, ...place } = found;
	const located = { ...job, id, status: place.status };
	const isRunning = orderOf(run, jobSpec)?.outcome.state === 'running';
	// A path that is set may be corrected before a retry.
	if (isRunning && place.status.found) settle(run, jobSpec, { state: 'running', job: located });
	return { ...created, job: located, ...place };
}

/** The error of a job whose time is up and about which the service has said nothing since its creation. */
function neverAnswered(job: Job, { timeoutMs }: Pick<JobSpec, 'timeoutMs'>): JobError {
	return timedOut(asCreated(job), { timeoutMs, isAnswered: false });
}

/**
 * Waits for the end of a job at the place where its state is read.
 *
 * @throws JobError when the job came to no result
 */
async function follow(run: JobContext, jobSpec: JobSpec, located: Located): Promise<JobSnapshot> {
	const { job, place, status, record } = located;
	const { startedAt } = job;
	const created = asCreated(job);
	const { path, stateField, isInHistory, found } = status;
	const { timeoutMs, graceMs, resultIn, request } = jobSpec;
	const shown = resultIn && {
		...{ id: job.id, kind: kindOf(jobSpec), prompt: plainPrompt(request.body?.prompt) },
		resultIn: (entry: Body) => resultIn(job, { ...created, state: COMPLETED, record: entry }),
	};
	return await waitForJob(
		run,
		{ id: job.id, creation: job.creation, path, stateField, found, startedAt },
		{
			...{ timeoutMs, graceMs, isInHistory, place, record, signal: run.signal, shown },
			typical: typicalOf(jobSpec),
		},
	);
}

/** Nobody waits for the job, or not any longer. */
function leave(run: JobContext, jobSpec: JobSpec, created: CreatedJob): void {
	const { job, place } = created;
	const facts = { startedAt: job.startedAt, typical: typicalOf(jobSpec), leftMs: run.leftMs };
	if (place) run.account.limits.leaveJob(job.id, place, facts);
}

/** Jobs of one kind have records of one shape. */
const kindOf = ({ operation: { resource, operation } }: JobSpec) => `${resource} ${operation}`;

/** The documented typical time. */
export function typicalOf({ operation, values }: JobSpec): Typical | undefined {
	const [, from, to] = operation.takes?.find(([when]) => holds(when, values)) ?? [];
	return from && to ? { fromMs: from * 1000, toMs: to * 1000 } : undefined;
}

/** A job that has not been polled since it was created. */
function asCreated({ id, creation }: Job): JobSnapshot {
	return { id, state: stateIn(creation), record: creation, creation, waitedMs: 0 };
}
