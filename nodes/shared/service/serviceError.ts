import { ERROR_FIELDS, TOO_MANY_REQUESTS } from '../spec/answers';
import { objectIn, type Body, type Cut } from './bodies';
import {
	GAVE_UP,
	MAX_ANSWER,
	noAnswerText,
	notConnectedText,
	otherStatusText,
	statusText,
	UNREADABLE,
	type ErrorText,
} from './errorTexts';
import { cleanText, inWords, sentences } from './shownText';

/**
 * What a request has done, as far as can be told:
 * - `notSent`: nothing; it was not sent, or not in full
 * - `unreachable`: nothing; the connection was never made
 * - `refused`: nothing; the service said no
 * - `unknown`: perhaps everything; the answer was lost or cannot be read
 */
export type Outcome = 'notSent' | 'unreachable' | 'refused' | 'unknown';

interface Facts extends ErrorText {
	/** The words of the service, which the description has, too. */
	said?: string;
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

/** How many characters of an answer to a creation are kept: it may name the paid job in its own way. */
const MAX_KEPT = 100_000;

/** The most characters of a message, and of a description; what they quote of the service is cut shorter. */
export const MAX_TEXT = 4000;
export const MAX_DESCRIPTION = MAX_TEXT + MAX_ANSWER;

/** A request to the service that gave no usable answer. */
export class ServiceError extends Error {
	readonly description: string;
	readonly said: string;
	readonly outcome: Outcome;
	readonly status?: number;
	readonly retryAfterMs?: number;
	readonly answer?: string;
	readonly isEmpty?: boolean;

	constructor(facts: Facts) {
		const { message, description, said = '', outcome, status } = facts;
		super(cleanText(message, MAX_TEXT));
		this.name = 'ServiceError';
		this.description = cleanText(description, MAX_DESCRIPTION);
		this.said = said;
		this.outcome = outcome;
		this.status = status;
		this.retryAfterMs = facts.retryAfterMs;
		this.answer = facts.answer?.slice(0, MAX_KEPT);
		this.isEmpty = facts.isEmpty;
	}

