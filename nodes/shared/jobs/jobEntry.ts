import { answerText, doubtText, UNNAMED_JOB } from '../service/errorTexts';
import { ServiceError } from '../service/serviceError';
import { FAILED } from '../spec/states';
import { fingerprint } from './fingerprint';
import { nameOf } from './job';
import type { CreatedJob, JobContext, JobSpec } from './jobContext';
import type { Entry, Replaced } from './ledger';

/** What the ledger has of an order, unless a person has ordered anew. */
export function ledgerEntryOf(
	run: JobContext,
	jobSpec: Pick<JobSpec, 'itemIndex' | 'request'>,
): Entry | undefined {
	const entry = run.ledger.find(jobSpec.itemIndex, jobSpec.request);
	return entry && !isNewOrder(run, jobSpec, entry) ? entry : undefined;
}

/** The job that an earlier try has paid for. */
export function findJob(run: JobContext, jobSpec: JobSpec): CreatedJob | undefined {
	const entry = ledgerEntryOf(run, jobSpec);
	if (!entry) return undefined;
	const { job, ended } = entry;
	if (!job) throw stillUnknown(entry, jobSpec);
	if (ended) return { job };
	const { limiter, detached } = run.account;
	// In this order: whoever waits for a slot must not get that of a job which runs on.
	const slot = limiter.occupy(run);
	detached.free(job.id);
	return { job, slot };
}

/**
 * Why an order is not sent: the outcome of an earlier creation is unknown (money rule 1); `undefined`
 * where it may be sent, or has its job.
 */
export function doubtOf(run: JobContext, jobSpec: JobSpec): ServiceError | undefined {
	const entry = ledgerEntryOf(run, jobSpec);
	return entry && !entry.job ? stillUnknown(entry, jobSpec) : undefined;
}

/**
 * Only a person orders anew, by *Retry execution*, having read what happened: a job that failed, a
 * creation of unknown outcome, or something else than before. A request that has come out differently by itself
 * (`$now`, a random word) is the same order, and so is whatever *Retry On Fail* sends (money rule 6).
 */
function isNewOrder(run: JobContext, jobSpec: Pick<JobSpec, 'request'>, entry: Entry): boolean {
	if (!isRetriedByPerson(run, entry)) return false;
	return (
		entry.ended === FAILED ||
		entry.unknownOutcome !== undefined ||
		isChangedByPerson(run, jobSpec, entry)
	);
}

/** Whether a person has run the execution again that made the entry. */
function isRetriedByPerson(run: JobContext, { executionId }: Entry): boolean {
	return run.isRetry && executionId !== run.executionId;
}

/** Whether a person has changed the node such that it asks for something else. */
export function isChangedByPerson(
	{ parameters }: JobContext,
	{ request }: Pick<JobSpec, 'request'>,
	entry: Entry,
): boolean {
	return entry.parameters !== parameters && entry.request !== fingerprint(request);
}

function stillUnknown(
	{ unknownOutcome = '', answer, isAccepted, candidates }: Entry,
	{ operation }: JobSpec,
): ServiceError {
	const named = [isAccepted ? UNNAMED_JOB.description : '', answerText(answer)]
		.filter(Boolean)
		.join(' ');
	return new ServiceError({
		message: `Not sent again, since the first try may have been paid for: ${unknownOutcome}`,
		description: [doubtText(operation, candidates), named].filter(Boolean).join(' '),
		outcome: 'unknown',
		answer,
	});
}

/** Puts into the ledger what has become of an order; what it takes the place of stays named. */
export function remember(
	{ ledger, executionId, parameters }: JobContext,
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

function replacedBy({ job, unknownOutcome, answer }: Entry): Replaced[] {
	if (job) return [{ job: nameOf(job) }];
	return unknownOutcome === undefined
		? []
		: [{ unknownOutcome: [unknownOutcome, answerText(answer)].filter(Boolean).join('. ') }];
}
