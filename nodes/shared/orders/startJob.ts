import { attempt, type Attempt } from '../clock/clock';
import type { Place } from '../account/places';
import { pathWithId } from '../request/request';
import { recordIn, identifierIn } from './readRecord';
import { reconnectMs } from '../service/retry';
import type { SendOptions, Service } from '../service/service';
import {
	isNotSent,
	isTooMany,
	isUnreachable,
	ServiceError,
	unnamedJob,
} from '../service/serviceError';
import { sentences } from '../service/shownText';
import { own } from '../spec/values';
import { DEMO } from '../spec/limits';
import type { CreateOperation } from '../spec/operation';
import { statusLinkIn } from './findStatus';
import { doubtText, type Job, placeAt } from './job';
import { type CreatedJob, type JobContext, type JobSpec, NotStarted } from './jobContext';
import type { Order, Outcome } from './order';

/**
 * Creates a job. A creation is sent again only if the one before has certainly created no job (money rule 1):
 *
 * - After a 429. It may be about running jobs or about requests, so the place goes back as refused: until the service's
 *   pause or a backoff is over, a job is started only in a place that another gives back (`Places`). This job gets the
 *   next place first. It is given up when its run has had none accepted for an hour.
 * - After a connection that was never made, a few times, with a backoff.
 *
 * @throws ServiceError when that did not help, or the outcome is unknown
 * @throws NotStarted when the run does not start any more jobs
 */
export async function startJob(run: JobContext, jobSpec: JobSpec): Promise<CreatedJob> {
	const { account, clock, stopCreating } = run;
	const { maxRunning } = jobSpec;
	let place = await firstPlace(run, maxRunning);
	const order = sending(run, jobSpec);
	const wanted = endOf(run);
	try {
		for (let tries = 0; ; ) {
			const made = await create(run, jobSpec, order, wanted);
			if ('value' in made) return { job: made.value, place };
			const { error } = made;
			const isCalledOff = isNotSent(error) && stopCreating.aborted;
			const reconnect = isUnreachable(error) ? reconnectMs(tries++) : undefined;
			const pauseMs = reconnect ?? (isTriedAgain(error, run) ? 0 : undefined);
			if (pauseMs === undefined && !isCalledOff) run.onItemFailed();
			if (isTooMany(error)) place.refused(error.retryAfterMs);
			else place.release();
			if (isCalledOff) throw new NotStarted();
			if (pauseMs === undefined) throw error;

			const again = { signal: wanted, isFirst: true };
			const next = await attempt(
				clock
					.sleep(pauseMs, wanted)
					.then(async () => await account.limits.place(run, maxRunning, again)),
			);
			// If the run stops creating because of others, this job has not failed.
			if ('error' in next) throw stopCreating.aborted ? new NotStarted() : error;
			place = next.value;
		}
	} finally {
		// Refused, or not sent: nothing was charged.
		if (order.outcome.state === 'sending') run.orders.drop(order);
	}
}

/**
 * Waits for a place among the running jobs of the account.
 *
 * @throws NotStarted when the run does not start any more jobs
 */
export async function firstPlace(run: JobContext, maxRunning: number): Promise<Place> {
	const ends = endOf(run);
	const place = await run.account.limits.place(run, maxRunning, { signal: ends }).catch(() => {
		throw new NotStarted();
	});
	if (!ends.aborted) return place;
	place.release();
	throw new NotStarted();
}

/** Fires when nothing more is to be created. Each item has its own: a large batch would all listen to the same one. */
const endOf = ({ signal, stopCreating }: JobContext) =>
	AbortSignal.any(signal ? [signal, stopCreating] : [stopCreating]);

/** Whether a creation that was refused for a limit is sent again, in the next place. */
function isTriedAgain(error: unknown, { account, clock, startedAt }: JobContext): boolean {
	if (!isTooMany(error)) return false;
	const { retryAfterMs = 0 } = error;
	// No window of the service is longer. What was refused before this run began says nothing about it.
	const refusedMs = Math.min(account.limits.places.refusedForMs, clock.now() - startedAt);
	return refusedMs + retryAfterMs < DEMO.windowMs;
}

/** The order of an item that is about to be sent; a durable run has noted it before. */
function sending({ orders, clock }: JobContext, { itemIndex, noted }: JobSpec): Order {
	const order = orders.find(itemIndex);
	const isNoted = order?.outcome.state === 'sending';
	return isNoted ? order : orders.begin(itemIndex, { ...noted, sentAt: clock.now() });
}

/** Sends the creation once. Before and after, its order says all that is known (money rule 2). */
async function create(
	run: JobContext,
	jobSpec: JobSpec,
	order: Order,
	wanted: AbortSignal,
): Promise<Attempt<Job>> {
	const { account, clock, orders } = run;
	const { places } = account.limits;
	const because = 'it has a place';
	let answered: ((hasSucceeded: boolean) => void) | undefined;
	const onSend = () => {
		order.sentAt = clock.now();
		answered = places.creationSent();
	};
	const made = await attempt(createJob(run, jobSpec, { signal: wanted, onSend, because }));
	answered?.('value' in made);
	if ('value' in made) {
		orders.settle(order, { state: 'running', job: made.value });
		run.onCreated?.();
	} else if (isOutcomeUnknown(made.error)) orders.settle(order, unknownOutcome(made.error));
	return made;
}

function unknownOutcome(error: unknown): Outcome {
	const { answer, status, said } = error instanceof ServiceError ? error : {};
	return { state: 'unknown', why: (error as Error).message, answer, status, said };
}

/**
 * Starts one paid job. The creation is sent only once: the caller decides what an error means.
 *
 * @param sendOptions its signal ends the wait for the account's limits, but does not call back what was sent
 * @throws ServiceError; one with outcome `unknown` says that the job may have been paid for
 */
async function createJob(
	{ service, clock }: JobContext,
	{ operation, request }: JobSpec,
	sendOptions: Pick<SendOptions, 'signal' | 'onSend' | 'because'>,
): Promise<Job> {
	const body = await service
		.send(request, { priority: 'create', ...sendOptions })
		.catch((error: unknown) => {
			throw toldOf(error, operation);
		});
	// The time of the answer, not of the call: the request may have waited for the account's limits.
	const job = jobInAnswer(service, operation, body, clock.now());
	if (!job) throw toldOf(unnamedJob(201, JSON.stringify(body)), operation);
	return job;
}

/** The job in the answer to a creation; `undefined` if the answer says that it failed, or nothing identifies a job. */
export function jobInAnswer(
	service: Service,
	operation: CreateOperation,
	body: unknown,
	startedAt: number,
): Job | undefined {
	const creation = saysFailed(body) ? undefined : recordIn(body);
	const { idField } = operation.status;
	const hints = { documented: idField ? [idField] : [], set: service.field('identifierField') };
	const identifier = creation && identifierIn(creation, hints);
	if (!creation || !identifier) return undefined;
	const id = identifier.value;
	const route = operation.status;
	const path = typeof route.path === 'string' ? pathWithId(route.path, id) : undefined;
	if (path !== undefined) return { id, status: placeAt(route, path), creation, startedAt };
	const link = statusLinkIn(creation, id, service.baseUrl);
	return { id, ...(link && { link }), creation, startedAt };
}

/** Whether an error leaves open that a job was created and charged (money rule 1). */
function isOutcomeUnknown(error: unknown): boolean {
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
const saysFailed = (body: unknown) => own(Object(body), 'success') === false;
