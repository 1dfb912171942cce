import type { Body } from '../service/bodies';
import { MAX_DESCRIPTION, MAX_TEXT } from '../service/serviceError';
import { cleanText } from '../service/shownText';
import type { JobRoute } from '../spec/operation';
import { identifiersIn, type Identifier } from './readRecord';

/** Where the state of a job is read. */
export interface StatusPlace extends Pick<JobRoute, 'stateField' | 'urlFields' | 'isInHistory'> {
	/** Request path. */
	path: string;
	/** Set if the place was found and is not documented: each answer has to prove that it is about the job. */
	found?: Found;
}

/** The place at a path of a route. */
export const placeAt = (
	{ stateField, urlFields, isInHistory }: JobRoute,
	path: string,
	found?: Found,
): StatusPlace => ({ path, stateField, urlFields, isInHistory, ...(found && { found }) });

/** How a place was found, and how an answer is known to be about the job. */
export interface Found {
	/** The route that serves the job, as named in its item; for a link, the route of the job's family. */
	startedWith: string;
	/** Path of the link, with a placeholder for the identifier. */
	link?: string;
	/** As the answer to its creation names them. */
	identifiers: readonly Identifier[];
	/** When the answer to its creation came, ms since 1970. */
	createdAt?: number;
}

/**
 * Where the state of a job is read; if that has to be looked for, what the job was started with (`open`); or why it
 * cannot be told (`unknown`).
 */
export type StatusLocation = StatusPlace | { open: string } | { unknown: string };

/** A paid job, from its creation on. */
export interface Job {
	id: string;
	/** Where its state is read. */
	status: StatusLocation;
	/** To look for a status: a link to it in the answer to the creation, with a placeholder for the identifier. */
	link?: string;
	/** What it was started with, once its status place was found. */
	startedWith?: string;
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
export function snapshotIfNoError(error: unknown, failuresAreItems: boolean): JobSnapshot {
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
		`The result of job ${nameOf(job)} could not be output: ${reason}`,
		'The job is paid for. Read it with Job > Get Status and this ID.',
		job,
	);
}

/** How many characters of a text from the service are shown. */
export const SHOWN_CHARACTERS = 500;

/** The identifier, with any others in the answer to the creation, cut to a length that can be shown. */
export function nameOf({ id, creation = {} }: Pick<JobSnapshot, 'id' | 'creation'>): string {
	const others = identifiersIn(creation).filter(({ value }) => value !== id);
	const told = others.map(({ field, value }) => `${field} ${value}`).join(', ');
	return cleanText(told === '' ? id : `${id} (${told})`, SHOWN_CHARACTERS);
}
