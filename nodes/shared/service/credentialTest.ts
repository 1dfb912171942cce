import type { ICredentialTestRequest } from 'n8n-workflow';

import { CREDITS_BALANCE_FIELD, CREDITS_PATH } from '../spec/account';
import { ERROR_STATUSES } from '../spec/answers';
import { otherStatusText, STATUS_TEXTS, type ErrorText } from './errorTexts';

/** What a status means to the test, where that differs from what it means to a node. */
export const OWN_TEXTS: Readonly<Record<number, ErrorText>> = {
	400: {
		message: 'The service does not understand the request for the credit balance (status 400)',
		description: 'Check that the Base URL is the address of the Media Generation Service.',
	},
	401: {
		message: STATUS_TEXTS[401].message,
		description:
			'Enter a valid key from the dashboard of the service. If the key is right, try another Header Form (under More Settings).',
	},
	402: {
		message: 'The key is known, but no credits have been bought for use through the API',
		description: STATUS_TEXTS[402].description,
	},
	403: {
		message: 'The key is known, but may not read the credit balance',
		description: 'Check the account in the dashboard of the service.',
	},
	404: {
		message: 'There is no Media Generation Service at the Base URL',
		description: `${CREDITS_PATH} was not found there (status 404). Check the host name; the Base URL ends before the paths of the API, as in https://api.example.com.`,
	},
};

/** Redirects, which are not followed, and what proxies answer. */
const OTHER_STATUSES = [301, 302, 303, 307, 308, 405, 406, 407, 410, 421, 502, 503, 504];

/** What n8n shows for a status that the service, or whoever is at the Base URL, answers. */
function statusRule(status: number) {
	const documented: Readonly<Record<number, ErrorText>> = STATUS_TEXTS;
	const { message, description } =
		OWN_TEXTS[status] ?? documented[status] ?? otherStatusText(status);
	return {
		type: 'responseCode' as const,
		properties: { value: status, message: `${message}. ${description}` },
	};
}

/** A 200 alone says nothing: any web page answers it. */
export const NOT_THE_SERVICE = {
	type: 'responseSuccessBody' as const,
	properties: {
		key: CREDITS_BALANCE_FIELD,
		value: undefined,
		message: `What answers at the Base URL is not the Media Generation Service: its answer has no ${CREDITS_BALANCE_FIELD}. Enter the address of the API, not that of a web page.`,
	},
};

/** Reads the credit balance, which is free. */
export const CREDENTIAL_TEST: ICredentialTestRequest = {
	request: { baseURL: '={{ $credentials.baseUrl }}', url: CREDITS_PATH },
	// n8n takes both kinds of rule in one list; its type does not say so.
	rules: [
		...[...Object.keys(ERROR_STATUSES).map(Number), ...OTHER_STATUSES].map(statusRule),
		NOT_THE_SERVICE,
	] as ICredentialTestRequest['rules'],
};