	/** The same error with other facts. */
	with(facts: Partial<Facts>): ServiceError {
		return new ServiceError({ ...this, message: this.message, ...facts });
	}
}

/** The limits of the account are reached (section "Limits"): nothing was done, and later it may be. */
export function isTooMany(error: unknown): error is ServiceError {
	return error instanceof ServiceError && error.status === TOO_MANY_REQUESTS;
}

/** The service said no, and will do so again. A 429 does not count, since it passes. */
export function isRefusal(error: unknown): error is ServiceError {
	return error instanceof ServiceError && error.outcome === 'refused' && !isTooMany(error);
}

/** Nobody answered at the address: nothing was done. */
export function isUnreachable(error: unknown): error is ServiceError {
	return error instanceof ServiceError && error.outcome === 'unreachable';
}

/** The request was not sent in full: its turn did not come in time, for example, or it was called off before. */
export function isNotSent(error: unknown): error is ServiceError {
	return error instanceof ServiceError && error.outcome === 'notSent';
}

/**
 * An answer with an error status (section "Errors").
 *
 * @param retryAfterMs how long the service asks to be left alone, in ms
 */
export function refusal(
	status: number,
	json: unknown,
	text: string,
	retryAfterMs?: number,
): ServiceError {
	const { message, description } = statusText(status) ?? otherStatusText(status);
	const { details, said } = serviceSaid(json, text);
	return new ServiceError({
		message: details ? `${message}: ${details}` : message,
		description: sentences(description, waitText(retryAfterMs), said),
		said,
		outcome: provesRefusal(status) ? 'refused' : 'unknown',
		status,
		retryAfterMs,
	});
}

/**
 * Whether the status proves that nothing was done: one that the document lists, except server errors. A
 * redirect or any other status may come after everything was done, or from a proxy in between.
 */
function provesRefusal(status: number): boolean {
	return statusText(status) !== undefined && status < 500;
}

function waitText(retryAfterMs?: number): string {
	return retryAfterMs === undefined
		? ''
		: `The service asks to wait ${Math.ceil(retryAfterMs / 1000)} seconds.`;
}

/** A successful status with a body that is not what it should be. */
export function unreadable(status: number, text: string): ServiceError {
	const said = startOf(text);
	return new ServiceError({
		message: UNREADABLE.message,
		description: sentences(UNREADABLE.description, said),
		said,
		outcome: 'unknown',
		status,
		isEmpty: text.trim() === '',
	});
}

/** A request that was sent, and has no complete answer. */
export function noAnswer(
	cut: Exclude<Cut, 'tooLarge'>,
	timeoutMs: number,
	status?: number,
): ServiceError {
	return new ServiceError({ ...noAnswerText(cut, timeoutMs), outcome: 'unknown', status });
}

/** Never sent, since the run was stopped or its time was up before the limits allowed it. */
export function gaveUp(): ServiceError {
	return new ServiceError({ ...GAVE_UP, outcome: 'notSent' });
}

/** Why a connection was never made, so that no request was sent, by error code or name. */
const NEVER_MADE: ReadonlyMap<string, string> = new Map([
	['ECONNREFUSED', 'the connection was refused'],
	['ENOTFOUND', 'its host name is not known'],
	['EAI_AGAIN', 'its host name could not be looked up'],
	['EHOSTUNREACH', 'there is no way to its host'],
	['ENETUNREACH', 'there is no way to its host'],
	['SsrfBlockedIpError', 'n8n blocks its host (N8N_SSRF_ALLOWED_HOSTNAMES allows it)'],
	['SsrfBlockedHostnameError', 'n8n blocks its host (N8N_SSRF_ALLOWED_HOSTNAMES allows it)'],
	...[
		'CERT_HAS_EXPIRED',
		'CERT_NOT_YET_VALID',
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'ERR_TLS_CERT_ALTNAME_INVALID',
		'SELF_SIGNED_CERT_IN_CHAIN',
		'UNABLE_TO_GET_ISSUER_CERT',
		'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
		'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
	].map((code) => [code, `n8n does not trust its certificate (${code})`] as const),
]);

/** Node's words for a connection that was closed early; its code is that of one that broke off while it was open. */
const BEFORE_TLS = 'before secure TLS connection was established';

/**
 * A request without an answer: never connected, broken off or timed out. If it never connected, nothing was
 * sent, also where a certificate was refused: a few more tries (money rule 1) do no harm, and a poll goes
 * on until the certificate is renewed.
 *
 * @param isStopped the execution was stopped, which breaks off what is under way
 */
export function brokenConnection(
	error: unknown,
	timeoutMs: number,
	isStopped = false,
): ServiceError {
	const all = causes(error);
	const own = all.find((cause) => cause instanceof ServiceError);
	if (own) return own;

	const reason = neverMadeReason(all);
	if (reason) return new ServiceError({ ...notConnectedText(reason), outcome: 'unreachable' });
	const timedOut = codesIn(all).some((code) => TIMEOUT_CODES.includes(code));
	return noAnswer(isStopped ? 'stopped' : timedOut ? 'timedOut' : 'brokenOff', timeoutMs);
}

/**
 * What kept the connection from being made; `undefined` if it was made. Some codes occur on open connections
 * as well (EHOSTUNREACH, when the route is lost): the system call that failed tells them apart.
 */
function neverMadeReason(all: readonly Cause[]): string | undefined {
	if (all.some(({ message }) => String(message).includes(BEFORE_TLS))) {
		return 'its host closed the connection at once';
	}
	const calls = all.map(({ syscall }) => syscall);
	if (calls.includes('read') || calls.includes('write')) return undefined;
	const codes = codesIn(all);
	const known = [...codes, ...all.map(({ name }) => String(name))];
	const reason = known.map((each) => NEVER_MADE.get(each)).find(Boolean);
	return reason ?? (calls.includes('connect') ? codes.join(', ') : undefined);
}

const TIMEOUT_CODES = ['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT'];

type Cause = Partial<Record<'code' | 'httpCode' | 'syscall' | 'name' | 'message', unknown>>;

/** n8n wraps the client's error once or twice; the code may be on any of them. */
function causes(error: unknown): Cause[] {
	const found: object[] = [];
	let at = error;
	while (typeof at === 'object' && at !== null && !found.includes(at)) {
		found.push(at);
		at = (at as { cause?: unknown }).cause;
	}
	return found;
}

const codesIn = (all: readonly Cause[]): string[] =>
	all
		.flatMap(({ code, httpCode }) => [code, httpCode])
		.filter((value) => typeof value === 'string');

/** How many characters of a body are shown, and of what the service says in it. */
const START_CHARACTERS = 200;
const SAID_CHARACTERS = 1000;

const startOf = (text: string) =>
	`The answer starts: ${cleanText(text, START_CHARACTERS) || '(empty)'}`;

/** What an error body says, whether it has the documented form or any other. */
function serviceSaid(json: unknown, text: string): { details: string; said: string } {
	if (json === undefined) return { details: '', said: startOf(text) };
	const {
		[ERROR_FIELDS.message]: message,
		[ERROR_FIELDS.details]: details,
		...others
	}: Body = objectIn(json) ?? { [ERROR_FIELDS.message]: json };
	delete others[ERROR_FIELDS.success];
	const said = [message, others].map(inWords).filter(Boolean).join('; ');
	return {
		details: inWords(details),
		said: said && `The service said: ${asSentence(cleanText(said, SAID_CHARACTERS))}`,
	};
}

/** The text as a sentence, since others follow it. */
const asSentence = (text: string) => (/[.!?…]$/.test(text) ? text : `${text}.`);

/** Said of a request whose files could not be read. */
export const NOTHING_SENT = 'Nothing was sent, nothing was charged.';

/** The shortest pause that counts, in ms: the header is in seconds, so that less means none. */
const LEAST_MS = 1000;

/**
 * The header Retry-After, a number of seconds or a date, in ms. `undefined` where it names no pause that counts: then
 * the caller's backoff applies.
 *
 * @param now ms since 1970
 */
export function retryAfterIn(headers: unknown, now: number): number | undefined {
	const value: unknown = Object(headers)['retry-after'];
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	const seconds = Number(value);
	const ms = Number.isNaN(seconds) ? Date.parse(value) - now : seconds * 1000;
	return ms >= LEAST_MS && Number.isFinite(ms) ? ms : undefined;
}
