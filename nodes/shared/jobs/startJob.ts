import { settingOf } from '../clock/clock';
import { deadlineSignal } from '../clock/deadline';
import { attempt } from '../service/attempt';
import { reconnectMs } from '../service/retry';
import { isNotSent, isTooMany, isUnreachable, ServiceError } from '../service/serviceError';
import { PROMPT_FIELD } from '../spec/answers';
import { NotStarted } from './batch';
import type { Place } from '../limits/concurrencyLimiter';
import { createJob, isOutcomeUnknown } from './createJob';
import type { Job } from './job';
import { remember } from './itemOrder';
import type { CreatedJob, JobContext, JobSpec } from './jobContext';
import { noteStart } from './jobStart';
import type { OrderEvent, Sent } from './order';
import { scout } from './scout';

/**
 * Creates a job. Only what has certainly not created one is sent again (money rule 1):
 *
 * - After a 429, as long as there is time. A 429 to a creation may be about running jobs or about
 *   requests, so the place goes back as refused: the concurrency limiter starts no more jobs than run by
 *   then, pauses for as long as the service asks, or backs off, and gives this job the next place first.
 *   The rate limiter pauses for a 429 to any other request, not for this one.
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
	const deadline = deadlineSignal(clock, timeoutMs, signal);
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
			scout(run);
			if (isCalledOff) throw new NotStarted();
			if (isLast) throw error;

			const again = { signal: wanted, isFirst: true };
			const next = await attempt(
				clock
					.sleep(isTooMany(error) ? 0 : pauseMs, wanted)
					.then(async () => await getInLine(run, maxRunning, again)),
			);
			if ('error' in next) throw error;
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
	// A signal of its own, lest the items of a large batch all listen to the same.
	const ends = AbortSignal.any(signal ? [signal, stopCreating] : [stopCreating]);
	const place = await getInLine(run, maxRunning, { signal: ends }).catch(() => {
		throw new NotStarted();
	});
	if (!ends.aborted) return place;
	place.release();
	throw new NotStarted();
}

/** Only then is it known whether there is anybody to look for free places for. */
async function getInLine(
	run: JobContext,
	maxRunning: number,
	options: { signal: AbortSignal; isFirst?: boolean },
): Promise<Place> {
	const { limiter, detached } = run.account;
	const turn = limiter.acquire(run, maxRunning, options);
	scout(run);
	const wantNoMore = detached.want(run);
	return await turn.finally(wantNoMore);
}

/** ms that a refused creation has to wait at least; `undefined` where waiting does not help. */
function pauseAfter(error: unknown): number | undefined {
	return isTooMany(error) ? (error.retryAfterMs ?? 0) : undefined;
}

/** Sends the creation once; the ledger has the job, or that its outcome is unknown, when this returns. */
async function create(
	run: JobContext,
	jobSpec: JobSpec,
	wanted: AbortSignal,
): Promise<{ value: Job } | { error: unknown }> {
	const { account, service, clock } = run;
	const { operation, request } = jobSpec;
	const prompt = request.body?.[PROMPT_FIELD];
	const asSent = (): Sent => ({ at: clock.now(), prompt, clockSetting: settingOf(clock) });
	let sent = asSent();
	const because = `it has a place; others take ${account.limiter.others}`;
	const sendOptions = { signal: wanted, onSend: () => (sent = asSent()), because };
	account.limiter.creating += 1;
	const made = await attempt(createJob(service, operation, request, clock, sendOptions));
	account.limiter.creating -= 1;
	if ('value' in made) {
		noteStart(made.value, clock);
		remember(run, jobSpec, { kind: 'created', job: made.value });
		account.claims.add(made.value.id);
		account.limiter.created();
		run.onCreated?.();
		scout(run);
	} else if (isOutcomeUnknown(made.error)) {
		remember(run, jobSpec, lost(made.error, sent));
	}
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
