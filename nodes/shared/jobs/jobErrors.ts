import { cleanText } from '../service/shownText';
import type { ServiceError } from '../service/serviceError';
import { isUnfinished } from '../spec/answers';
import { JobError, nameOf, SHOWN_CHARACTERS, type JobSnapshot } from './job';
import { reasonIn } from './readRecord';

/*
 * The errors of jobs. The message says what happened; the description says what was charged and what to do, in a
 * sentence or two each.
 */

/** For a job that this run has created; of others we do not know whether they are paid for. */
const PAID_FOR =
	'The job is paid for, and may go on at the service. Read it later with Job > Get Status and this ID.';

/** The service could not make the media. */
export function failed(job: JobSnapshot): JobError {
	const reason = reasonIn(job.record);
	return new JobError(
		'failed',
		`Job ${nameOf(job)} failed${reason === null ? '' : `: ${cleanText(reason, SHOWN_CHARACTERS)}`}`,
		'The job was charged when it was created. To order it again, with the same or another prompt, is a new job, and costs again.',
		job,
	);
}

/** What was known of a job when its time was up. */
interface TimeUp {
	timeoutMs: number;
	/** The job's last known state, and when it was seen, ms since 1970; `isListed` if the history showed it. */
	seen: { state?: string; at: number; isListed?: boolean };
	/** The fault that the last read met. */
	fault?: ServiceError;
	/** Whether the last read was answered, with a job that is still running. */
	isAnswered: boolean;
}

/** The job has not ended in time, or nobody could tell. */
export function timedOut(job: JobSnapshot, timeUp: TimeUp): JobError {
	const { timeoutMs, fault } = timeUp;
	const isAnswered = timeUp.isAnswered && job.state !== undefined;
	const within = `within ${timeoutMs / 1000} seconds`;
	const trouble =
		fault && fault.outcome !== 'notSent' ? `The last status check failed: ${fault.message}.` : '';
	return new JobError(
		'timeout',
		isAnswered
			? `Job ${nameOf(job)} has not finished ${within}`
			: `The service did not tell ${within} whether job ${nameOf(job)} has finished`,
		[
			`The job is paid for and ${isAnswered ? 'goes on at the service' : 'may have finished since'}.`,
			seenText(timeUp),
			timeUp.isAnswered ? saidText(job) : '',
			trouble,
			'Read it later with Job > Wait for Completion and this ID. Or raise Options > Timeout, which counts from the creation of the job, and retry the execution: that waits for the same job. A new run pays for a new one.',
		]
			.filter(Boolean)
			.join(' '),
		job,
	);
}

function seenText({ seen: { state, at, isListed } }: TimeUp): string {
	if (state === undefined) return '';
	const as = cleanText(state, SHOWN_CHARACTERS);
	const where = isListed ? ' in the generation history' : '';
	return `It was last seen ${as}${where}, at ${new Date(at).toISOString()}.`;
}

/** What the status of a job says instead of one of the service's states; empty where it has one. */
export function saidText({ state, record }: Pick<JobSnapshot, 'state' | 'record'>): string {
	if (isUnfinished(state ?? '')) return '';
	const reason = reasonIn(record);
	const said = reason === null ? [] : [`The service said: ${cleanText(reason, SHOWN_CHARACTERS)}.`];
	return [...(state === undefined ? ['Its status has no state.'] : []), ...said].join(' ');
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
		job.creation ? `${PAID_FOR} ${fault.description}` : fault.description,
		job,
		fault.status,
	);
}
