import type { Typical } from '../account/polls';
import { attempt, type Attempt } from '../service/attempt';
import { holds } from '../spec/conditions';
import { isNotSent, ServiceError } from '../service/serviceError';
import { COMPLETED, NOT_FOUND, PROMPT_FIELD } from '../spec/answers';
import { startedWithOf } from '../spec/jobs';
import type { Follower } from './account';
import { findStatus, type StatusNotFound, type StatusFound, type Sought } from './findStatus';
import {
	JobError,
	snapshotIfNoError,
	type Job,
	type JobSnapshot,
	startOf,
	withStatus,
} from './job';
import { lost, stopped, timedOut } from './jobErrors';
import type { CreatedJob, JobContext, JobResult, JobSpec } from './jobContext';
import { comparedPrompt, identifiersOf } from './proof';
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

/** The job that an earlier try has paid for. */
function orderedJob(run: JobContext, { itemIndex }: JobSpec): CreatedJob | undefined {
	const order = run.orders.find(itemIndex);
	const job = jobOf(order);
	if (!job) return undefined;
	if (order?.outcome.state !== 'running') return { job };
	return { job, place: run.account.limits.takeBack(job.id, run) };
}

const stateOf = ({ orders }: JobContext, { itemIndex }: JobSpec) =>
	orders.find(itemIndex)?.outcome.state;

function settle({ orders }: JobContext, { itemIndex }: JobSpec, outcome: Outcome): void {
	const order = orders.find(itemIndex);
	if (order) orders.settle(order, outcome);
}

/** Whether nobody waits for the job any longer, although it is still running. */
function isLeft(finished: Attempt<JobResult>): boolean {
	if ('value' in finished) return finished.value.snapshot.timedOut === true;
	const { error } = finished;
	return error instanceof JobError && (error.kind === 'timeout' || error.kind === 'stopped');
}

async function finish(run: JobContext, jobSpec: JobSpec, created: CreatedJob): Promise<JobResult> {
	try {
		const done = await locateAndFollow(run, jobSpec, created);
		if (!isElsewhere(done)) return done;
		// The job is not where other jobs of its family were found.
		const last = await locateAndFollow(run, jobSpec, created, true);
		if (!isElsewhere(last)) return last;
		// The job was seen to have ended: it is not running again just because it cannot be read any more.
		if (stateOf(run, jobSpec) !== 'running') throw last.elsewhere;
		return unwaited(created.job, last.elsewhere.message);
	} catch (error) {
		return { job: created.job, snapshot: snapshotIfNoError(error, jobSpec.failuresAreItems) };
	}
}

const isElsewhere = (done: JobResult | { elsewhere: Error }): done is { elsewhere: Error } =>
	'elsewhere' in done;

/**
 * Finds out where the job is read, and waits for its end there.
 *
 * @param isAnew the job is not where it was supposed to be, and is looked for again
 * @returns the result; or, as `elsewhere`, why the job could not be read where it was supposed to be, if it never was
 * @throws JobError when the job came to no result
 */
async function locateAndFollow(
	run: JobContext,
	jobSpec: JobSpec,
	created: CreatedJob,
	isAnew = false,
): Promise<JobResult | { elsewhere: Error }> {
	const located = await locate(run, jobSpec, created, isAnew);
	const { job } = located;
	if ('notWaited' in located) return unwaited(job, located.notWaited);
	const { foundHint, status } = located;
	try {
		const snapshot = await follow(run, jobSpec, located, run.signal);
		settle(run, jobSpec, { state: 'completed', job });
		return { job, snapshot, ...(foundHint !== undefined && { foundHint }) };
	} catch (error) {
		const { kind, status: code, job: seen } = error instanceof JobError ? error : {};
		if (kind === 'failed') settle(run, jobSpec, { state: 'failed', job });
		const wasRead = Object.keys(seen?.record ?? {}).length > 0;
		const isLost = kind === 'lost' && code === NOT_FOUND && !wasRead;
		if (status.found && isLost) return { elsewhere: error as Error };
		return { job, snapshot: snapshotIfNoError(error, jobSpec.failuresAreItems) };
	}
}

const unwaited = (job: Job, notWaited: string): JobResult => ({
	job,
	snapshot: { ...asCreated(job), notWaited },
});

/** A job with the place where its state is read, and what was read there a moment ago. */
type Located = CreatedJob & Omit<StatusFound, 'id'>;

/**
 * Finds out where the state of a job is read, and notes that in its order once it is proven.
 *
 * @throws JobError when it was stopped, its time is up, or the key may not read
 */
