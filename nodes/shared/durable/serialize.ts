import type { Settled } from '../jobs/batch';
import { JobError, type Failing, type JobSnapshot } from '../jobs/job';
import type { JobResult } from '../jobs/jobContext';
import { ServiceError, type Outcome as RequestOutcome } from '../service/serviceError';

/** What becomes of items on their way through n8n's database. */
export type Serialized<T> = { value: T } | { error: SerializedError } | { skipped: true };

export type SerializedResult = Serialized<JobResult>;

interface SerializedError {
	message: string;
	description?: string;
	/** Of a JobError. */
	job?: { kind: Failing; snapshot: JobSnapshot };
	/** Of a ServiceError. */
	outcome?: RequestOutcome;
	status?: number;
}

export function serializeResult<T>(result: Settled<T>): Serialized<T> {
	return 'error' in result ? { error: serializeError(result.error) } : result;
}

export function deserializeResult<T>(result: Serialized<T>): Settled<T> {
	return 'error' in result ? { error: deserializeError(result.error) } : result;
}

function serializeError(error: unknown): SerializedError {
	const { message, description } = error as { message: string; description?: string };
	const facts = { message, ...(description === undefined ? {} : { description }) };
	if (error instanceof JobError)
		return { ...facts, job: { kind: error.kind, snapshot: error.job } };
	if (!(error instanceof ServiceError)) return facts;
	const { outcome, status } = error;
	return { ...facts, outcome, ...(status === undefined ? {} : { status }) };
}

function deserializeError({
	message,
	description = '',
	job,
	outcome,
	status,
}: SerializedError): Error {
	if (job) return new JobError(job.kind, message, description, job.snapshot);
	if (outcome) return new ServiceError({ message, description, outcome, status });
	return Object.assign(new Error(message), { description });
}
