import type { ServiceRequest } from '../service/request';
import { attempt } from '../service/attempt';
import { answerText, unknownOutcomeText, UNNAMED_JOB } from '../service/errorTexts';
import { RECONNECT_MS } from '../service/retry';
import type { Service } from '../service/service';
import { isNotSent, isTooMany, isUnreachable, ServiceError } from '../service/serviceError';
import { holds, type Values } from '../spec/conditions';
import { PROMPT_FIELD } from '../spec/records';
import { COMPLETED, FAILED } from '../spec/states';
import type { CreateOperation } from '../spec/types';
import type { Account } from './account';
import { NotStarted } from './batch';
import type { Clock } from '../clock/clock';
import { createJob, isOutcomeUnknown } from './createJob';
import { deadlineSignal } from '../clock/deadline';
import {
	snapshotIfNoError,
	JobError,
	nameOf,
	type Failing,
	type Job,
	type JobSnapshot,
} from './job';
import { fingerprint } from './fingerprint';
import type { Entry, Ledger, Replaced } from './ledger';
import type { Typical } from './pollingPlan';
import { durationIn, stateIn } from './readRecord';
import type { Slot } from './concurrencyLimiter';
import { waitForJob } from './waitForJob';

/** What the jobs of one run of a node share. */
export interface JobRun {
	service: Service;
	account: Account;
	ledger: Ledger;
	clock: Clock;
	executionId: string;
	/** A person runs an earlier execution again, having read what happened (*Retry execution*). */
	isRetry: boolean;
	/** What the user has typed into the node that decides what is ordered (`orderFingerprint`). */
	parameters: string;
	/** Fires when no more jobs are to be started. */
	stopCreating: AbortSignal;
	/** To be called when an item has failed, before its slot is given back. */
	failed: () => void;
	/** Fires when the user stops the execution. */
	signal?: AbortSignal;
	/** Fires when all items of the run are done. */
	runDone: AbortSignal;
	/** Called when a job has been created, and is in the ledger. */
	onCreated?: () => void;
}

/** One job to be done. */
export interface JobSpec {
	itemIndex: number;
	operation: CreateOperation;
	values: Values;
	request: ServiceRequest;
	/** Until it has ended, or no longer than it is created. */
	wait: boolean;
	/** ms between two polls at most; by the polling plan alone when absent. */
	maxPollIntervalMs?: number;
	/** ms after which waiting ends; also the time that the limits have to let a creation through. */
	timeoutMs: number;
	/** It is worked on a stretch at a time: the time counts from the creation, over all of them. */
	isDurable?: boolean;
	/** Jobs of this run that may be running at most. */
	maxRunning: number;
	/** Ends without a result that are no errors. */
	nonErrorOutcomes: readonly Failing[];
}

/** A job, and what was last seen of it. */
export interface JobResult {
	job: Job;
	snapshot: JobSnapshot;
}

interface CreatedJob {
	job: Job;
	/** Of a job that may be running. */
	slot?: Slot;
	/** Created just now, not by an earlier try. */
	isNew?: true;
}

/**
 * Creates the job of an item when a slot is free, unless the item has one already, and waits for
 * its end (money rules 1 to 3).
 *
 * @throws JobError when the job came to no result; it carries the job
 * @throws ServiceError when no job was created, or that is in doubt
 * @throws NotStarted when the run does not start any more jobs
 */
export async function runJob(run: JobRun, jobSpec: JobSpec): Promise<JobResult> {
	const created = findJob(run, jobSpec) ?? (await startJob(run, jobSpec));
	const { job, slot } = created;
	if (!jobSpec.wait) {
		freeWhenEnded(run, jobSpec, created);
		return { job, snapshot: asCreated(job) };
	}
	const finished = await attempt(finish(run, jobSpec, created));
	// In this order: whoever waits for the slot must know by then that nothing more is to be begun.
	if ('error' in finished) run.failed();
	slot?.release();
	if ('error' in finished) throw finished.error;
	return { job, snapshot: finished.value };
}

