import { SETTINGS_PLACE } from '../parameters/names';
import { type ErrorStatus, isListed } from '../spec/answers';
import { ACCOUNT_KINDS, ACCOUNT_SETTING, CONCURRENT_GENERATIONS } from '../spec/limits';
import { OPEN_POINTS } from '../spec/openPoints';
import type { CreateOperation, Refusal } from '../spec/types';
import { MAX_ANSWER_BYTES, parseJson, type Cut } from './bodies';
import { cleanText } from './shownText';

/** What an error says to the person who reads it in n8n's editor. */
export type ErrorText = Refusal;

const [AUTHENTICATED, DEMO] = ACCOUNT_KINDS;

/** Texts by documented status (section "Errors" and "Authentication", items 4 to 6). */
export const STATUS_TEXTS: Readonly<Record<ErrorStatus, ErrorText>> = {
	400: {
		message: 'The service refused the request as malformed or incomplete',
		description: 'Correct the fields that are named.',
	},
	401: {
		message: 'The API key is missing, invalid or revoked',
		description:
			'Open the MediaGen API credential and enter a valid key from the dashboard of the service. If the key is right, try another Header Form (under More Settings).',
	},
	402: {
		message: 'Not enough purchased credits for this job',
		description:
			'Buy credits in the dashboard of the service. Welcome credits work on the website only: they do not count for API use.',
	},
	403: {
		message: 'The service denied access',
		description: 'The key is known, but may not do this. Check the account in the dashboard.',
	},
	404: {
		message: 'The service does not know this address or identifier',
		description:
			'Check the ID if you gave one: it must belong to the same account. Otherwise check the Base URL of the credential.',
	},
	429: {
		message: 'The account has reached a limit of the service',
		description: `The limits are ${AUTHENTICATED.words} and ${CONCURRENT_GENERATIONS} generations running at the same time. See what else uses this account, wait for running jobs to end, then run again. If it is a demo account (${DEMO.words}), choose that as ${ACCOUNT_SETTING.label} in ${SETTINGS_PLACE}.`,
	},
	500: {
		message: 'The service had an internal error',
		description: 'This is not caused by your workflow. Try again later.',
	},
};

/** The text about a status that the document lists; `undefined` about any other. */
export const statusText = (status: number): ErrorText | undefined =>
	(STATUS_TEXTS as Readonly<Record<number, ErrorText>>)[status];

/** The text for a status that the document does not list. */
export function otherStatusText(status: number): ErrorText {
	if (status >= 300 && status < 400) {
		return {
			message: `The service redirected the request (status ${status})`,
			description:
				'Redirects are not followed, so that the key is sent to no other address. Check the Base URL of the credential: https or http, and the host name.',
		};
	}
	return {
		message: `The service, or a proxy in front of it, answered with status ${status}`,
		description:
			status >= 500
				? 'It is probably down for the moment. Try again later.'
				: 'Check the Base URL of the credential.',
	};
}

/** An answer that should be JSON and is not. */
export const UNREADABLE: ErrorText = {
	message: 'The service sent an answer that cannot be read',
	description:
		'Check that the Base URL of the credential is the address of the API, not of a web page.',
};

/** The same for a body that begins as the API's do. */
export const BROKEN_JSON =
	'It begins like JSON, but cannot be read as JSON: it may be cut off, have NaN or Infinity in it, or be nested too deeply. Report it to the service.';

/** A request that was given up while it waited for the limits of the account. */
export const GAVE_UP: ErrorText = {
	message: 'The request was given up before it was sent',
	description:
		'The execution was stopped, or the limits of the account did not let it through in time. Nothing was charged for it.',
};

/** Node's codes for other faults of a certificate; such connections carry no request. */
const OTHER_CERTIFICATE_CODES = [
	'CERT_CHAIN_TOO_LONG',
	'CERT_REJECTED',
	'CERT_REVOKED',
	'CERT_SIGNATURE_FAILURE',
	'CRL_HAS_EXPIRED',
	'CRL_NOT_YET_VALID',
	'CRL_SIGNATURE_FAILURE',
	'ERR_TLS_CERT_ALTNAME_FORMAT',
	'ERROR_IN_CERT_NOT_AFTER_FIELD',
	'ERROR_IN_CERT_NOT_BEFORE_FIELD',
	'ERROR_IN_CRL_LAST_UPDATE_FIELD',
	'ERROR_IN_CRL_NEXT_UPDATE_FIELD',
	'INVALID_CA',
	'INVALID_PURPOSE',
	'PATH_LENGTH_EXCEEDED',
	'UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY',
	'UNABLE_TO_DECRYPT_CERT_SIGNATURE',
	'UNABLE_TO_DECRYPT_CRL_SIGNATURE',
	'UNABLE_TO_GET_CRL',
];

