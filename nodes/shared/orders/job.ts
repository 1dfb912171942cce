import type { Body } from '../spec/values';
import { MAX_DESCRIPTION, MAX_TEXT, type ServiceError } from '../service/serviceError';
import { cleanText, sentences } from '../service/shownText';
import { isUnfinished } from '../spec/answers';
import type { CreateOperation, JobRoute } from '../spec/operation';
import { identifiersIn, type Identifier, reasonIn } from './readRecord';

/** Where the state of a job is read. */
export interface StatusPlace extends Pick<JobRoute, 'stateField' | 'urlFields' | 'isInHistory'> {
	/** Request path. */
	path: string;
	/** Set if the place was found and is not documented: how each answer has to prove that it is about the job. */
	proof?: Proof;
}

/** The place at a path of a route. */
export const placeAt = (
	{ stateField, urlFields, isInHistory }: JobRoute,
	path: string,
	proof?: Proof,
): StatusPlace => ({ path, stateField, urlFields, isInHistory, ...(proof && { proof }) });

/** How an answer of a place that was found is known to be about the job, and how the place was found. */
export interface Proof {
	/** The route that serves the job, as named in its item; for a link, the route of the job's family. */
	startedWith: string;
	/** Path of the link. */
	link?: string;
	/** As the answer to its creation names them. */
	identifiers: readonly Identifier[];
	/** When the answer to its creation came, ms since 1970. */
	createdAt?: number;
}

/** A paid job, from its creation on. */
export interface Job {
	id: string;
	/** Where its state is read; absent while that has to be looked for. */
	status?: StatusPlace;
	/** To look for a status: the path of a link to it in the answer to the creation. */
	link?: string;
	/** The answer to its creation: its record, with all that came beside it. */
	creation: Body;
	/** ms since 1970. */
	startedAt: number;
}

/** A job as last seen. */
export interface JobSnapshot {
	id: string;
	/** One of the service's states, or another text that it gave. */
	state: string | undefined;
	/** The record as last read, without its envelope. */
	record: Body;
	/** The answer to its creation, where this run made it. */
	creation?: Body;
	/** ms from creation (or the first poll) to the last poll. */
	waitedMs: number;
	/** Why it was not waited for, although that was asked for. */
	notWaited?: string;
	/** It had not ended when the time was up. */
	timedOut?: true;
}

/** A job of the generation history, as it is named to a person. */
export interface NamedJob {
	jobId: string;
	/** ISO 8601; `null` where the history does not give it. */
	createdAt: string | null;
	prompt: string;
}

type Failing = 'failed' | 'timeout' | 'stopped' | 'lost';

/** The error of a paid job that has no result. Always carries the job. */
export class JobError extends Error {
	readonly description: string;

	/** @param status HTTP status of the last answer, if the job's status cannot be read */
	constructor(
		readonly kind: Failing,
		message: string,
		description: string,
		readonly job: JobSnapshot,
		readonly status?: number,
	) {
		super(cleanText(message, MAX_TEXT));
		this.name = 'JobError';
		this.description = cleanText(description, MAX_DESCRIPTION);
	}
}

/**
 * A job that has failed or taken too long, for a run that gives such jobs out as items (*Output by Status*).
 *
 * @throws the error itself, if it is any other, or if the run gives out no such items
 */
export function snapshotOrThrow(error: unknown, failuresAreItems: boolean): JobSnapshot {
	const hasEnded = error instanceof JobError && ['failed', 'timeout'].includes(error.kind);
	if (!hasEnded || !failuresAreItems) throw error;
	return error.kind === 'timeout' ? { ...error.job, timedOut: true } : error.job;
}

/** Turns any error that comes up once a job is paid for into one that carries the job (money rule 3). */
export function withJob(error: unknown, job: JobSnapshot): JobError {
	if (error instanceof JobError) return error;
	const reason = error instanceof Error ? error.message : String(error);
	return new JobError(
		'lost',
		`The result of job ${jobName(job)} could not be output: ${reason}`,
		'The job is paid for. Read it with Job > Get Status and this ID.',
		job,
	);
}

/** How many characters of a text from the service are shown. */
const SHOWN_CHARACTERS = 500;

