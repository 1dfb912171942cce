import { attempt } from '../service/attempt';
import { holds } from '../spec/conditions';
import { COMPLETED, FAILED } from '../spec/answers';
import type { Account, Follower } from './account';
import { JobError, snapshotIfNoError, type Job, type JobSnapshot, startOf } from './job';
import { findJob, remember } from './itemOrder';
import type { CreatedJob, JobContext, JobResult, JobSpec } from './jobContext';
import type { Typical } from '../plan/endModel';
import { durationIn, stateIn } from './readRecord';
import { startJob } from './startJob';
import { waitForJob } from './waitForJob';

/**
 * Creates the job of an item when a place is free, unless the item has one already, and waits for
 * its end (money rules 1 to 3).
 *
 * @throws JobError when the job came to no result; it carries the job
 * @throws ServiceError when no job was created, or whether is unknown
 * @throws NotStarted when the run does not start any more jobs
 */
export async function runJob(run: JobContext, jobSpec: JobSpec): Promise<JobResult> {
	const found = findJob(run, jobSpec);
	if (found) jobSpec.onPlace?.();
	const created = found ?? (await startJob(run, jobSpec));
	const { job, place } = created;
	if (!jobSpec.wait) {
		detach(run, jobSpec, created);
		return { job, snapshot: asCreated(job) };
	}
	const finished = await attempt(finish(run, jobSpec, created));
	// In this order: whoever waits for the place must know by then that nothing more is to be begun.
	if ('error' in finished) run.onItemFailed();
	if (isLeft(finished)) detach(run, jobSpec, created);
	else place?.release();
	if ('error' in finished) throw finished.error;
	return { job, snapshot: finished.value };
}

/** Whether nobody waits for the job any longer, although it runs on. */
function isLeft(finished: { value: JobSnapshot } | { error: unknown }): boolean {
	if ('value' in finished) return finished.value.timedOut === true;
	const { error } = finished;
	return error instanceof JobError && (error.kind === 'timeout' || error.kind === 'stopped');
}

async function finish(
	run: JobContext,
	jobSpec: JobSpec,
	created: CreatedJob,
): Promise<JobSnapshot> {
	const { job } = created;
	if ('unknown' in job.status) return { ...asCreated(job), notWaited: job.status.unknown };
	try {
		const snapshot = await follow(run, jobSpec, created, run.signal);
		remember(run, jobSpec, { kind: 'ended', job, as: COMPLETED });
		return snapshot;
	} catch (error) {
		const hasFailed = error instanceof JobError && error.kind === 'failed';
		if (hasFailed) remember(run, jobSpec, { kind: 'ended', job, as: FAILED });
		return snapshotIfNoError(error, jobSpec.nonErrorOutcomes);
	}
}

/** What of an order is needed to follow its job. */
type Followed = Pick<JobSpec, 'operation' | 'values' | 'timeoutMs'> & Partial<JobSpec>;

/** Only a job that was followed from its start, or so soon after it, tells how long one takes, ms. */
const FROM_START_MS = 1000;

/** A job that nobody waits for, and that has not ended for so long, holds its place no more, ms. */
const FORGOTTEN_MS = 900_000;

async function follow(
	run: Follower,
	jobSpec: Followed,
	{ job, place, isNew }: CreatedJob,
	signal?: AbortSignal,
): Promise<JobSnapshot> {
	if ('unknown' in job.status) throw new Error(job.status.unknown);
	const { path, stateField, isInHistory } = job.status;
	const { account, clock } = run;
	const { durations } = account.loop;
	const kind = kindOf(jobSpec);
	const startedAt = startOf(job, clock);
	const isFromStart = clock.elapsed() - startedAt < FROM_START_MS;
	const { operation, maxPollIntervalMs, timeoutMs, graceMs, outcome, isReread } = jobSpec;
	const snapshot = await waitForJob(
		run,
		{ ...job, path, stateField, startedAt },
		{
			maxPollIntervalMs,
			timeoutMs,
			graceMs,
			typical: typicalOf(account, jobSpec),
			isInHistory: isInHistory === true && !isReread,
			hasEnded: isReread,
			reader: outcome?.(job),
			kind,
			documented: documented(jobSpec),
			place,
			mediaType: String(operation.mediaType),
			signal,
		},
	);
	const { wentOnMs: afterMs = 0, waitedMs: byMs } = snapshot;
	const recordedMs = durationIn(snapshot.record);
	if (isNew && isFromStart) durations.noteEnd(kind, { afterMs, byMs, recordedMs });
	return snapshot;
}

/** A job that nobody waits for holds its place until it has ended, where that can be seen. */
function detach(
	{ account }: JobContext,
	jobSpec: JobSpec,
	{ job, place, isNew }: CreatedJob,
): void {
	if (!place) return;
	if ('unknown' in job.status) return place.release();
	const { operation, values, maxPollIntervalMs } = jobSpec;
	const spec = { operation, values, maxPollIntervalMs, timeoutMs: FORGOTTEN_MS, graceMs: 0 };
	const release = () => account.detached.free(job.id);
	const created = { job, place: { ...place, release }, isNew };
	account.detached.add(job.id, place, async (run, signal) => {
		await follow(run, spec, created, signal);
	});
}

/** When the job of an order ends, as far as that is known. */
export function typicalOf(account: Account, jobSpec: Followed): Typical | undefined {
	return documented(jobSpec) ?? account.loop.durations.typical(kindOf(jobSpec));
}

/** What is alike in how long it takes. */
function kindOf({ operation, values }: Followed): string {
	const { resource, operation: name, modelField } = operation;
	return [resource, name, modelField && values[modelField]].join(' ');
}

/** The typical time that the document tells. */
function documented({ operation, values }: Followed): Typical | undefined {
	const typical = operation.typicalSeconds?.find(({ when }) => holds(when, values));
	return typical && { fromMs: typical.from * 1000, toMs: typical.to * 1000 };
}

/** A job that has not been polled since. */
export function asCreated({ id, creation }: Job): JobSnapshot {
	return { id, state: stateIn(creation), record: creation, creation, waitedMs: 0 };
}
