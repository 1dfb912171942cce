import { unwrap, type Body } from '../service/bodies';
import { cleanText } from '../service/cleanText';
import { unreadable } from '../service/failures';
import type { Service } from '../service/service';
import { ServiceError } from '../service/serviceError';
import { ERROR_MESSAGE_FIELD } from '../spec/records';
import { COMPLETED, FAILED } from '../spec/states';
import { READ } from '../spec/statuses';
import type { Clock } from './clock';
import { JobError, type SeenJob } from './job';
import { stateIn, textIn } from './readRecord';

export interface Waiting {
	/** ms between two looks. */
	intervalMs: number;
	/** ms after which waiting ends. */
	timeoutMs: number;
	clock: Clock;
	/** Fires when the user stops the execution. */
	signal?: AbortSignal;
}

/** What is waited for. */
export interface Awaited {
	id: string;
	/** Request path of its status. */
	path: string;
	/** ms since 1970; waiting time counts from here. */
	startedAt: number;
	/** The answer to its creation, where this run made it. */
	creation?: Body;
}

/**
 * Reads the state of a job once.
 *
 * @throws ServiceError when there is no readable answer
 */
export async function lookAtJob(
	service: Service,
	awaited: Awaited,
	clock: Clock,
): Promise<SeenJob> {
	const body = await service.send({ method: 'GET', path: awaited.path });
	const record = unwrap(body);
	if (!record) throw unreadable(READ, JSON.stringify(body));
	return {
		id: awaited.id,
		state: stateIn(record),
		record,
		creation: awaited.creation,
		waitedMs: clock.now() - awaited.startedAt,
	};
}

/**
 * Polls a job until it is completed. Passing faults (5xx, 429, broken connections, garbage) are
 * waited out: the job is paid for, and goes on whatever happens to our connection.
 *
 * @throws JobError when it failed, timed out, was stopped, or cannot be read; it carries the job
 * @throws ServiceError when a job that this run did not create cannot be reached at all
 */
export async function waitForJob(
	service: Service,
	awaited: Awaited,
	{ intervalMs, timeoutMs, clock, signal }: Waiting,
): Promise<SeenJob> {
	const deadline = clock.now() + timeoutMs;
	let seen: SeenJob = { ...awaited, state: undefined, record: {}, waitedMs: 0 };
	let fault: ServiceError | undefined;
	for (;;) {
		try {
			seen = await lookAtJob(service, awaited, clock);
			fault = undefined;
		} catch (error) {
			fault = asServiceError(error);
		}
		if (fault && isWrongAddress(fault, seen)) throw fault;
		if (fault && !isPassing(fault)) throw lost(seen, fault);
		if (!fault && seen.state === COMPLETED) return seen;
		if (!fault && seen.state === FAILED) throw failed(seen);
		if (signal?.aborted) throw stopped(seen);

		const left = deadline - clock.now();
		if (left <= 0) throw timedOut(seen, timeoutMs, fault);
		const pause = Math.max(intervalMs, fault?.retryAfterMs ?? 0);
		await clock.sleep(Math.min(pause, left), signal).catch(() => {
			throw stopped(seen);
		});
	}
}

function asServiceError(error: unknown): ServiceError {
	return error instanceof ServiceError
		? error
		: new ServiceError({ message: String(error), description: '', outcome: 'unknown' });
}

/** Whether another look may succeed. */
function isPassing({ outcome, status }: ServiceError): boolean {
	return outcome !== 'refused' || status === 429;
}

/** Nothing was ever there: no paid job of this run is at stake, and waiting would not help. */
function isWrongAddress({ outcome }: ServiceError, { state, creation }: SeenJob): boolean {
	return outcome === 'notSent' && state === undefined && creation === undefined;
}

/** Characters that are shown of what the service says about a job. */
const SHOWN_CHARACTERS = 500;

/** The identifier, as far as it can be shown. */
const named = ({ id }: SeenJob) => cleanText(id, SHOWN_CHARACTERS);

function failed(job: SeenJob): JobError {
	const reason = textIn(job.record, [ERROR_MESSAGE_FIELD]);
	return new JobError(
		'failed',
		`Job ${named(job)} failed${reason === null ? '' : `: ${cleanText(reason, SHOWN_CHARACTERS)}`}`,
		'The service could not make this media. Change the prompt or try again: a new run starts a new paid job.',
		job,
	);
}

function timedOut(job: SeenJob, timeoutMs: number, fault?: ServiceError): JobError {
	const lastSeen =
		job.state === undefined ? '' : ` It was last seen ${cleanText(job.state, SHOWN_CHARACTERS)}.`;
	const trouble = fault ? ` The last look at it failed: ${fault.message}.` : '';
	return new JobError(
		'timeout',
		`Job ${named(job)} has not finished within ${timeoutMs / 1000} seconds`,
		`The job is paid for and goes on at the service.${lastSeen}${trouble} Read it later with Job > Wait for Completion and this ID, or raise Options > Timeout.`,
		job,
	);
}

function stopped(job: SeenJob): JobError {
	return new JobError(
		'stopped',
		`Stopped while job ${named(job)} was running`,
		'The job is paid for and goes on at the service. Read it later with Job > Get Status and this ID.',
		job,
	);
}

function lost(job: SeenJob, fault: ServiceError): JobError {
	return new JobError(
		'lost',
		`The status of job ${named(job)} cannot be read: ${fault.message}`,
		fault.description,
		job,
	);
}
