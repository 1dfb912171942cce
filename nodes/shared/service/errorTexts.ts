import { SETTINGS_PLACE } from '../form/names';
import { type ErrorStatus, isListed } from '../spec/answers';
import { ACCOUNT_KINDS, ACCOUNT_SETTING, CONCURRENT_GENERATIONS } from '../spec/limits';
import { OPEN_POINTS } from '../spec/openPoints';
import type { CreateOperation } from '../spec/operation';
import { parseJson, type Cut } from './bodies';
import { cleanText } from './shownText';

/*
 * One text for each kind of failure: the message says what happened, the description what was charged and what to do.
 */

/** What an error says to the person who reads it in n8n's editor. */
export interface ErrorText {
	/** What happened. */
	message: string;
	/** What was charged, and what to do. */
	description: string;
}

const [AUTHENTICATED, DEMO] = ACCOUNT_KINDS;

/** Texts by documented status (section "Errors" and "Authentication", items 4 to 6). */
export const STATUS_TEXTS: Readonly<Record<ErrorStatus, ErrorText>> = {
	400: {
		message: 'The service refused the request as malformed or incomplete',
		description: 'Correct the fields that are named.',
	},
	401: {
		message: 'The API key is missing, invalid or revoked',
		description: `Enter a valid key from the dashboard of the service in the MediaGen API credential. If it is right, try another Header Form.`,
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
			'Check the ID, which must belong to the same account, or else the Base URL of the credential.',
	},
	429: {
		message: 'The account has reached a limit of the service',
		description: `The limits are ${AUTHENTICATED.words} and ${CONCURRENT_GENERATIONS} generations running at the same time. Run again when less is going on, or, for a demo account (${DEMO.words}), choose that as ${ACCOUNT_SETTING.label} in the MediaGen API credential.`,
	},
	500: {
		message: 'The service had an internal error',
		description: 'It is not caused by your workflow. Try again later.',
	},
};

/** The text about a status that the document lists; `undefined` about any other. */
export const statusText = (status: number): ErrorText | undefined =>
	(STATUS_TEXTS as Readonly<Record<number, ErrorText>>)[status];

/** The text for a status that the document does not list, such as a redirect, which is not followed. */
export const otherStatusText = (status: number): ErrorText => ({
	message: `The service, or a proxy in front of it, answered with status ${status}`,
	description:
		'Try again later, or check the Base URL of the credential: https or http, and the host name.',
});

/** An answer that should be JSON and is not, or is too large. */
export const UNREADABLE: ErrorText = {
	message: 'The service sent an answer that cannot be read',
	description:
		'Check that the Base URL of the credential is the address of the API, not of a web page.',
};

/** A request that was given up while it waited for the limits of the account. */
export const GAVE_UP: ErrorText = {
	message: 'The request was given up before it was sent',
	description:
		'The execution was stopped, or the limits of the account did not let it through in time. Nothing was charged for it.',
};

/** The text for a connection that could not be made. */
export const notConnectedText = (reason: string): ErrorText => ({
	message: `The Base URL cannot be reached: ${reason}`,
	description:
		'Check it in the credential, and the network of the n8n server. Nothing was sent, nothing was charged.',
});

/** The text for a request that may have arrived, but has no complete answer. */
export const noAnswerText = (cut: Exclude<Cut, 'tooLarge'>, timeoutMs: number): ErrorText => ({
	message: {
		timedOut: `The service did not answer within ${timeoutMs / 1000} seconds`,
		brokenOff: 'The connection to the service broke off before the answer',
		stopped: 'The execution was stopped before the service had answered',
	}[cut],
	description:
		'Try again later. If it goes on, check the network of the n8n server and the Base URL of the credential.',
});

/** Added to the refusal of a creation. In that of another request, it would seem to be about the job. */
export const NOT_CHARGED = 'Nothing was charged.';

/** A job of the generation history, as it is named to a person. */
export interface NamedJob {
	jobId: string;
	/** ISO 8601; `null` where the history does not give it with a time zone. */
	createdAt: string | null;
	prompt: string;
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
	if (!isListed(operation)) {
		return `${MAY_EXIST} see on the website of the service, or by the credit balance. If it does not exist, ${ORDER_ANEW}`;
	}
	const look = `${MAY_EXIST} look for it with Job > Get History, and take its result with Job > Wait for Completion.`;
	if (!candidates) {
		return `${look} It could not be read just now. If it is not there, ${ORDER_ANEW}`;
	}
	if (candidates.length === 0) return `${look} If it is not there, ${ORDER_ANEW}`;
	const named = candidates.map(
		({ jobId, createdAt, prompt }) => `${jobId} (${createdAt ?? 'time not known'}, "${prompt}")`,
	);
	return `${MAY_EXIST} the generation history shows ${named.join('; ')}. If that is this one, take its result with Job > Wait for Completion and its ID; if not, ${ORDER_ANEW}`;
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
	description: `If a field of the answer is the identifier, enter its name in ${SETTINGS_PLACE}, as "${OPEN_POINTS.identifier.label}".`,
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
