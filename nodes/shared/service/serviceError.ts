import { TOO_MANY_REQUESTS } from '../spec/answers';
import { cleanText } from './cleanText';

/**
 * What a request has done, as far as can be told:
 * - `notSent`: nothing; it was not tried
 * - `unreachable`: nothing; the connection was never made
 * - `refused`: nothing; the service said no
 * - `unknown`: perhaps everything; the answer was lost or cannot be read
 */
export type Outcome = 'notSent' | 'unreachable' | 'refused' | 'unknown';

interface Facts {
	/** What happened. */
	message: string;
	/** What to do about it. */
	description: string;
	outcome: Outcome;
	/** HTTP status, where there was an answer. */
	status?: number;
	/** How long the service asks to be left alone, in ms (header Retry-After). */
	retryAfterMs?: number;
	/** The body of an answer that could not be used, as far as it came. */
	answer?: string;
	/** The answer had no body. */
	isEmpty?: boolean;
}

/** Characters that are kept of an answer to a creation, which may name the paid job in its own way. */
const MAX_KEPT = 100_000;

/** Characters that are shown of it. */
export const MAX_ANSWER = 4000;

/** Characters of a message, and of a description: what the service says in them is cut before. */
export const MAX_TEXT = 4000;
export const MAX_DESCRIPTION = MAX_TEXT + MAX_ANSWER;

/** A request to the service that did not give an answer to go on with. */
export class ServiceError extends Error {
	readonly description: string;

	readonly outcome: Outcome;

	readonly status?: number;

	readonly retryAfterMs?: number;

	readonly answer?: string;

	readonly isEmpty?: boolean;

	constructor(facts: Facts) {
		const { message, description, outcome, status, retryAfterMs, answer, isEmpty } = facts;
		super(cleanText(message, MAX_TEXT));
		this.name = 'ServiceError';
		this.description = cleanText(description, MAX_DESCRIPTION);
		this.outcome = outcome;
		this.status = status;
		this.retryAfterMs = retryAfterMs;
		this.answer = answer?.slice(0, MAX_KEPT);
		this.isEmpty = isEmpty;
	}

	/** The same error with more to say. */
	with(facts: Partial<Facts>): ServiceError {
		return new ServiceError({ ...this, message: this.message, ...facts });
	}
}

/** The limits of the account are reached (section "Limits"): nothing was done, and later it may be. */
export function isTooMany(error: unknown): error is ServiceError {
	return error instanceof ServiceError && error.status === TOO_MANY_REQUESTS;
}

/** The service said no, and will another time, too; that there are too many requests passes. */
export function isRefusal(error: unknown): boolean {
	return error instanceof ServiceError && error.outcome === 'refused' && !isTooMany(error);
}

/** Nobody answered at the address: nothing was done. */
export function isUnreachable(error: unknown): error is ServiceError {
	return error instanceof ServiceError && error.outcome === 'unreachable';
}

/** It was never sent: its turn did not come in time, or it was called off before. */
export function isNotSent(error: unknown): error is ServiceError {
	return error instanceof ServiceError && error.outcome === 'notSent';
}