/** What the ledger has of an order, unless a person has ordered anew. */
export function ledgerEntryOf(
	run: JobRun,
	jobSpec: Pick<JobSpec, 'itemIndex' | 'request'>,
): Entry | undefined {
	const entry = run.ledger.find(jobSpec.itemIndex, jobSpec.request);
	return entry && !isNewOrder(run, jobSpec, entry) ? entry : undefined;
}

/** The job that an earlier try has paid for. */
function findJob(run: JobRun, jobSpec: JobSpec): CreatedJob | undefined {
	const entry = ledgerEntryOf(run, jobSpec);
	if (!entry) return undefined;
	const { job, ended } = entry;
	if (!job) throw stillUnknown(entry, jobSpec);
	return ended ? { job } : { job, slot: run.account.limiter.occupy(run) };
}

/**
 * Only a person orders anew, by *Retry execution*, having read what happened: a job that failed, a
 * creation in doubt, or something else than before. A request that has come out differently by itself
 * (`$now`, a random word) is the same order, and so is whatever *Retry On Fail* sends (money rule 6).
 */
function isNewOrder(run: JobRun, jobSpec: Pick<JobSpec, 'request'>, entry: Entry): boolean {
	if (!isRetriedByPerson(run, entry)) return false;
	return (
		entry.ended === FAILED ||
		entry.unknownOutcome !== undefined ||
		isChangedByPerson(run, jobSpec, entry)
	);
}

/** Whether a person has run the execution again that made the entry. */
function isRetriedByPerson(run: JobRun, { executionId }: Entry): boolean {
	return run.isRetry && executionId !== run.executionId;
}

/** Whether a person has changed the node such that it asks for something else. */
export function isChangedByPerson(
	{ parameters }: JobRun,
	{ request }: Pick<JobSpec, 'request'>,
	entry: Entry,
): boolean {
	return entry.parameters !== parameters && entry.request !== fingerprint(request);
}

function stillUnknown(
	{ unknownOutcome = '', answer }: Entry,
	{ operation }: JobSpec,
): ServiceError {
	const named = answer === undefined ? '' : `${UNNAMED_JOB.description} ${answerText(answer)}`;
	return new ServiceError({
		message: `Not sent again, since the first try may have been paid for: ${unknownOutcome}`,
		description: [unknownOutcomeText(operation).notFound, named].filter(Boolean).join(' '),
		outcome: 'unknown',
		answer,
	});
}

/**
 * Creates a job. Only what has certainly not created one is sent again: after a 429 as long as
 * there is time, after connections that were never made a few times.
 */
async function startJob(run: JobRun, jobSpec: JobSpec): Promise<CreatedJob> {
	const { account, clock, signal, stopCreating } = run;
	const { operation, request, timeoutMs, maxRunning } = jobSpec;
	let slot = await firstSlot(run, maxRunning);
	const deadline = deadlineSignal(clock, timeoutMs, signal);
	const wanted = AbortSignal.any([deadline.signal, stopCreating]);
	try {
		for (let lost = 0; ; ) {
			let sentAt = clock.now();
			const sendOptions = { signal: wanted, onSend: () => (sentAt = clock.now()) };
			const prompt = request.body?.[PROMPT_FIELD];
			const arrived = account.pending.add(prompt);
			const made = await attempt(createJob(run.service, operation, request, clock, sendOptions));
			arrived();
			if ('value' in made) {
				remember(run, jobSpec, { job: made.value });
				account.claims.add(made.value.id);
				account.limiter.created();
				run.onCreated?.();
				return { job: made.value, slot, isNew: true };
			}
			const { error } = made;
			if (isOutcomeUnknown(error)) {
				remember(run, jobSpec, { ...unknownOutcomeOf(error), sent: { at: sentAt, prompt } });
			}
			const isCalledOff = isNotSent(error) && stopCreating.aborted;
			const pauseMs = isUnreachable(error) ? RECONNECT_MS[lost++] : pauseAfter(error);
			const isLast = pauseMs === undefined || clock.now() + pauseMs >= deadline.at;
			if (isLast && !isCalledOff) run.failed();
			if (isTooMany(error)) slot.refused(error.retryAfterMs);
			else slot.release();
			if (isCalledOff) throw new NotStarted();
			if (isLast) throw error;

			const again = { signal: wanted, isFirst: true };
			const next = await attempt(
				clock
					.sleep(isTooMany(error) ? 0 : pauseMs, wanted)
					.then(async () => await account.limiter.acquire(run, maxRunning, again)),
			);
			if ('error' in next) throw error;
			slot = next.value;
		}
	} finally {
		deadline.forget();
	}
}

