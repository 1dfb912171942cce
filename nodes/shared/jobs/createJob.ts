import { SETTINGS_PLACE } from '../parameters/names';
import { fillWithId } from '../request/buildRequest';
import type { ServiceRequest } from '../service/request';
import { jobRecord } from '../service/bodies';
import { answerText, unknownOutcomeText, NOT_CHARGED, UNNAMED_JOB } from '../service/errorTexts';
import type { Service, SendOptions } from '../service/service';
import { ServiceError, type Outcome } from '../service/serviceError';
import { own } from '../spec/conditions';
import { openPoint } from '../spec/openPoints';
import { CREATED, ENVELOPE, GENERATION_STATUS } from '../spec/answers';
import type { CreateOperation, StatusRoute } from '../spec/types';
import { settingOf, type Clock } from '../clock/clock';
import type { Job, StatusLocation } from './job';
import { identifierIn, type Identifier } from './readRecord';

/**
 * Starts one paid job. Sent once and never again: the caller decides what an error means.
 *
 * @param sendOptions its signal ends the waiting for the account's limits; what has been sent is not called
 *   back
 * @throws ServiceError; with outcome `unknown` it says that the job may have been paid for
 */
export async function createJob(
	service: Service,
	operation: CreateOperation,
	request: ServiceRequest,
	clock: Clock,
	sendOptions: Pick<SendOptions, 'signal' | 'onSend'> = {},
): Promise<Job> {
	const body = await service
		.send(request, { priority: 'create', ...sendOptions })
		.catch((error: unknown) => {
			throw toldOf(error, operation);
		});
	// Not when it was asked for: that may have waited for the limits of the account.
	const job = jobInAnswer(service, operation, body, clock.now());
	if (!job) throw toldOf(withoutJob(body), operation);
	return { ...job, clockSetting: settingOf(clock) };
}

/** The job in the answer to a creation; `undefined` where nothing identifies it. */
export function jobInAnswer(
	service: Service,
	operation: CreateOperation,
	body: unknown,
	startedAt: number,
): Job | undefined {
	const creation = saysFailed(body) ? undefined : jobRecord(body);
	const hints = { documented: documentedIds(operation), set: service.field('identifier') };
	const identifier = creation && identifierIn(creation, hints);
	if (!creation || !identifier) return undefined;
	const { value: id } = identifier;
	return { id, status: statusLocation(service, operation, identifier), creation, startedAt };
}

/** Whether an error leaves open that a job was created and charged (money rule 1). */
export function isOutcomeUnknown(error: unknown): boolean {
	return !(error instanceof ServiceError) || error.outcome === 'unknown';
}

/** The error with what it means for the money; where its outcome is unknown, with the whole answer. */
function toldOf(error: unknown, operation: CreateOperation): unknown {
	if (!(error instanceof ServiceError)) return error;
	const more = TOLD[error.outcome]?.(error, operation);
	return more === undefined ? error : error.with({ description: `${error.description} ${more}` });
}

type Telling = (error: ServiceError, operation: CreateOperation) => string;

const TOLD: Partial<Record<Outcome, Telling>> = {
	refused: () => NOT_CHARGED,
	unknown: ({ answer }, operation) =>
		[unknownOutcomeText(operation).lost, answerText(answer)].filter(Boolean).join(' '),
};

function withoutJob(body: unknown): ServiceError {
	const texts = saysFailed(body) ? SAYS_FAILED : UNNAMED_JOB;
	const answer = JSON.stringify(body);
	return new ServiceError({ ...texts, outcome: 'unknown', status: CREATED, answer });
}

/** The error body of the document (section "Errors"); whatever it names is no job. */
const saysFailed = (body: unknown) => own(Object(body), ENVELOPE.success) === false;

const SAYS_FAILED = {
	message: 'The service says that it has failed, with the status of a success',
	description: 'Whether it has created a job cannot be told.',
};

/** What the document calls the identifier of a creation, in its answer or where it is used. */
function documentedIds({ result, status }: CreateOperation): string[] {
	const names = [result?.idField, 'route' in status ? status.route.idField : undefined];
	return names.filter((name) => name !== undefined);
}

/** Where the job's status is read, by the policy for open points ("status path"). */
function statusLocation(
	service: Service,
	operation: CreateOperation,
	{ field, value }: Identifier,
): StatusLocation {
	const route = statusRoute(service, operation, field);
	if (route === undefined) return { unknown: noStatusPath(operation, field) };
	try {
		const { path, stateField, urlFields, isInHistory } = route;
		return {
			path: fillWithId(path, value),
			urlFields,
			...(stateField !== undefined && { stateField }),
			...(isInHistory && { isInHistory }),
		};
	} catch (error) {
		return { unknown: (error as Error).message };
	}
}

function statusRoute(
	service: Service,
	{ status }: CreateOperation,
	idField: string,
): Pick<StatusRoute, 'path' | 'stateField' | 'urlFields' | 'isInHistory'> | undefined {
	if ('route' in status) return status.route;
	if (idField === GENERATION_STATUS.idField && !status.only) return GENERATION_STATUS;
	const path = service.path(status.openPoint);
	return path === undefined ? undefined : { path, urlFields: {} };
}

function noStatusPath({ status }: CreateOperation, idField: string): string {
	const setting = 'openPoint' in status ? openPoint(status.openPoint)?.setting : undefined;
	return [
		`The service answered with a ${idField}, and how to read its status is not documented.`,
		setting ? `If you know the path, enter it in ${SETTINGS_PLACE}, as "${setting.label}".` : '',
	].join(' ');
}
