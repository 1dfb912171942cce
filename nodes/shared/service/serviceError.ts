import { firstInWords, own, type Values, objectIn, parseJson } from '../spec/values';
import { AUTHENTICATED, CONCURRENT_GENERATIONS, DEMO } from '../spec/limits';
import { SETTINGS_PLACE } from '../form/names';
import { cleanText, sentences } from './shownText';

/** What an error says to the person who reads it in n8n's editor. */
export interface ErrorText {
	/** What happened. */
	message: string;
	/** What was charged, and what to do. */
	description: string;
}

/** Said of a request that went nowhere. */
export const NOTHING_SENT = 'Nothing was sent, nothing was charged.';

/** What is said of each documented status (section "Errors", and "Authentication", items 4 to 6). */
const STATUS_TEXTS: Readonly<Record<string, ErrorText>> = {
	400: {
		message: 'The service refused the request as malformed or incomplete',
		description: 'Correct the fields that are named.',
	},
	401: {
		message: 'The API key is missing, invalid or revoked',
		description:
			'Enter a valid key from the dashboard of the service in the MediaGen API credential. If it is right, try another Header Form.',
	},
	402: {
		message: 'Not enough purchased credits',
		description:
			'Buy credits in the dashboard of the service. Welcome credits work on the website only.',
	},
	403: {
		message: 'The service denied access',
		description:
			'The key is known, but may not do this. Check the account in the dashboard of the service.',
	},
	404: {
		message: 'The service does not know this address or identifier',
		description:
			'Check the ID, which must belong to the same account, or else the credential: the Base URL, usually without a path, and Service Details.',
	},
	429: {
		message: 'The account has reached a limit of the service',
		description: `The limits are ${AUTHENTICATED.words} and ${CONCURRENT_GENERATIONS} generations running at the same time. Run again when less is going on, or, for a demo account (${DEMO.words}), choose that as Account in the MediaGen API credential.`,
	},
	500: {
		message: 'The service had an internal error',
		description: 'It is not caused by your workflow. Try again later.',
	},
};

export const DOCUMENTED_STATUSES: readonly number[] = Object.keys(STATUS_TEXTS).map(Number);

/** The text about a status. Redirects are not followed, and not documented, as what proxies answer is not. */
export const statusText = (status: number): ErrorText =>
	own(STATUS_TEXTS, String(status)) ?? {
		message: `The service, or a proxy in front of it, answered with status ${status}`,
		description:
			'Try again later, or check the Base URL of the credential: https or http, and the host name.',
	};

/**
 * What a request has done, as far as can be told:
 * - `notSent`: nothing; it was not sent, or not in full
 * - `unreachable`: nothing; the connection was never made
 * - `refused`: nothing; the service said no
 * - `unknown`: perhaps everything; the answer was lost or cannot be read
 */
type RequestOutcome = 'notSent' | 'unreachable' | 'refused' | 'unknown';

/**
 * What an answer that is no success proves: that nothing was done only if its status is documented, and no server
 * error. A redirect or any other status may come after everything was done, or from a proxy in between.
 */
const outcomeOf = (status: number): RequestOutcome =>
	DOCUMENTED_STATUSES.includes(status) && status < 500 ? 'refused' : 'unknown';

interface Facts extends ErrorText {
	/** The words of the service, which the description has, too. */
	said?: string;
	outcome: RequestOutcome;
	/** HTTP status, where there was an answer. */
	status?: number;
	/** How long the service asks to be left alone, in ms (header Retry-After). */
	retryAfterMs?: number;
	/** The body of an answer that could not be used, as far as it came. */
	answer?: string;
}

/** How many characters of an answer to a creation are kept, and shown: it may name the paid job in its own way. */
const MAX_KEPT = 100_000;
const MAX_ANSWER = 4000;

/** The most characters of a message, and of a description; what they quote of the service is cut shorter. */
export const MAX_TEXT = 4000;
export const MAX_DESCRIPTION = MAX_TEXT + MAX_ANSWER;

/** A request to the service that gave no usable answer. */
export class ServiceError extends Error {
	readonly said: string = '';
	readonly description!: string;
	readonly outcome!: RequestOutcome;
	readonly status?: number;
	readonly retryAfterMs?: number;
	readonly answer?: string;

