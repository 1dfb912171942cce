import { attempt } from '../service/attempt';
import { holds } from '../spec/conditions';
import { COMPLETED, FAILED } from '../spec/states';
import type { Account } from './account';
import { JobError, snapshotIfNoError, type Job, type JobSnapshot } from './job';
import { findJob, remember } from './jobEntry';
import type { CreatedJob, JobResult, JobContext, JobSpec } from './jobContext';
import type { Typical } from './pollingPlan';
import { durationIn, stateIn } from './readRecord';
import { startJob } from './startJob';
import { waitForJob } from './waitForJob';

/**
 * Creates the job of an item when a slot is free, unless the item has one already, and waits for
 * its end (money rules 1 to 3).
 *
 * @throws JobError when the job came to no result; it carries the job
 * @throws ServiceError when no job was created, or whether is unknown
 * @throws NotStarted when the run does not start any more jobs
 */
export async function runJob(run: JobContext, jobSpec: JobSpec): Promise<JobResult> {
	const found = findJob(run, jobSpec);
	if (found) jobSpec.onSlot?.();
	const created = found ?? (await startJob(run, jobSpec));
	const { job, slot } = created;
	if (!jobSpec.wait) {
		freeWhenEnded(run, jobSpec, created);
		return { job, snapshot: asCreated(job) };
	}
	const finished = await attempt(finish(run, jobSpec, created));
	// In this order: whoever waits for the slot must know by then that nothing more is to be begun.
	if ('error' in finished) run.onItemFailed();
	slot?.release();
	if ('error' in finished) throw finished.error;
	return { job, snapshot: finished.value };
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
		remember(run, jobSpec, { job, ended: COMPLETED });
		return snapshot;
	} catch (error) {
		const hasFailed = error instanceof JobError && error.kind === 'failed';
		if (hasFailed) remember(run, jobSpec, { job, ended: FAILED });
		return snapshotIfNoError(error, jobSpec.nonErrorOutcomes);
	}
}

async function follow(
	{ service, account, clock }: JobContext,
	jobSpec: JobSpec,
	{ job, slot, isNew }: CreatedJob,
	signal?: AbortSignal,
): Promise<JobSnapshot> {
	if ('unknown' in job.status) throw new Error(job.status.unknown);
	const { path, stateField, isInHistory } = job.status;
	const { durations } = account;
	const kind = kindOf(jobSpec);
	const snapshot = await waitForJob(
		service,
		{ ...job, path, stateField },
		{
			maxPollIntervalMs: jobSpec.maxPollIntervalMs,
			timeoutMs: jobSpec.timeoutMs,
			...(jobSpec.isDurable && { endsAt: job.startedAt + jobSpec.timeoutMs }),
			typical: typicalOf(account, jobSpec),
			clock,
			signal,
			...(isInHistory && !jobSpec.isReread && { historyPoller: account.historyPoller }),
			...(jobSpec.isReread && { hasEnded: true }),
			...(jobSpec.outcome && {
				trust: { of: account.historyTrust, reader: jobSpec.outcome(job) },
			}),
			ages: {
				model: () => durations.model(kind, documented(jobSpec)),
				atLeastMs: () => durations.atLeastMs(kind),
				goesOn: (ms) => durations.noteGoingOn(kind, ms),
			},
			onShownCompleted: () => slot?.release(),
			onShownUnfinished: () => account.unfinishedShown.add(String(jobSpec.operation.mediaType)),
		},
	);
	const { wentOnMs: afterMs = 0, waitedMs: byMs } = snapshot;
	const recordedMs = durationIn(snapshot.record);
	if (isNew) durations.noteEnd(kind, { afterMs, byMs, recordedMs });
	return snapshot;
}

/**
 * A job that nobody waits for holds its slot until it has ended, as long as other jobs of the run
 * need one: better to poll than to run into the limit. After that the slot is free.
 */
function freeWhenEnded(run: JobContext, jobSpec: JobSpec, created: CreatedJob): void {
	const { job, slot } = created;
	if (!slot) return;
	const isNeeded = run.account.limiter.waiting > 0 && 'path' in job.status;
	if (!isNeeded) return slot.release();
	const free = () => slot.release();
	follow(run, jobSpec, created, run.runDone).then(free, free);
}

/** When the job of an order ends, as far as that is known. */
export function typicalOf(account: Account, jobSpec: JobSpec): Typical | undefined {
	return documented(jobSpec) ?? account.durations.typical(kindOf(jobSpec));
}

/** What is alike in how long it takes. */
function kindOf({ operation, values }: JobSpec): string {
	const { resource, operation: name, modelField } = operation;
	return [resource, name, modelField && values[modelField]].join(' ');
}

/** The typical time that the document tells. */
function documented({ operation, values }: JobSpec): Typical | undefined {
	const typical = operation.typicalSeconds?.find(({ when }) => holds(when, values));
	return typical && { fromMs: typical.from * 1000, toMs: typical.to * 1000 };
}

/** A job that has not been polled since. */
export function asCreated({ id, creation }: Job): JobSnapshot {
	return { id, state: stateIn(creation), record: creation, creation, waitedMs: 0 };
}
