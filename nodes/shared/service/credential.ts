import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { DETAILS_LIST } from '../form/names';
import {
	API_KEYS_PATH,
	CREDITS_BALANCE_FIELD,
	CREDITS_PATH,
	HEADER_FORMS,
	PATHS_WITHOUT_KEY,
} from '../spec/account';
import { INVISIBLE } from '../spec/values';
import { SERVICE_DETAILS } from '../spec/openPoints';
import { parseUrl } from '../spec/url';
import { DOCUMENTED_STATUSES, ServiceError, statusText } from './serviceError';

export const CREDENTIAL = 'mediaGenApi';

type Credential = ICredentialDataDecryptedObject;

/** A value as it was entered, without what cannot be seen. */
const entered = (value: unknown) =>
	String(value ?? '')
		.replace(INVISIBLE, '')
		.trim();

export const settingOf = (credential: Credential, name: string) => entered(credential[name]);

/** A setting of the list Service Details; of several rows for it, the last. */
export function detailOf(credential: Credential, name = ''): string | undefined {
	const list = Object(credential[DETAILS_LIST.name]) as Record<string, IDataObject[] | undefined>;
	const rows = list[DETAILS_LIST.rows] ?? [];
	return entered(rows.filter(({ what }) => what === name).at(-1)?.value) || undefined;
}

/**
 * Before anything is paid for, since the path of a status is used only once a job runs.
 *
 * @throws ServiceError when a setting of Service Details is a whole address
 */
export function checkDetails(credential: Credential): void {
	const whole = SERVICE_DETAILS.find(({ name }) => detailOf(credential, name)?.includes('://'));
	if (!whole) return;
	throw badCredential(`${whole.label} is a whole address; enter what follows the Base URL`);
}

/** What is chosen in a dropdown; its first entry where nothing is. */
export const choiceOf = <T extends ReadonlyArray<{ value: string }>>(
	credential: Credential,
	name: string,
	choices: T,
) => (choices.find(({ value }) => value === credential[name]) ?? choices[0]) as T[number];

/** Settings that must not get into an item or an error, even if an answer repeats them. */
const SECRETS = ['apiKey', 'authToken', 'sessionToken', 'csrfToken'];

/** The secrets of a credential; one that was entered with a prefix (`Bearer …`, `sessionid=…`), also without it. */
export const secretsOf = (credential: Credential): string[] =>
	SECRETS.map((name) => settingOf(credential, name)).flatMap((secret) => [
		secret,
		secret.replace(/^\w+[ =]+/, ''),
	]);

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

/**
 * The base URL of a credential, without a slash at its end.
 *
 * @throws ServiceError when it is no http(s) URL, has a login, a query or a fragment, or is plain http
 *   to another machine
 */
export function baseUrlOf(credential: Credential): string {
	const url = parseUrl(settingOf(credential, 'baseUrl'));
	const isHttp = url?.protocol === 'http:';
	if (!url || !(isHttp || url.protocol === 'https:')) {
		throw badCredential('The Base URL is not an http(s) address');
	}
	if (url.username || url.password || url.search || url.hash) {
		throw badCredential(
			'The Base URL has a user name, a password, a query or a fragment; enter the address alone',
		);
	}
	if (isHttp && !LOOPBACK_HOSTS.includes(url.hostname) && credential.allowHttp !== true) {
		throw badCredential(
			'The Base URL is plain http: the key would be readable on the way. Use https, or turn on Allow Plain HTTP',
		);
	}
	return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/**
 * Adds the headers that the service asks for (section "Authentication", items 1 to 3), only to requests
 * to the base URL's origin: the API key, except for creating another key and for signing in. The
 * request goes to the very address that was checked, and redirects are not followed.
 *
 * @param request of n8n's newer helper, with `url`, or of its older one, with `uri` in its place
 * @throws ServiceError when the request goes elsewhere, or the credential is incomplete
 */
export function authenticate(
	credential: Credential,
	{ uri, ...request }: IHttpRequestOptions & { uri?: string },
): IHttpRequestOptions {
	const base = baseUrlOf(credential);
	const given = request.url ?? uri ?? '';
	// A path is one of the base URL, as in the credential's test.
	const target = parseUrl(/^\/[^/]/.test(given) ? base + given : given);
	if (target?.origin !== new URL(base).origin) {
		throw badCredential('The MediaGen API key is sent to the Base URL of its credential only');
	}
	const isTo = (path: string) =>
		request.method === 'POST' && `${target.origin}${target.pathname}` === base + path;
	const signsIn = PATHS_WITHOUT_KEY.some(isTo);
	const headers = isTo(API_KEYS_PATH) ? sessionHeaders(credential) : keyHeader(credential, signsIn);
	// n8n would leave such a character out, or fail without a word of whether something was sent.
	if (!Object.values(headers).every((text) => /^[\x20-\xff]*$/.test(text)))
		throw badCredential('The API key or a token has a character that cannot be sent in a header');
	return {
		...request,
		baseURL: undefined,
		url: target.href,
		...NO_REDIRECTS,
		headers: { ...request.headers, ...headers },
	};
}

/** The first is for n8n's newer helper, the second for its older one. */
const NO_REDIRECTS = { disableFollowRedirect: true, maxRedirects: 0 };

function keyHeader(credential: Credential, isNotNeeded: boolean): Record<string, string> {
	if (isNotNeeded) return {};
	const key = settingOf(credential, 'apiKey');
	if (key === '') throw badCredential('The API key is empty');
	return { Authorization: `${choiceOf(credential, 'headerForm', HEADER_FORMS).prefix}${key}` };
}

/** The browser session where there is one, else the legacy auth token. */
function sessionHeaders(credential: Credential): Record<string, string> {
	const sessionToken = settingOf(credential, 'sessionToken');
	const csrfToken = settingOf(credential, 'csrfToken');
	const authToken = settingOf(credential, 'authToken');
	if (sessionToken && csrfToken) {
		return { Cookie: `sessionid=${sessionToken}`, 'X-CSRFToken': csrfToken };
	}
	if (authToken) return { Authorization: `Token ${authToken}` };
	throw badCredential(
		'An API key is created with a browser session or a legacy auth token; the credential has neither',
		'Enter Session ID and CSRF Token, both of them, or Auth Token in the MediaGen API credential; or create the key in the dashboard of the service.',
	);
}

const badCredential = (
	message: string,
	advice = 'Open the MediaGen API credential and correct it.',
) => new ServiceError({ message, description: `${advice} Nothing was sent.`, outcome: 'notSent' });

/** What n8n shows when the service answers with a documented status; of others, it has words of its own. */
function statusRule(value: number) {
	const { message, description } = statusText(value);
	return { type: 'responseCode', properties: { value, message: `${message}. ${description}` } };
}

/** A 200 alone proves nothing: any web page answers with it. */
const NOT_THE_SERVICE = {
	type: 'responseSuccessBody',
	properties: {
		key: CREDITS_BALANCE_FIELD,
		value: undefined,
		message:
			'What answers at the Base URL is not the Media Generation Service: its answer has no credits_balance. Enter the address of the API, not that of a web page.',
	},
};

/** Reads the credit balance, which is free. */
export const CREDENTIAL_TEST: ICredentialTestRequest = {
	request: { baseURL: '={{ $credentials.baseUrl }}', url: CREDITS_PATH },
	// n8n takes both kinds of rule in one list; its type does not say so.
	rules: [
		...DOCUMENTED_STATUSES.map(statusRule),
		NOT_THE_SERVICE,
	] as ICredentialTestRequest['rules'],
};
