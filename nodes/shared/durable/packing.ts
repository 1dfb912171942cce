import type { Settled } from '../jobs/batch';
import { JobError, type Failing, type JobSnapshot } from '../jobs/job';
import type { JobResult } from '../jobs/runJob';
import type { ItemPlan } from '../run/run';
import { ServiceError, type Outcome as RequestOutcome } from '../service/serviceError';

/** What becomes of items on their way through n8n's database. */
type Packed<T> = { value: T } | { error: PackedError } | { skipped: true };

export type PackedPlan = Packed<Omit<ItemPlan, 'read'>>;
export type PackedResult = Packed<JobResult>;

interface PackedError {
	message: string;
	description?: string;
	/** Of a JobError. */
	job?: { kind: Failing; snapshot: JobSnapshot };
	/** Of a ServiceError. */
	outcome?: RequestOutcome;
	status?: number;
}

export function packPlan(plan: Settled<ItemPlan>): PackedPlan {
	if (!('value' in plan)) return packed(plan);
	const { itemIndex, operation, values, request, options } = plan.value;
	return { value: { itemIndex, operation, values, request, options } };
}

/** The parameters have been read; whatever else is asked for has its fallback. */
export function unpackPlan(plan: PackedPlan): Settled<ItemPlan> {
	if (!('value' in plan)) return unpacked(plan);
	return { value: { ...plan.value, read: (_, fallback) => fallback } };
}

export function packed<T>(result: Settled<T>): Packed<T> {
	return 'error' in result ? { error: packError(result.error) } : result;
}

export function unpacked<T>(result: Packed<T>): Settled<T> {
	return 'error' in result ? { error: unpackError(result.error) } : result;
}

function packError(error: unknown): PackedError {
	const { message, description } = error as { message: string; description?: string };
	const facts = { message, ...(description === undefined ? {} : { description }) };
	if (error instanceof JobError)
		return { ...facts, job: { kind: error.kind, snapshot: error.job } };
	if (!(error instanceof ServiceError)) return facts;
	const { outcome, status } = error;
	return { ...facts, outcome, ...(status === undefined ? {} : { status }) };
}

function unpackError({ message, description = '', job, outcome, status }: PackedError): Error {
	if (job) return new JobError(job.kind, message, description, job.snapshot);
	if (outcome) return new ServiceError({ message, description, outcome, status });
	return Object.assign(new Error(message), { description });
}
