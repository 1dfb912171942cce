import { elapsedAt, type Clock } from '../clock/clock';
import type { Body } from '../service/bodies';
import { MAX_DESCRIPTION, MAX_TEXT } from '../service/serviceError';
import { cleanText } from '../service/shownText';
import type { StatusRoute } from '../spec/types';
import type { JobFacts } from './proof';
import { identifiersIn } from './readRecord';

/** Where the state of a job is read. */
export interface StatusPlace extends Pick<StatusRoute, 'stateField' | 'urlFields' | 'isInHistory'> {
	/** Request path. */
	path: string;
	/** Set if the place was found and is not documented: each answer has to prove that it is about the job. */
	found?: Found;
}

/** How a place was found. */
interface Found {
	/** The route that serves the job, as named in its item; for a link, the route of the job's family. */
	startedWith: string;
	/** The path is that of a list with the job among its entries. */
	isList?: true;
	/** Path of the link, with a placeholder for the identifier. */
	link?: string;
	facts: JobFacts;
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
	/** Also to look for it: the ordered prompt in the form that is compared; an expression may give another one later. */
	prompt?: string;
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

/** When this process created its jobs, elapsed ms. */
const known = new WeakMap<Job, number>();

export function noteStart(job: Job, clock: Clock): void {
	known.set(job, clock.elapsed());
}

/** The same job, with the identifier and the place by which its status is read. */
export function withStatus(job: Job, id: string, status: StatusPlace): Job {
	const startedWith = 'open' in job.status ? job.status.open : job.startedWith;
	const located = { ...job, id, status, ...(startedWith && { startedWith }) };
	const at = known.get(job);
	if (at !== undefined) known.set(located, at);
	return located;
}

/**
 * When a job was created, elapsed ms. If another process created it, this comes from the time of day, and is off if a
 * clock has been set since.
 */
export const startOf = (job: Job, clock: Clock): number =>
	known.get(job) ?? elapsedAt(clock, job.startedAt);