const NO_HTTPS: ErrorText = {
	message: 'The host of the Base URL does not speak https there',
	description: 'Check the Base URL of the credential: http or https, and the port.',
};

/** Connections that were never made, so that no request was sent, by error code or name. */
const NEVER_MADE: ReadonlyArray<ErrorText & { codes: readonly string[] }> = [
	{
		codes: ['ECONNREFUSED'],
		message: 'Nothing answers at the Base URL: the connection was refused',
		description: 'Check the Base URL of the credential and that the service is up.',
	},
	{
		codes: ['ENOTFOUND'],
		message: 'The host name of the Base URL is not known',
		description: 'Check the Base URL of the credential for a typing error.',
	},
	{
		codes: ['EAI_AGAIN'],
		message: 'The host name of the Base URL could not be looked up',
		description: 'Check the network of the n8n server, then the Base URL of the credential.',
	},
	{
		// The last two are the names of n8n's own errors when it blocks the host.
		codes: ['EHOSTUNREACH', 'ENETUNREACH', 'SsrfBlockedIpError', 'SsrfBlockedHostnameError'],
		message: 'The host of the Base URL cannot be reached',
		description:
			'Check the network of the n8n server, its firewall and N8N_SSRF_ALLOWED_HOSTNAMES, then the Base URL.',
	},
	{
		codes: ['CERT_HAS_EXPIRED'],
		message: 'The certificate of the service has expired',
		description: 'It has to be renewed at the service. Check the clock of the n8n server, too.',
	},
	{
		codes: ['CERT_NOT_YET_VALID'],
		message: 'The certificate of the service is not valid yet',
		description: 'Check the clock of the n8n server.',
	},
	{
		codes: [
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			'SELF_SIGNED_CERT_IN_CHAIN',
			'UNABLE_TO_GET_ISSUER_CERT',
			'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
			'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
			'CERT_UNTRUSTED',
		],
		message: 'The n8n server does not trust the certificate of the service',
		description:
			'Check the Base URL of the credential. If the service is your own, let the n8n server trust its certificate (NODE_EXTRA_CA_CERTS).',
	},
	{
		codes: ['ERR_TLS_CERT_ALTNAME_INVALID', 'HOSTNAME_MISMATCH'],
		message: 'The certificate of the service is for another host name',
		description: 'Check the host name in the Base URL of the credential.',
	},
	...OTHER_CERTIFICATE_CODES.map((code) => ({
		codes: [code],
		message: 'The certificate of the service was refused',
		description: `Check the Base URL of the credential; the certificate has to be mended at the service (${code}).`,
	})),
];

const NOTHING_CHARGED = 'Nothing was sent, nothing was charged.';

const uncharged = ({ message, description }: ErrorText): ErrorText => ({
	message,
	description: `${description} ${NOTHING_CHARGED}`,
});

/** Texts for connections that were never made, by error code or name. */
export const CONNECTION_TEXTS: ReadonlyMap<string, ErrorText> = new Map(
	NEVER_MADE.flatMap(({ codes, ...text }) => codes.map((code) => [code, uncharged(text)])),
);

/**
 * Errors with the same code and system call as those of connections that broke off. Node's message tells
 * that there was no TLS yet, so that no request was sent.
 */
export const BEFORE_TLS: ReadonlyArray<{
	code: string;
	syscall?: string;
	words: string;
	text: ErrorText;
}> = [
	{ code: 'EPROTO', syscall: 'write', words: ':wrong version number:', text: uncharged(NO_HTTPS) },
	{
		code: 'ECONNRESET',
		words: 'socket disconnected before secure TLS connection was established',
		text: uncharged({
			message: 'The host of the Base URL closed the connection before it was secure',
			description: 'Try again later; if this persists, check the Base URL of the credential.',
		}),
	},
];

/** The text for a connection that could not be made, with an error code that none of the others has. */
export function notConnectedText(code: string): ErrorText {
	return {
		message: 'The connection to the Base URL could not be made',
		description: `Check the network of the n8n server, then the Base URL of the credential (${code}). ${NOTHING_CHARGED}`,
	};
}

/** The text for a request that may have arrived, but has no complete answer. */
export const cutText = (cut: Cut, timeoutMs: number): ErrorText =>
	({
		timedOut: {
			message: `The service did not answer within ${timeoutMs / 1000} seconds`,
			description: 'Try again later; if this persists, check the Base URL of the credential.',
		},
		brokenOff: {
			message: 'The connection to the service broke off before the answer',
			description: 'Check the network of the n8n server, then try again.',
		},
		stopped: {
			message: 'The execution was stopped before the service had answered',
			description:
				'The request had been sent by then. Somebody has stopped the execution, or its time was up.',
		},
		tooLarge: {
			message: `The service sent an answer of more than ${MAX_ANSWER_BYTES / 1024 / 1024} MB`,
			description: NOT_READ_FURTHER,
		},
		tooSlow: {
			message: `The answer of the service did not end within ${timeoutMs / 1000} seconds`,
			description: NOT_READ_FURTHER,
		},
	})[cut];

