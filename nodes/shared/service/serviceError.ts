import { ERROR_FIELDS, TOO_MANY_REQUESTS } from '../spec/answers';
import { objectIn, parseJson, type Body, type Cut } from './bodies';
import {
	BEFORE_TLS,
	BROKEN_JSON,
	CONNECTION_TEXTS,
	cutText,
	GAVE_UP,
	MAX_ANSWER,
	notConnectedText,
	otherStatusText,
	statusText,
	UNREADABLE,
	type ErrorText,
} from './errorTexts';
import { cleanText, inWords } from './shownText';

/**
 * What a request has done, as far as can be told:
 * - `notSent`: nothing; it was not sent, or not in full
 * - `unreachable`: nothing; the connection was never made
 * - `refused`: nothing; the service said no
 * - `unknown`: perhaps everything; the answer was lost or cannot be read
 */
export type Outcome = 'notSent' | 'unreachable' | 'refused' | 'unknown';

interface Facts extends ErrorText {
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
	/** The heading in docs/troubleshooting.md under which more is said. */
	readonly heading: string = 'what-the-service-answers';
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

/** The error of a read that keeps an order from being sent: the read itself has ordered nothing. */
export const ofReading = (error: ServiceError): ServiceError =>
	error.outcome === 'unknown' ? error.with({ outcome: 'notSent' }) : error;

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
	const said = serviceSaid(json, text);
	return new ServiceError({
		message: said.details ? `${message}: ${said.details}` : message,
		description: [description, waitText(retryAfterMs), said.text].filter(Boolean).join(' '),
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
	const isBroken = /^\s*[[{]/.test(text) && parseJson(text) === undefined;
	const what = isBroken ? BROKEN_JSON : UNREADABLE.description;
	return new ServiceError({
		message: UNREADABLE.message,
		description: `${what} The answer (status ${status}) starts: ${start(text)}`,
		outcome: 'unknown',
		status,
		isEmpty: text.trim() === '',
	});
}

/** A successful status with a body that was not read to its end. */
export function cutOff(status: number, cut: Cut, timeoutMs: number): ServiceError {
	return new ServiceError({ ...cutText(cut, timeoutMs), outcome: 'unknown', status });
}

/** Never sent, since the run was stopped or its time was up before the limits allowed it. */
export function gaveUp(): ServiceError {
	return new ServiceError({ ...GAVE_UP, outcome: 'notSent' });
}

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
	if (own) return own as ServiceError;

	const codes = all.flatMap(codesOf);
	const neverMade = neverMadeText(all, codes);
	if (neverMade) return new ServiceError({ ...neverMade, outcome: 'unreachable' });
	const timedOut = codes.some((code) => TIMEOUT_CODES.includes(code));
	const cut = isStopped ? 'stopped' : timedOut ? 'timedOut' : 'brokenOff';
	return new ServiceError({ ...cutText(cut, timeoutMs), outcome: 'unknown' });
}

/**
 * What kept the connection from being made; `undefined` if it was made. Some codes occur on open connections
 * as well (EHOSTUNREACH, when the route is lost): the system call that failed tells them apart.
 */
function neverMadeText(all: readonly object[], codes: readonly string[]): ErrorText | undefined {
	const beforeTls = all.map(beforeTlsText).find((text) => text);
	if (beforeTls) return beforeTls;
	const calls = all.map((cause) => (cause as { syscall?: unknown }).syscall);
	if (calls.some((call) => call === 'read' || call === 'write')) return undefined;
	const names = all.map((cause) => String((cause as Error).name));
	const known = [...codes, ...names].map((each) => CONNECTION_TEXTS.get(each)).find(Boolean);
	return known ?? (calls.includes('connect') ? notConnectedText(codes.join(', ')) : undefined);
}

function beforeTlsText(cause: object): ErrorText | undefined {
	const { code, syscall, message } = cause as NodeJS.ErrnoException;
	const known = BEFORE_TLS.find(
		(each) =>
			each.code === code && each.syscall === syscall && String(message).includes(each.words),
	);
	return known?.text;
}

const TIMEOUT_CODES = ['ECONNABORTED', 'ETIMEDOUT', 'ESOCKETTIMEDOUT'];

/** n8n wraps the client's error once or twice; the code may be on any of them. */
function causes(error: unknown): object[] {
	const found: object[] = [];
	let at = error;
	while (typeof at === 'object' && at !== null && !found.includes(at)) {
		found.push(at);
		at = (at as { cause?: unknown }).cause;
	}
	return found;
}

function codesOf(cause: object): string[] {
	const { code, httpCode } = cause as { code?: unknown; httpCode?: unknown };
	return [code, httpCode].filter((value): value is string => typeof value === 'string');
}

/** How many characters of a body are shown. */
const SHOWN_CHARACTERS = 200;

function start(text: string): string {
	return cleanText(text, SHOWN_CHARACTERS) || '(empty)';
}

/** How many characters of what the service says are shown, besides its details. */
const SAID_CHARACTERS = 1000;

/** What an error body says, whether it has the documented form or any other. */
function serviceSaid(json: unknown, text: string): { details: string; text: string } {
	if (json === undefined) return { details: '', text: `The answer starts: ${start(text)}` };
	const {
		[ERROR_FIELDS.message]: message,
		[ERROR_FIELDS.details]: details,
		...others
	}: Body = objectIn(json) ?? { [ERROR_FIELDS.message]: json };
	delete others[ERROR_FIELDS.success];
	const said = [message, others].map(inWords).filter(Boolean).join('; ');
	return {
		details: inWords(details),
		text: said && `The service said: ${asSentence(cleanText(said, SAID_CHARACTERS))}`,
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
 * the caller's backoff applies. A date is by the clock of the service, which may differ from ours.
 *
 * @param now ms since 1970, by our clock
 */
export function retryAfterIn(headers: unknown, now: number): number | undefined {
	const value: unknown = Object(headers)['retry-after'];
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	const seconds = Number(value);
	const answeredAt = Date.parse(String(Object(headers).date)) || now;
	const until = Date.parse(value);
	// The answer's date may be as wrong as our clock: of the two pauses, that nearest to 0 counts, even if it is over.
	const [nearest = NaN] = [until - answeredAt, until - now].sort(
		(a, b) => Math.abs(a) - Math.abs(b),
	);
	const ms = Number.isFinite(seconds) ? seconds * 1000 : nearest;
	return Number.isFinite(ms) && ms >= LEAST_MS ? ms : undefined;
}