async function locate(
	run: JobContext,
	jobSpec: JobSpec,
	created: CreatedJob,
	isAnew: boolean,
): Promise<Located | (StatusNotFound & CreatedJob)> {
	const { job } = created;
	if ('unknown' in job.status) return { ...created, notWaited: job.status.unknown };
	const isRunning = stateOf(run, jobSpec) === 'running';
	const isDocumented = 'route' in jobSpec.operation.status;
	// A person who retries may have entered or corrected a path.
	const isToFind = isAnew || (run.isRetry && isRunning && !isDocumented);
	if ('path' in job.status && !isToFind) return { ...created, status: job.status };
	const sought = { ...soughtOf(run, jobSpec, job), ...(isAnew && { isElsewhere: true as const }) };
	const found = await findStatus(run, sought).catch((error: unknown) => {
		throw notLocated(run, jobSpec, job, error);
	});
	if ('notWaited' in found) return { ...created, ...found };
	const { id, status, record, foundHint, isUnproven } = found;
	const located = withStatus(job, id, status);
	run.account.claims.add(id);
	if (isRunning && !isUnproven) settle(run, jobSpec, { state: 'running', job: located });
	return { ...created, job: located, status, record, foundHint };
}

function notLocated(run: JobContext, jobSpec: JobSpec, job: Job, error: unknown): JobError {
	const seen = asCreated(job);
	if (run.signal?.aborted) return stopped(seen);
	if (error instanceof ServiceError && !isNotSent(error)) return lost(seen, error);
	return neverAnswered(job, jobSpec);
}

/** The error of a job whose time is up and about which the service has said nothing since its creation. */
export function neverAnswered(job: Job, { timeoutMs }: Pick<JobSpec, 'timeoutMs'>): JobError {
	return timedOut(asCreated(job), { timeoutMs, isAnswered: false });
}

/** What is needed to look for the status of a job. */
function soughtOf({ clock, isRetry }: JobContext, jobSpec: JobSpec, job: Job): Sought {
	const { operation, timeoutMs, graceMs = GRACE_MS } = jobSpec;
	const startedAt = startOf(job, clock);
	return {
		family: startedWithOf(operation) ?? '',
		link: job.link,
		facts: {
			identifiers: identifiersOf(job),
			prompt: promptSent(jobSpec, job),
			mediaType: operation.mediaType,
			createdAt: job.startedAt,
		},
		startedAt,
		// Some time is left even when its time is up: the job may have ended long ago.
		withinMs: Math.max(0, Math.min(timeoutMs, startedAt + timeoutMs - clock.elapsed())) + graceMs,
		isRetry,
	};
}

/** The prompt that a job was started with, in the form that is compared. */
const promptSent = ({ request, values }: JobSpec, { prompt }: Job): string =>
	prompt ?? comparedPrompt(request.body?.[PROMPT_FIELD] ?? values[PROMPT_FIELD]);

async function follow(
	run: Follower,
	jobSpec: JobSpec,
	{ job, status, place, record }: Located,
	signal?: AbortSignal,
): Promise<JobSnapshot> {
	const { path, stateField, isInHistory, found } = status;
	const { timeoutMs, graceMs, resultIn } = jobSpec;
	return await waitForJob(
		run,
		{
			...{ id: job.id, creation: job.creation, path, stateField, found },
			startedAt: startOf(job, run.clock),
		},
		{
			...{ timeoutMs, graceMs, isInHistory, place, record, signal },
			typical: typicalOf(jobSpec),
			shown: resultIn && {
				...{ id: job.id, kind: kindOf(jobSpec), prompt: promptSent(jobSpec, job) },
				resultIn: (shown) => resultIn(job, { ...asCreated(job), state: COMPLETED, record: shown }),
			},
		},
	);
}

/** Nobody waits for the job, or not any longer. */
function leave(run: JobContext, jobSpec: JobSpec, { job, place }: CreatedJob): void {
	const { account, clock, leftMs } = run;
	const facts = { startedAt: startOf(job, clock), typical: typicalOf(jobSpec), leftMs };
	if (place) account.limits.leaveJob(job.id, place, facts);
}

/** Jobs of one kind have records of one shape. */
const kindOf = ({ operation: { resource, operation } }: JobSpec) => `${resource} ${operation}`;

/** The documented typical time. */
export function typicalOf({ operation, values }: JobSpec): Typical | undefined {
	const typical = operation.typicalSeconds?.find(({ when }) => holds(when, values));
	return typical && { fromMs: typical.from * 1000, toMs: typical.to * 1000 };
}

/** A job that has not been polled since it was created. */
function asCreated({ id, creation }: Job): JobSnapshot {
	return { id, state: stateIn(creation), record: creation, creation, waitedMs: 0 };
}