const NOT_READ_FURTHER =
	'It was not read further. Check that the Base URL of the credential is the address of the API; try again later.';

/** Added to the refusal of a creation. In that of another request, it would seem to be about the job. */
export const NOT_CHARGED = 'Nothing was charged for this try.';

/** What to do about a creation whose outcome is unknown. */
interface DoubtText {
	/** When its answer has just been lost. */
	lost: string;
	/** When it has been looked for and not found, or is not sent again. */
	notFound: string;
	/** In a list with other items. */
	short: string;
}

const ORDER_ANEW =
	'with Retry on this execution or, after Wait Mode: Durable, with a new run for this item';

const LISTED_DOUBT: DoubtText = {
	lost: 'The job may exist and be paid for. If the execution has failed, use Retry on it: that looks into the generation history, and names the jobs that may be this one. It does not order the job again; a retry of that retry does. A new run does not look, and pays again. With On Error: Continue and after Wait Mode: Durable, look with Job > Get History yourself.',
	notFound:
		'The job may exist and be paid for: look for it with Job > Get History. If it is there, take its result with Job > Wait for Completion and its ID. If it is not, order it anew: ' +
		`${ORDER_ANEW}.`,
	short: 'a job may exist: see Job > Get History',
};

const UNLISTED_ADVICE =
	'The job may exist and be paid for. The node cannot look it up: see on the website of the service, or by the credit balance, whether it exists. Retry execution and a new run order, and pay, again.';

const UNLISTED_DOUBT: DoubtText = {
	lost: UNLISTED_ADVICE,
	notFound: UNLISTED_ADVICE,
	short: 'a job may exist: see the website of the service, or the credit balance',
};

/** The text that fits: it depends on whether the generation history lists the operation's jobs. */
export function unknownOutcomeText(operation: Pick<CreateOperation, 'status'>): DoubtText {
	return isListed(operation) ? LISTED_DOUBT : UNLISTED_DOUBT;
}

/** A job of the generation history, as it is named to a person. */
export interface NamedJob {
	jobId: string;
	/** ISO 8601; `null` where the history does not give it with a time zone. */
	createdAt: string | null;
	prompt: string;
}

/**
 * What to do about a creation whose outcome stays unknown.
 *
 * @param candidates jobs of the generation history that may be the one
 */
export function doubtText(
	operation: Pick<CreateOperation, 'status'>,
	candidates: readonly NamedJob[] = [],
): string {
	if (candidates.length === 0) return unknownOutcomeText(operation).notFound;
	const named = candidates.map(({ jobId, createdAt, prompt }) =>
		[jobId, `(${[createdAt ?? 'time not known', `"${prompt}"`].join(', ')})`].join(' '),
	);
	const isOne = named.length === 1;
	return `The generation history shows ${isOne ? 'a job' : 'jobs'} that may be this one, or belong to another order: ${named.join('; ')}. If ${isOne ? 'it' : 'one of them'} is this one, take its result with Job > Wait for Completion and its ID. If ${isOne ? 'not' : 'none is'}, order it anew: ${ORDER_ANEW}.`;
}

/** How many characters of an answer to a creation are shown. */
export const MAX_ANSWER = 4000;

/**
 * The answer to a creation, as far as it can be shown; empty where there was none.
 *
 * @param when in words, where it is not the latest answer
 */
export function answerText(answer = '', when?: string): string {
	const shown = shownAnswer(answer);
	const service = when === undefined ? 'The service' : `${when}, the service`;
	return shown === '' ? '' : `${service} answered: ${shown}`;
}

/** The text for a creation that was accepted by an answer without a known identifier. */
export const UNNAMED_JOB: ErrorText = {
	message: 'The service accepted the job, but its answer has no known identifier',
	description: `If a field of the answer is the identifier, read the job with it (Get Status or Wait for Completion), and enter the name of the field in ${SETTINGS_PLACE}, as "${OPEN_POINTS.identifier.field.label}", so that later jobs are found.`,
};

/** How many characters of a text in an answer are shown: an identifier has fewer, a prompt often more. */
const MAX_STRING = 200;

/** An answer with its long texts cut, so that what comes after them can still be seen. */
export function shownAnswer(text: string): string {
	const json = parseJson(text);
	return cleanText(json === undefined ? text : JSON.stringify(json, shortened), MAX_ANSWER);
}

function shortened(_name: string, value: unknown): unknown {
	const isLong = typeof value === 'string' && value.length > MAX_STRING;
	return isLong ? `${value.slice(0, MAX_STRING)}…` : value;
}
