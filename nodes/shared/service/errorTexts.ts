import { listInWords } from '../spec/conditions';
import { CONCURRENT_GENERATIONS, REQUESTS_PER_WINDOW } from '../spec/limits';
import type { ErrorStatus } from '../spec/statuses';
import { cleanText } from './cleanText';
import { MAX_ANSWER_BYTES, type Cut } from './readBody';

/** What happened and what to do, for the person who reads it in n8n's editor. */
export interface ErrorText {
	message: string;
	description: string;
}

/** By documented status (section "Errors" and "Authentication", items 4 to 6). */
export const STATUS_TEXTS: Readonly<Record<ErrorStatus, ErrorText>> = {
	400: {
		message: 'The service refused the request as malformed or incomplete',
		description: 'Correct the fields that are named. Nothing was charged.',
	},
	401: {
		message: 'The API key is missing, invalid or revoked',
		description:
			'Open the MediaGen API credential and enter a valid key from the dashboard of the service. If the key is right, try another Header Form.',
	},
	402: {
		message: 'Not enough purchased credits for this job',
		description:
			'Buy credits in the dashboard of the service. Welcome credits work on the website only: they do not count for API use. Nothing was charged.',
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
		description: `The limits are ${REQUESTS_PER_WINDOW} requests a minute and ${CONCURRENT_GENERATIONS} generations running at the same time. See what else uses this account, wait for running jobs to end, then run again.`,
	},
	500: {
		message: 'The service had an internal error',
		description: 'This is not caused by your workflow. Try again later.',
	},
};

/** A status that the document does not list. */
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

/** A request that was given up while it waited for the limits of the account. */
export const GAVE_UP: ErrorText = {
	message: 'The request was given up before it was sent',
	description:
		'The execution was stopped, or the limits of the account did not let it through in time. Nothing was charged for it.',
};

/** Connections that were never made, by error code. */
export const CONNECTION_TEXTS: Readonly<Record<string, ErrorText>> = {
	ECONNREFUSED: {
		message: 'Nothing answers at the Base URL: the connection was refused',
		description: 'Check the Base URL of the credential and that the service is up.',
	},
	ENOTFOUND: {
		message: 'The host name of the Base URL is not known',
		description: 'Check the Base URL of the credential for a typing error.',
	},
	EAI_AGAIN: {
		message: 'The host name of the Base URL could not be looked up',
		description: 'Check the network of the n8n server, then the Base URL of the credential.',
	},
};

/** A connection that broke off, or gave no answer in time. */
export function noAnswerText(timedOut: boolean, timeoutMs: number): ErrorText {
	return timedOut
		? {
				message: `The service did not answer within ${timeoutMs / 1000} seconds`,
				description: 'Try again later; check the Base URL of the credential if it goes on.',
			}
		: {
				message: 'The connection to the service broke off before the answer',
				description: 'Check the network of the n8n server, then try again.',
			};
}

/** An answer that began well and was not read to its end. */
export function cutOffText(cut: Cut, timeoutMs: number): ErrorText {
	if (cut === 'brokenOff') return noAnswerText(false, timeoutMs);
	const megabytes = MAX_ANSWER_BYTES / 1024 / 1024;
	return {
		message:
			cut === 'tooLarge'
				? `The service sent an answer of more than ${megabytes} MB`
				: `The answer of the service did not end within ${timeoutMs / 1000} seconds`,
		description:
			'It was not read further. Check that the Base URL of the credential is the address of the API; try again later.',
	};
}

/** Added to an error after which a paid job may exist. */
export const MAY_BE_PAID =
	'The job may have been created and charged all the same: look into the history (Job > Get History) before you run this again.';

/** Entries of `details` that are shown, and characters of each. */
const SHOWN_DETAILS = 10;
const SHOWN_CHARACTERS = 200;

/** `details` of a 400, one entry after the other. */
export function detailsText(details: Readonly<Record<string, unknown>>): string {
	const all = Object.entries(details);
	const shown = all.slice(0, SHOWN_DETAILS).map(([field, text]) => {
		const value = typeof text === 'string' ? text : JSON.stringify(text);
		return `${cleanText(field, SHOWN_CHARACTERS)}: ${cleanText(value, SHOWN_CHARACTERS)}`;
	});
	const more = all.length - shown.length;
	return listInWords(more > 0 ? [...shown, `${more} more`] : shown, 'and');
}
