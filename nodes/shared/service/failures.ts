import { ERROR_STATUSES, type ErrorStatus } from '../spec/statuses';
import { errorSchema } from './bodies';
import { cleanText } from './cleanText';
import {
	CONNECTION_TEXTS,
	cutOffText,
	detailsText,
	GAVE_UP,
	noAnswerText,
	otherStatusText,
	STATUS_TEXTS,
	UNREADABLE,
} from './errorTexts';
import type { Cut } from './readBody';
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
		outcome: status >= 500 ? 'unknown' : 'refused',
		status,
		retryAfterMs,
	});
}

function waitText(retryAfterMs?: number): string {
	return retryAfterMs === undefined
		? ''
		: `The service asks to wait ${Math.ceil(retryAfterMs / 1000)} seconds.`;
}

/** A successful status with a body that is not what it should be. */
export function unreadable(status: number, text: string): ServiceError {
	return new ServiceError({
		message: UNREADABLE.message,
		description: `${UNREADABLE.description} The answer (status ${status}) starts: ${start(text)}`,
		outcome: 'unknown',
		status,
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

/** No answer: refused, not found, broken off or timed out. */
export function brokenConnection(error: unknown, timeoutMs: number): ServiceError {
	const own = causes(error).find((cause) => cause instanceof ServiceError);
	if (own) return own as ServiceError;

	const codes = causes(error).flatMap(codesOf);
	const neverMade = codes.find((code) => code in CONNECTION_TEXTS);
	if (neverMade !== undefined) {
		return new ServiceError({ ...CONNECTION_TEXTS[neverMade]!, outcome: 'unreachable' });
	}
	const timedOut = codes.some((code) => TIMEOUT_CODES.includes(code));
	return new ServiceError({ ...noAnswerText(timedOut, timeoutMs), outcome: 'unknown' });
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

function serviceSaid(json: unknown, text: string): { details?: string; text: string } {
	const body = errorSchema.safeParse(json);
	if (!body.success) return { text: `The answer starts: ${start(text)}` };
	const { error, details = {} } = body.data;
	return {
		...(Object.keys(details).length > 0 ? { details: detailsText(details) } : {}),
		text: error === undefined ? '' : `The service said: ${start(error)}`,
	};
}
