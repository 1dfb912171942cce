import { fillWithId, type ServiceRequest } from '../request/buildRequest';
import { unwrap } from '../service/bodies';
import { MAY_BE_PAID } from '../service/errorTexts';
import { unreadable } from '../service/failures';
import type { Service } from '../service/service';
import { ServiceError } from '../service/serviceError';
import { GENERATION_STATUS } from '../spec/jobs';
import { openPoint } from '../spec/openPoints';
import { CREATED } from '../spec/statuses';
import type { CreateOperation } from '../spec/types';
import type { Clock } from './clock';
import type { Job, Whereabouts } from './job';
import { identifierIn, type Identifier } from './readRecord';

/**
 * Starts one paid job. Sent once and never again: the caller decides what an error means.
 *
 * @param signal ends the waiting for the account's limits; what has been sent is not called back
 * @throws ServiceError; with outcome `unknown` it says that the job may have been paid for
 */
export async function createJob(
	service: Service,
	operation: CreateOperation,
	request: ServiceRequest,
	clock: Clock,
	signal?: AbortSignal,
): Promise<Job> {
	const body = await service.send(request, { lane: 'create', signal }).catch((error: unknown) => {
		throw withDoubt(error);
	});
	const creation = unwrap(body);
	const identifier = creation && identifierIn(creation);
	if (!creation || !identifier) throw withDoubt(unreadable(CREATED, JSON.stringify(body)));
	return {
		id: identifier.value,
		status: whereabouts(service, operation, identifier),
		creation,
		// Not when it was asked for: that may have waited for the limits of the account.
		startedAt: clock.now(),
	};
}

/** Whether an error leaves open that a job was created and charged (money rule 1). */
export function isDoubtful(error: unknown): boolean {
	return !(error instanceof ServiceError) || error.outcome === 'unknown';
}

function withDoubt(error: unknown): unknown {
	return error instanceof ServiceError && isDoubtful(error)
		? error.with({ description: `${error.description} ${MAY_BE_PAID}` })
		: error;
}

/** Where the job's status is read, by the policy for open points ("status path"). */
function whereabouts(
	service: Service,
	operation: CreateOperation,
	{ field, value }: Identifier,
): Whereabouts {
	const route = statusRoute(service, operation, field);
	if (route === undefined) return { unknown: noStatusPath(operation, field) };
	try {
		const { path, urlFields, isInHistory } = route;
		return { path: fillWithId(path, value), urlFields, ...(isInHistory && { isInHistory }) };
	} catch (error) {
		return { unknown: (error as Error).message };
	}
}

function statusRoute(service: Service, { status }: CreateOperation, idField: string) {
	if ('route' in status) return status.route;
	if (idField === GENERATION_STATUS.idField && !status.only) return GENERATION_STATUS;
	const path = service.path(status.openPoint);
	return path === undefined ? undefined : { path, urlFields: {}, isInHistory: undefined };
}

function noStatusPath({ status }: CreateOperation, idField: string): string {
	const setting = 'openPoint' in status ? openPoint(status.openPoint)?.setting : undefined;
	return [
		`The service answered with a ${idField}, and how to read its status is not documented.`,
		setting ? `If you know the path, enter it in the credential as "${setting.label}".` : '',
	].join(' ');
}
