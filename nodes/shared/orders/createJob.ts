import { fillWithId } from '../request/buildRequest';
import type { ServiceRequest } from '../service/request';
import { jobRecord } from '../service/bodies';
import { ServiceError, unnamedJob } from '../service/serviceError';
import type { Service, SendOptions } from '../service/service';
import { sentences } from '../service/shownText';
import { own } from '../spec/conditions';
import { CREATED, ENVELOPE } from '../spec/answers';
import { startedWithOf } from '../spec/jobs';
import type { CreateOperation } from '../spec/operation';
import type { Clock } from '../clock/clock';
import type { Job, StatusLocation } from './job';
import { doubtText } from './jobErrors';
import { identifierIn } from './readRecord';
import { statusLinkIn } from './statusLink';

/**
 * Starts one paid job. The creation is sent only once: the caller decides what an error means.
 *
 * @param sendOptions its signal ends the wait for the account's limits, but does not call back what was sent
 * @throws ServiceError; one with outcome `unknown` says that the job may have been paid for
 */
export async function createJob(
	service: Service,
	operation: CreateOperation,
	request: ServiceRequest,
	clock: Clock,
	sendOptions: Pick<SendOptions, 'signal' | 'onSend' | 'because'> = {},
): Promise<Job> {
	let location: string | undefined;
	const onLocation = (given: string) => (location = given);
	const body = await service
		.send(request, { priority: 'create', onLocation, ...sendOptions })
		.catch((error: unknown) => {
			throw toldOf(error, operation);
		});
	// The time of the answer, not of the call: the request may have waited for the account's limits.
	const job = jobInAnswer(service, operation, body, clock.now(), location);
	if (!job) throw toldOf(unnamedJob(CREATED, JSON.stringify(body)), operation);
	return job;
}

/** The job in the answer to a creation; `undefined` if the answer says that it failed, or nothing identifies a job. */
export function jobInAnswer(
	service: Service,
	operation: CreateOperation,
	body: unknown,
	startedAt: number,
	location?: string,
): Job | undefined {
	const creation = saysFailed(body) ? undefined : jobRecord(body);
	const hints = { documented: documentedIds(operation), set: service.field('identifier') };
	const identifier = creation && identifierIn(creation, hints);
	if (!creation || !identifier) return undefined;
	const id = identifier.value;
	const status = statusLocation(operation, id);
	const link = 'open' in status && statusLinkIn(creation, location, id, service.baseUrl);
	return { id, status, ...(link && { link }), creation, startedAt };
}

/** Whether an error leaves open that a job was created and charged (money rule 1). */
export function isOutcomeUnknown(error: unknown): boolean {
	return !(error instanceof ServiceError) || error.outcome === 'unknown';
}

/** The error of a creation: it says what was charged, and of a lost answer what to do about that. */
function toldOf(error: unknown, operation: CreateOperation): unknown {
	if (!(error instanceof ServiceError)) return error;
	const { description, said, outcome } = error;
	if (outcome === 'refused')
		return error.with({ description: sentences(description, 'Nothing was charged.') });
	if (outcome !== 'unknown') return error;
	return error.with({ description: sentences(doubtText(operation), said) });
}

/** Whether it is the documented error body (section "Errors"): an identifier in that is not a job's. */
const saysFailed = (body: unknown) => own(Object(body), ENVELOPE.success) === false;

/** The documented names of a job's identifier, in the answer to its creation or where it is used. */
function documentedIds({ result, status }: CreateOperation): string[] {
	const names = [result?.idField, 'route' in status ? status.route.idField : undefined];
	return names.filter((name) => name !== undefined);
}

/** Where the job's status is read, by the policy for open points ("status path"). */
function statusLocation(operation: CreateOperation, id: string): StatusLocation {
	const { status } = operation;
	const route = 'route' in status ? status.route : undefined;
	try {
		const path = fillWithId(route?.path ?? '{id}', id);
		if (!route) return { open: startedWithOf(operation) ?? '' };
		const { stateField, urlFields, isInHistory } = route;
		return { path, urlFields, stateField, isInHistory };
	} catch (error) {
		return { unknown: (error as Error).message };
	}
}