	constructor({ message, ...facts }: Facts) {
		super(cleanText(message, MAX_TEXT));
		const description = cleanText(facts.description, MAX_DESCRIPTION);
		const answer = facts.answer?.slice(0, MAX_KEPT);
		Object.assign(this, facts, { name: 'ServiceError', description, answer });
	}

	/** The same error with other facts. */
	with(facts: Partial<Facts>): ServiceError {
		return new ServiceError({ ...this, message: this.message, ...facts });
	}
}

const has = (error: unknown, outcome: RequestOutcome): error is ServiceError =>
	error instanceof ServiceError && error.outcome === outcome;

/** The limits of the account are reached (section "Limits"): nothing was done, and later it may be. */
export const isTooMany = (error: unknown): error is ServiceError =>
	error instanceof ServiceError && error.status === 429;

/** The service said no, and will do so again. A 429 does not count, since it passes. */
export const isRefusal = (error: unknown): error is ServiceError =>
	has(error, 'refused') && !isTooMany(error);

/** Nobody answered at the address: nothing was done. */
export const isUnreachable = (error: unknown): error is ServiceError => has(error, 'unreachable');

/** The request was not sent in full: its turn did not come in time, for example, or it was called off before. */
export const isNotSent = (error: unknown): error is ServiceError => has(error, 'notSent');

/** Never sent, since the run was stopped or its time was up before the limits allowed it. */
export const gaveUp = () =>
	new ServiceError({
		message: 'The request was given up before it was sent',
		description:
			'The execution was stopped, or the limits of the account did not let it through in time. Nothing was charged for it.',
		outcome: 'notSent',
	});

/** A creation that succeeded by an answer in which nothing identifies the job. */
export function unnamedJob(status: number, answer: string): ServiceError {
	const message = 'The answer of the service has no known identifier of the job';
	const advice = `If a field of the answer is the identifier, enter its name in ${SETTINGS_PLACE}, as "Field: Job Identifier".`;
	const facts = { said: advice, outcome: 'unknown', status, answer } as const;
	return new ServiceError({ message, description: advice, ...facts });
}

/**
 * An answer with an error status (section "Errors").
 *
 * @param retryAfterMs how long the service asks to be left alone, in ms
 */
export function refusal(status: number, answer: string, retryAfterMs?: number): ServiceError {
	const { message, description } = statusText(status);
	const { details, said } = serviceSaid(answer);
	const seconds = retryAfterMs !== undefined && Math.ceil(retryAfterMs / 1000);
	const wait = seconds === false ? '' : `The service asks to wait ${seconds} seconds.`;
	return new ServiceError({
		message: details ? `${message}: ${details}` : message,
		description: sentences(description, wait, said),
		...{ said, outcome: outcomeOf(status), status, retryAfterMs, answer },
	});
}

/** A successful status with a body that is not what it should be. */
export function unreadable(status: number, answer: string): ServiceError {
	const message = 'The service sent an answer that cannot be read';
	const said = startOf(answer);
	const description = `Check that the Base URL of the credential is the address of the API, not of a web page. ${said}`;
	return new ServiceError({ message, description, said, outcome: 'unknown', status, answer });
}

/** Codes and names of errors of connections that were never made, also where a certificate was refused or n8n blocks the host. */
const NEVER_MADE =
	/^(?:ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|SsrfBlocked\w+|UNABLE_TO_\w+)$|CERT_|_CERT/;

const TIMED_OUT = /^(?:ECONNABORTED|ETIMEDOUT|ESOCKETTIMEDOUT)$/;

/**
 * A request without an answer: never connected, broken off or timed out. If it never connected, nothing was
 * sent, also where a certificate was refused: a few more tries (money rule 1) do no harm, and a poll goes
 * on until the certificate is renewed.
 */
export function brokenConnection(error: unknown, timeoutMs: number): ServiceError {
	const all = causes(error);
	const ours = all.find((cause) => cause instanceof ServiceError);
	if (ours) return ours;
	// Some codes occur on open connections as well (EHOSTUNREACH, when the route is lost).
	const wasOpen = all.some(({ syscall }) => syscall === 'read' || syscall === 'write');
	const cause = all.filter((one) => one.syscall === 'connect' || isCalled(one, NEVER_MADE)).at(-1);
	if (cause && !wasOpen) {
		const { message, code, name } = cause;
		const reason = String(message || code || name);
		return new ServiceError({
			message: 'The Base URL cannot be reached',
			// n8n would replace a message that has the code in it, with the row and all.
			description: `Check it in the credential, and the network of the n8n server (${reason}). ${NOTHING_SENT}`,
			outcome: 'unreachable',
		});
	}
	return new ServiceError({
		message: all.some((one) => isCalled(one, TIMED_OUT))
			? `The service did not answer within ${timeoutMs / 1000} seconds`
			: 'The connection to the service broke off before the answer',
		description:
			'Try again later. If it goes on, check the network of the n8n server and the Base URL of the credential.',
		outcome: 'unknown',
	});
}

