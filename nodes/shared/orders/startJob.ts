import { attempt, type Attempt } from '../account/backoff';
import { reconnectMs } from '../service/retry';
import { isNotSent, isTooMany, isUnreachable, ServiceError } from '../service/serviceError';
import { LONGEST_WINDOW_MS } from '../spec/limits';
import { NotStarted } from './batch';
import type { Place } from '../account/places';
import { createJob, isOutcomeUnknown } from './createJob';
import type { Job } from './job';
import type { CreatedJob, JobContext, JobSpec } from './jobContext';
import type { Order, Outcome } from './order';

/**
 * Creates a job. A creation is sent again only if the one before has certainly created no job (money rule 1):
 *
 * - After a 429. It may be about running jobs or about requests, so the place goes back as refused: from then on, no
 *   more jobs are started than are running (`Places`), and none before the service's pause or a backoff is over. This
 *   job gets the next place first. It is given up when this process has had none accepted for an hour.
 * - After a connection that was never made, a few times, with a backoff.
 *
 * @throws ServiceError when that did not help, or the outcome is unknown
 * @throws NotStarted when the run does not start any more jobs
 */
export async function startJob(run: JobContext, jobSpec: JobSpec): Promise<CreatedJob> {
	const { account, clock, signal, stopCreating } = run;
	const { maxRunning } = jobSpec;
	let place = await firstPlace(run, maxRunning);
	jobSpec.onPlace?.();
	const order = sending(run, jobSpec);
	const wanted = AbortSignal.any(signal ? [signal, stopCreating] : [stopCreating]);
	try {
		for (let tries = 0; ; ) {
			const made = await create(run, jobSpec, order, wanted);
			if ('value' in made) return { job: made.value, startedAt: clock.elapsed(), place };
			const { error } = made;
			const isCalledOff = isNotSent(error) && stopCreating.aborted;
			const reconnect = isUnreachable(error) ? reconnectMs(tries++) : undefined;
			const pauseMs = reconnect ?? pauseAfter(error, run);
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
	const { signal, stopCreating } = run;
	// A signal of its own, so that the items of a large batch do not all listen to the same one.
	const ends = AbortSignal.any(signal ? [signal, stopCreating] : [stopCreating]);
	const place = await run.account.limits.place(run, maxRunning, { signal: ends }).catch(() => {
		throw new NotStarted();
	});
	if (!ends.aborted) return place;
	place.release();
	throw new NotStarted();
}

/** The pause after a refused creation, ms: the next place comes when it is over. `undefined` if waiting does not help. */
function pauseAfter(error: unknown, { account, clock, startedAt }: JobContext): number | undefined {
	if (!isTooMany(error)) return undefined;
	const { retryAfterMs = 0 } = error;
	// No window of the service is longer. What was refused before this run began says nothing about it.
	const refusedMs = Math.min(account.limits.places.refusedForMs, clock.elapsed() - startedAt);
	return refusedMs + retryAfterMs < LONGEST_WINDOW_MS ? 0 : undefined;
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
	{ operation, request }: JobSpec,
	order: Order,
	wanted: AbortSignal,
): Promise<Attempt<Job>> {
	const { account, service, clock, orders } = run;
	const { places } = account.limits;
	const because = 'it has a place';
	let answered: ((hasSucceeded: boolean) => void) | undefined;
	const onSend = () => {
		order.sentAt = clock.now();
		answered = places.creationSent();
	};
	const made = await attempt(
		createJob(service, operation, request, clock, { signal: wanted, onSend, because }),
	);
	answered?.('value' in made);
	if ('value' in made) {
		orders.settle(order, { state: 'running', job: made.value });
		account.claims.add(made.value.id);
		run.onCreated?.();
	} else if (isOutcomeUnknown(made.error)) orders.settle(order, lost(made.error));
	return made;
}

function lost(error: unknown): Outcome {
	const { answer, status, said } = error instanceof ServiceError ? error : {};
	return { state: 'unknown', why: (error as Error).message, answer, status, said };
}
