import { ERROR_FIELDS, ERROR_STATUSES, type ErrorStatus } from '../spec/answers';
import { objectSchema, type Body } from './bodies';
import { cleanText } from './cleanText';
import {
	BEFORE_TLS,
	BROKEN_JSON,
	CONNECTION_TEXTS,
	cutOffText,
	GAVE_UP,
	noAnswerText,
	notConnectedText,
	otherStatusText,
	STATUS_TEXTS,
	UNREADABLE,
	type ErrorText,
} from './errorTexts';
import { parseJson } from './parseJson';
import type { Cut } from './readBody';
import { inWords } from './inWords';
import { ServiceError } from './serviceError';

/**
 * An answer with an error status (section "Errors").
 *
 * @param retryAfterMs how long the service asks to be left alone
 */
export function refusal(
	status: number,
	json: unknown,
	text: string,
	retryAfterMs?: number,
): ServiceError {
	const known = status in ERROR_STATUSES ? STATUS_TEXTS[status as ErrorStatus] : undefined;
	const { message, description } = known ?? otherStatusText(status);
	const said = serviceSaid(json, text);
	return new ServiceError({
		message: said.details ? `${message}: ${said.details}` : message,
		description: [description, waitText(retryAfterMs), said.text].filter(Boolean).join(' '),
		outcome: isRefusal(status) ? 'refused' : 'unknown',
		status,
		retryAfterMs,
	});
}

/**
 * Whether the status says that nothing was done: those that the document lists, but for errors of the
 * server. A redirect or any other status may come after all was done, or from somebody in between.
 */
function isRefusal(status: number): boolean {
	return status in ERROR_STATUSES && status < 500;
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
	return new ServiceError({ ...cutOffText(cut, timeoutMs), outcome: 'unknown', status });
}

/** Never sent, since the run was stopped or its time was up before the limits allowed it. */
export function gaveUp(): ServiceError {
	return new ServiceError({ ...GAVE_UP, outcome: 'notSent' });
}

/**
 * No answer: never connected, broken off or timed out. Never connected counts as nothing sent, for
 * certificates that were refused, too: a few more tries (money rule 1) do no harm, and a poll goes on
 * until the certificate is renewed.
 */
export function brokenConnection(error: unknown, timeoutMs: number): ServiceError {
	const all = causes(error);
	const own = all.find((cause) => cause instanceof ServiceError);
	if (own) return own as ServiceError;

	const codes = all.flatMap(codesOf);
	const neverMade = neverMadeText(all, codes);
	if (neverMade) return new ServiceError({ ...neverMade, outcome: 'unreachable' });
	const timedOut = codes.some((code) => TIMEOUT_CODES.includes(code));
	return new ServiceError({ ...noAnswerText(timedOut, timeoutMs), outcome: 'unknown' });
}

/**
 * What kept the connection from being made, if that did. Some codes occur on open connections as
 * well (EHOSTUNREACH, when the way is lost): the system call that failed tells them apart.
 */
function neverMadeText(all: readonly object[], codes: readonly string[]): ErrorText | undefined {
	const beforeTls = all.map(beforeTlsText).find((text) => text);
	if (beforeTls) return beforeTls;
	const calls = all.map((cause) => (cause as { syscall?: unknown }).syscall);
	if (calls.some((call) => call === 'read' || call === 'write')) return undefined;
	const known = codes.map((code) => CONNECTION_TEXTS.get(code)).find((text) => text);
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

/** Characters of a body that are shown. */
const SHOWN_CHARACTERS = 200;

function start(text: string): string {
	return cleanText(text, SHOWN_CHARACTERS) || '(empty)';
}

/** Characters of what the service says that are shown, besides its details. */
const SAID_CHARACTERS = 1000;

/** What an error body says: one of the documented form, and of any other. */
function serviceSaid(json: unknown, text: string): { details: string; text: string } {
	if (json === undefined) return { details: '', text: `The answer starts: ${start(text)}` };
	const body = objectSchema.safeParse(json);
	const {
		[ERROR_FIELDS.message]: message,
		[ERROR_FIELDS.details]: details,
		...others
	}: Body = body.success ? body.data : { [ERROR_FIELDS.message]: json };
	delete others[ERROR_FIELDS.success];
	const said = [message, others].map(inWords).filter(Boolean).join('; ');
	return {
		details: inWords(details),
		text: said && `The service said: ${cleanText(said, SAID_CHARACTERS)}`,
	};
}

export const UPLOAD_NOT_SENT =
	'The request was not sent in full: no job was created, nothing was charged.';

const MAYBE_REFUSED =
	'The service may also have refused it for the API key (use Test in the credential) or for the size of the file.';

/**
 * The error of an upload that broke off: a request that did not arrive in full started no job. A
 * service that refuses one at its start closes the connection, and its answer is lost.
 */
export function brokenUpload(error: ServiceError): ServiceError {
	return error.with({
		description: `${error.description} ${MAYBE_REFUSED} ${UPLOAD_NOT_SENT}`,
		outcome: 'notSent',
	});
}