type Cause = Partial<Record<'code' | 'httpCode' | 'syscall' | 'name' | 'message', unknown>>;

const isCalled = ({ code, httpCode, name }: Cause, names: RegExp) =>
	[code, httpCode, name].some((one) => names.test(String(one)));

/** n8n wraps the client's error once or twice; the code may be on any of them. */
function causes(error: unknown, found: Cause[] = []): Cause[] {
	if (typeof error !== 'object' || error === null || found.includes(error)) return found;
	return causes((error as { cause?: unknown }).cause, [...found, error]);
}

/** How many characters are shown of what the service says. */
const SAID_CHARACTERS = 300;

function startOf(text: string): string {
	const start = cleanText(text, SAID_CHARACTERS) || '(empty)';
	return `The answer starts: ${start}${/\w$/.test(start) ? '.' : ''}`;
}

/** What an error body says; of one that has not the documented form, its start. */
function serviceSaid(answer: string): { details: string; said: string } {
	const body = objectIn(parseJson(answer)) ?? {};
	const { error: message, details } = body;
	const words = typeof message === 'string' ? cleanText(message, SAID_CHARACTERS) : '';
	// As a sentence, since others follow it.
	const end = /[.!?…]$/.test(words) ? '' : '.';
	const said = words ? `The service said: ${words}${end}` : startOf(answer);
	return { details: fieldsInWords(objectIn(details)), said };
}

/** How many fields are shown, and how many characters of what is said of each. */
const SHOWN_FIELDS = 10;
const FIELD_CHARACTERS = 200;

/** What is said of fields, such as the `details` of a 400; what is no text, as JSON. */
function fieldsInWords(messages: Values = {}): string {
	const shown = Object.entries(messages).map(([name, message]) => {
		const text = typeof message === 'string' ? message : JSON.stringify(message);
		return cleanText(`${name}: ${text}`, FIELD_CHARACTERS);
	});
	return firstInWords(shown, SHOWN_FIELDS);
}

/**
 * The answer to a creation, as far as it can be shown; empty where there was none.
 *
 * @param when in words, where it is not the latest answer
 */
export function answerText(answer = '', when?: string): string {
	const shown = shownAnswer(answer);
	return shown && `${when === undefined ? 'The' : `${when}, the`} service answered: ${shown}`;
}

export const shownAnswer = (text: string) => cleanText(text, MAX_ANSWER);

/** What a failed item says about money. */
export interface Advice {
	/** Whether it was charged. */
	charged: 'no' | 'yes' | 'unknown';
	/** What to do about it. The reference has each in words. */
	retry: 'safe' | 'correctFirst' | 'creditsFirst' | 'waitForJob' | 'lookFirst' | 'paysAgain';
}

/** An error that knows what to do about it. */
export type Advising = Readonly<Pick<Advice, 'retry'>>;

/** A job that the service could not make. */
export const JOB_FAILED: Advice = { charged: 'yes', retry: 'paysAgain' };

/** A job that is paid for, and may go on or have a result. */
export const JOB_TO_READ: Advice = { charged: 'yes', retry: 'waitForJob' };

/** A creation of unknown outcome. */
export const IN_DOUBT: Advice = { charged: 'unknown', retry: 'lookFirst' };

/** The advice for a job that is free: nothing was charged, whatever became of it. */
export function ofFree({ retry }: Advice): Advice {
	const isOver = retry === JOB_FAILED.retry || retry === IN_DOUBT.retry;
	return { charged: 'no', retry: isOver ? 'safe' : retry };
}

/** The advice where an error came before anything was charged. */
export function notCharged(error: unknown): Advice {
	const { retry } = Object(error) as Partial<Advising>;
	const refused = isRefusal(error) && (error.status === 402 ? 'creditsFirst' : 'correctFirst');
	return { charged: 'no', retry: retry ?? (refused || 'safe') };
}