/** @throws NotStarted when the run does not start any more jobs */
async function firstSlot(run: JobRun, maxRunning: number): Promise<Slot> {
	const { signal, stopCreating } = run;
	// A signal of its own, lest the items of a large batch all listen to the same.
	const ends = AbortSignal.any(signal ? [signal, stopCreating] : [stopCreating]);
	const slot = await run.account.limiter.acquire(run, maxRunning, { signal: ends }).catch(() => {
		throw new NotStarted();
	});
	if (!ends.aborted) return slot;
	slot.release();
	throw new NotStarted();
}

/** ms that a refused creation has to wait at least; `undefined` where waiting does not help. */
function pauseAfter(error: unknown): number | undefined {
	return isTooMany(error) ? (error.retryAfterMs ?? 0) : undefined;
}

/** Puts into the ledger what has become of an order; what it takes the place of stays named. */
export function remember(
	{ ledger, executionId, parameters }: JobRun,
	{ itemIndex, request }: Pick<JobSpec, 'itemIndex' | 'request'>,
	entry: Entry,
): void {
	const before = ledger.find(itemIndex, request);
	const isSame = before?.unknownOutcome === undefined && before?.job?.id === entry.job?.id;
	ledger.remember(itemIndex, request, {
		...entry,
		executionId,
		parameters,
		request: fingerprint(request),
		...(before && !isSame && { replaced: [...(before.replaced ?? []), ...replacedBy(before)] }),
	});
}

function unknownOutcomeOf(error: unknown): Entry {
	const { answer, status = 0 } = error instanceof ServiceError ? error : {};
	return {
		unknownOutcome: (error as Error).message,
		...(answer !== undefined && { answer, isAccepted: status >= 200 && status <= 299 }),
	};
}

function replacedBy({ job, unknownOutcome, answer }: Entry): Replaced[] {
	if (job) return [{ job: nameOf(job) }];
	return unknownOutcome === undefined
		? []
		: [{ unknownOutcome: [unknownOutcome, answerText(answer)].filter(Boolean).join('. ') }];
}

async function finish(run: JobRun, jobSpec: JobSpec, created: CreatedJob): Promise<JobSnapshot> {
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
	{ service, account, clock }: JobRun,
	jobSpec: JobSpec,
	{ job, isNew }: CreatedJob,
	signal?: AbortSignal,
): Promise<JobSnapshot> {
	if ('unknown' in job.status) throw new Error(job.status.unknown);
	const { path, stateField, isInHistory } = job.status;
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
			...(isInHistory && { historyPoller: account.historyPoller }),
			onShownUnfinished: () => account.unfinishedShown.add(String(jobSpec.operation.mediaType)),
		},
	);
	const { wentOnMs: afterMs = 0, waitedMs: byMs } = snapshot;
	const recordedMs = durationIn(snapshot.record);
	if (isNew) account.durations.noteEnd(kindOf(jobSpec), { afterMs, byMs, recordedMs });
	return snapshot;
}

/**
 * A job that nobody waits for holds its slot until it has ended, as long as other jobs of the run
 * need one: better to poll than to run into the limit. After that the slot is free.
 */
function freeWhenEnded(run: JobRun, jobSpec: JobSpec, created: CreatedJob): void {
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
