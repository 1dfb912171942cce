import { cleanText } from '../service/cleanText';
import type { ServiceError } from '../service/serviceError';
import { ERROR_MESSAGE_FIELD } from '../spec/records';
import { JobError, type SeenJob } from './job';
import { textIn } from './readRecord';

/** Characters that are shown of what the service says about a job. */
const SHOWN_CHARACTERS = 500;

/** The identifier, as far as it can be shown. */
const named = ({ id }: SeenJob) => cleanText(id, SHOWN_CHARACTERS);

/** The service could not make the media. */
export function failed(job: SeenJob): JobError {
	const reason = textIn(job.record, [ERROR_MESSAGE_FIELD]);
	return new JobError(
		'failed',
		`Job ${named(job)} failed${reason === null ? '' : `: ${cleanText(reason, SHOWN_CHARACTERS)}`}`,
		'The service could not make this media. Change the prompt or try again: a new run starts a new paid job.',
		job,
	);
}

/** It has not ended in time; with the fault of the last look, where that failed. */
export function timedOut(job: SeenJob, timeoutMs: number, fault?: ServiceError): JobError {
	const lastSeen =
		job.state === undefined ? '' : ` It was last seen ${cleanText(job.state, SHOWN_CHARACTERS)}.`;
	const trouble =
		fault && fault.outcome !== 'notSent' ? ` The last look at it failed: ${fault.message}.` : '';
	return new JobError(
		'timeout',
		`Job ${named(job)} has not finished within ${timeoutMs / 1000} seconds`,
		`The job is paid for and goes on at the service.${lastSeen}${trouble} Read it later with Job > Wait for Completion and this ID, or raise Options > Timeout.`,
		job,
	);
}

/** The user has stopped the execution. */
export function stopped(job: SeenJob): JobError {
	return new JobError(
		'stopped',
		`Stopped while job ${named(job)} was running`,
		'The job is paid for and goes on at the service. Read it later with Job > Get Status and this ID.',
		job,
	);
}

/** Its status cannot be read any more. */
export function lost(job: SeenJob, fault: ServiceError): JobError {
	return new JobError(
		'lost',
		`The status of job ${named(job)} cannot be read: ${fault.message}`,
		fault.description,
		job,
	);
}
