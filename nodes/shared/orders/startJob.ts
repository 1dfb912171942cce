import { deadlineIn } from '../clock/clock';
import { attempt, type Attempt } from '../service/attempt';
import { reconnectMs } from '../service/retry';
import { isNotSent, isTooMany, isUnreachable, ServiceError } from '../service/serviceError';
import { PROMPT_FIELD } from '../spec/answers';
import { NotStarted } from './batch';
import type { Place } from '../limits/places';
import { createJob, isOutcomeUnknown } from './createJob';
import { type Job, noteStart } from './job';
import { remember } from './itemOrder';
import type { CreatedJob, JobContext, JobSpec } from './jobContext';
import type { OrderEvent, Sent } from './order';

/**
 * Creates a job. A creation is sent again only if the one before has certainly created no job (money rule 1):
 *
 * - After a 429, as long as there is time. It may be about running jobs or about requests, so the place goes back as
 *   refused: from then on, no more jobs are started than are running (`Places`), and none before the service's pause or
 *   a backoff is over. This job gets the next place first. Unlike this one, a 429 to any other request pauses all
 *   requests (`Requests`).
 * - After a connection that was never made, a few times, with a backoff.
 *
 * @throws ServiceError when that did not help, or the outcome is unknown
 * @throws NotStarted when the run does not start any more jobs
 */
export async function startJob(run: JobContext, jobSpec: JobSpec): Promise<CreatedJob> {
	const { clock, signal, stopCreating } = run;
	const { timeoutMs, maxRunning } = jobSpec;
	let place = jobSpec.place ?? (await firstPlace(run, maxRunning));
	jobSpec.onPlace?.();
	const deadline = deadlineIn(clock, timeoutMs, signal);
	const wanted = AbortSignal.any([deadline.signal, stopCreating]);
	try {
		for (let tries = 0; ; ) {
			const made = await create(run, jobSpec, wanted);
			if ('value' in made) return { job: made.value, place, isNew: true };
			const { error } = made;
			const isCalledOff = isNotSent(error) && stopCreating.aborted;
			const pauseMs = isUnreachable(error) ? reconnectMs(tries++) : pauseAfter(error);
			const isLast = pauseMs === undefined || clock.elapsed() + pauseMs >= deadline.at;
			if (isLast && !isCalledOff) run.onItemFailed();
			if (isTooMany(error)) place.refused(error.retryAfterMs);
			else place.release();
			if (isCalledOff) throw new NotStarted();
			if (isLast) throw error;

			const again = { signal: wanted, isFirst: true };
			const next = await attempt(
				clock
					.sleep(isTooMany(error) ? 0 : pauseMs, wanted)
					.then(async () => await getInLine(run, maxRunning, again)),
			);
			// If the run stops creating because of others, this job has not failed.
			if ('error' in next) throw stopCreating.aborted ? new NotStarted() : error;
			place = next.value;
		}
	} finally {
		deadline.forget();
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
	const place = await getInLine(run, maxRunning, { signal: ends }).catch(() => {
		throw new NotStarted();
	});
	if (!ends.aborted) return place;
	place.release();
	throw new NotStarted();
}

/** Waits for a place. Meanwhile, the run watches for places to come free, also those of jobs that nobody waits for. */
async function getInLine(
	run: JobContext,
	maxRunning: number,
	options: { signal: AbortSignal; isFirst?: boolean },
): Promise<Place> {
	const { loop, detached, historyReader } = run.account;
	historyReader.lookOut(run);
	const turn = loop.place(run, maxRunning, options);
	const wantNoMore = detached.want(run);
	return await turn.finally(wantNoMore);
}

/** How long a refused creation has to wait at least, ms; `undefined` if waiting does not help. */
function pauseAfter(error: unknown): number | undefined {
	return isTooMany(error) ? (error.retryAfterMs ?? 0) : undefined;
}

/** Sends the creation once. When this returns, the ledger has the job, or that the outcome is unknown. */
async function create(
	run: JobContext,
	jobSpec: JobSpec,
	wanted: AbortSignal,
): Promise<Attempt<Job>> {
	const { account, service, clock } = run;
	const { operation, request } = jobSpec;
	const prompt = request.body?.[PROMPT_FIELD];
	const asSent = (): Sent => ({ at: clock.now(), prompt });
	let sent = asSent();
	const { loop } = account;
	const because = `it has a place; others take ${loop.places.ofOthers}`;
	const sendOptions = { signal: wanted, onSend: () => (sent = asSent()), because };
	loop.places.creationSent();
	const made = await attempt(createJob(service, operation, request, clock, sendOptions));
	loop.places.creationAnswered('value' in made);
	if ('value' in made) {
		noteStart(made.value, clock);
		remember(run, jobSpec, { kind: 'created', job: made.value });
		account.claims.add(made.value.id);
		run.onCreated?.();
	} else if (isOutcomeUnknown(made.error)) {
		remember(run, jobSpec, lost(made.error, sent));
	}
	loop.serve();
	return made;
}

function lost(error: unknown, sent: Sent): OrderEvent {
	const { answer, status = 0 } = error instanceof ServiceError ? error : {};
	return {
		kind: 'lost',
		unknownOutcome: (error as Error).message,
		sent,
		...(answer !== undefined && { answer, isAccepted: status >= 200 && status <= 299 }),
	};
}