/** The identifier, with any others in the answer to the creation, cut to a length that can be shown. */
export function jobName({ id, creation = {} }: Pick<JobSnapshot, 'id' | 'creation'>): string {
	const others = identifiersIn(creation).filter(({ value }) => value !== id);
	const told = others.map(({ field, value }) => `${field} ${value}`).join(', ');
	return cleanText(told === '' ? id : `${id} (${told})`, SHOWN_CHARACTERS);
}

/*
 * The errors of jobs. The message says what happened; the description says what was charged and what to do, in a
 * sentence or two each.
 */

/** The service could not make the media. */
export function failed(job: JobSnapshot): JobError {
	const reason = reasonIn(job.record);
	return new JobError(
		'failed',
		`Job ${jobName(job)} failed${reason === null ? '' : `: ${cleanText(reason, SHOWN_CHARACTERS)}`}`,
		'The job was charged when it was created; another one costs again.',
		job,
	);
}

/** What was known of a job when its time was up. */
interface TimeUp {
	timeoutMs: number;
	/** The job's last known state. */
	state?: string;
	/** The fault that the last read met. */
	fault?: ServiceError;
	/** Whether the last read was answered. */
	isAnswered: boolean;
}

/** The job has not ended in time, or nobody could tell. */
export function timedOut(job: JobSnapshot, timeUp: TimeUp): JobError {
	const { timeoutMs, state, fault, isAnswered } = timeUp;
	return new JobError(
		'timeout',
		`Job ${jobName(job)} was not seen to finish within ${timeoutMs / 1000} seconds`,
		sentences(
			'The job is paid for, and may go on at the service.',
			state === undefined ? '' : `It was last seen ${cleanText(state, SHOWN_CHARACTERS)}.`,
			isAnswered ? saidText(job) : '',
			fault ? `The last status check failed: ${fault.message}.` : '',
			'Read it with Job > Wait for Completion and this ID, or raise Options > Timeout and retry this execution.',
		),
		job,
	);
}

/** What the status of a job says instead of one of the service's states; empty where it has one. */
export function saidText({ state, record }: Pick<JobSnapshot, 'state' | 'record'>): string {
	if (isUnfinished(state ?? '')) return '';
	const reason = reasonIn(record);
	const said = reason === null ? [] : [`The service said: ${cleanText(reason, SHOWN_CHARACTERS)}.`];
	return sentences(state === undefined ? 'Its status has no state.' : '', ...said);
}

/** The user has stopped the execution. */
export function stopped(job: JobSnapshot): JobError {
	return new JobError(
		'stopped',
		`Stopped while job ${jobName(job)} was running`,
		'The job is paid for and goes on at the service. Read it later with Job > Get Status and this ID.',
		job,
	);
}

/** The job's status cannot be read at a path, which a person may have set. */
export function lost(job: JobSnapshot, path: string, fault: ServiceError): JobError {
	return new JobError(
		'lost',
		`The status of job ${jobName(job)} cannot be read: ${fault.message}`,
		// Of a job that this run has not created, it is not known whether it is paid for.
		sentences(
			job.creation ? 'The job is paid for: read it later with Job > Get Status and this ID.' : '',
			`It was asked for at ${cleanText(path, SHOWN_CHARACTERS)}.`,
			fault.description,
		),
		job,
		fault.status,
	);
}

const MAY_EXIST = 'The job may exist and be paid for:';

const ORDER_ANEW = 'Retry on this execution, or a new run for this item, orders it anew.';

/**
 * What to do about a creation whose outcome is unknown.
 *
 * @param candidates jobs of the generation history that may be the one; absent where that could not be read
 */
export function doubtText(
	operation: Pick<CreateOperation, 'status'>,
	candidates?: readonly NamedJob[],
): string {
	if (!operation.status.isInHistory) {
		return `${MAY_EXIST} see on the website of the service, or by the credit balance. If it does not exist, ${ORDER_ANEW}`;
	}
	const named = (candidates ?? []).map(
		({ jobId, createdAt, prompt }) => `${jobId} (${createdAt ?? 'time not known'}, "${prompt}")`,
	);
	if (named.length > 0) {
		return `${MAY_EXIST} the generation history shows ${named.join('; ')}. If that is this one, take its result with Job > Wait for Completion and its ID; if not, ${ORDER_ANEW}`;
	}
	const unread = candidates ? '' : ' It could not be read just now.';
	return `${MAY_EXIST} look for it with Job > Get History, and take its result with Job > Wait for Completion.${unread} If it is not there, ${ORDER_ANEW}`;
}
