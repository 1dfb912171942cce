import { cleanText, sentences } from '../service/shownText';
import type { ServiceError } from '../service/serviceError';
import { isUnfinished } from '../spec/answers';
import type { CreateOperation } from '../spec/operation';
import { JobError, nameOf, SHOWN_CHARACTERS, type JobSnapshot } from './job';
import type { NamedJob } from './order';
import { reasonIn } from './readRecord';

/*
 * The errors of jobs. The message says what happened; the description says what was charged and what to do, in a
 * sentence or two each.
 */

/** The service could not make the media. */
export function failed(job: JobSnapshot): JobError {
	const reason = reasonIn(job.record);
	return new JobError(
		'failed',
		`Job ${nameOf(job)} failed${reason === null ? '' : `: ${cleanText(reason, SHOWN_CHARACTERS)}`}`,
		'The job was charged when it was created; another one costs again.',
		job,
	);
}

/** What was known of a job when its time was up. */
interface TimeUp {
	timeoutMs: number;
	/** The job's last known state. */
	state?: string;
	/** The fault that the last read met. */
	fault?: ServiceError;
	/** Whether the last read was answered. */
	isAnswered: boolean;
}

/** The job has not ended in time, or nobody could tell. */
export function timedOut(job: JobSnapshot, timeUp: TimeUp): JobError {
	const { timeoutMs, state, fault, isAnswered } = timeUp;
	const hasFault = fault !== undefined && fault.outcome !== 'notSent';
	return new JobError(
		'timeout',
		`Job ${nameOf(job)} was not seen to finish within ${timeoutMs / 1000} seconds`,
		sentences(
			'The job is paid for, and may go on at the service.',
			state === undefined ? '' : `It was last seen ${cleanText(state, SHOWN_CHARACTERS)}.`,
			isAnswered ? saidText(job) : '',
			hasFault ? `The last status check failed: ${fault.message}.` : '',
			'Read it with Job > Wait for Completion and this ID, or raise Options > Timeout and retry this execution.',
		),
		job,
	);
}

/** What the status of a job says instead of one of the service's states; empty where it has one. */
export function saidText({ state, record }: Pick<JobSnapshot, 'state' | 'record'>): string {
	if (isUnfinished(state ?? '')) return '';
	const reason = reasonIn(record);
	const said = reason === null ? [] : [`The service said: ${cleanText(reason, SHOWN_CHARACTERS)}.`];
	return sentences(state === undefined ? 'Its status has no state.' : '', ...said);
}

/** The user has stopped the execution. */
export function stopped(job: JobSnapshot): JobError {
	return new JobError(
		'stopped',
		`Stopped while job ${nameOf(job)} was running`,
		'The job is paid for and goes on at the service. Read it later with Job > Get Status and this ID.',
		job,
	);
}

/** The job's status cannot be read. */
export function lost(job: JobSnapshot, fault: ServiceError): JobError {
	return new JobError(
		'lost',
		`The status of job ${nameOf(job)} cannot be read: ${fault.message}`,
		// Of a job that this run has not created, it is not known whether it is paid for.
		sentences(
			job.creation ? 'The job is paid for: read it later with Job > Get Status and this ID.' : '',
			fault.description,
		),
		job,
		fault.status,
	);
}

const MAY_EXIST = 'The job may exist and be paid for:';

const ORDER_ANEW = 'Retry on this execution, or a new run for this item, orders it anew.';

/**
 * What to do about a creation whose outcome is unknown.
 *
 * @param candidates jobs of the generation history that may be the one; absent where that could not be read
 */
export function doubtText(
	operation: Pick<CreateOperation, 'status'>,
	candidates?: readonly NamedJob[],
): string {
	if (!operation.status.isInHistory) {
		return `${MAY_EXIST} see on the website of the service, or by the credit balance. If it does not exist, ${ORDER_ANEW}`;
	}
	const named = (candidates ?? []).map(
		({ jobId, createdAt, prompt }) => `${jobId} (${createdAt ?? 'time not known'}, "${prompt}")`,
	);
	if (named.length > 0) {
		return `${MAY_EXIST} the generation history shows ${named.join('; ')}. If that is this one, take its result with Job > Wait for Completion and its ID; if not, ${ORDER_ANEW}`;
	}
	const unread = candidates ? '' : ' It could not be read just now.';
	return `${MAY_EXIST} look for it with Job > Get History, and take its result with Job > Wait for Completion.${unread} If it is not there, ${ORDER_ANEW}`;
}
