import type { ICredentialDataDecryptedObject, IHttpRequestOptions } from 'n8n-workflow';

import {
	API_KEYS_PATH,
	AUTH_TOKEN_PREFIX,
	CSRF_HEADER,
	HEADER_FORMS,
	PATHS_WITHOUT_KEY,
	SESSION_COOKIE,
} from '../spec/account';
import { SETTINGS_PLACE } from '../form/credentialProperties';
import { ServiceError } from './serviceError';
import { trimEnd } from './trimEnd';

/** Name of the credential type. */
export const CREDENTIAL = 'mediaGenApi';

const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]'];

const CHECK_CREDENTIAL = 'Open the MediaGen API credential and correct it. Nothing was sent.';

/**
 * The base URL of a credential, without a slash at its end.
 *
 * @throws ServiceError when it is no http(s) URL, or plain http to another machine
 */
export function baseUrlOf(credential: ICredentialDataDecryptedObject): string {
	const text = String(credential.baseUrl ?? '').trim();
	const url = parseUrl(text);
	if (!url || !['http:', 'https:'].includes(url.protocol)) {
		throw badCredential(`The Base URL "${text}" is not an http(s) address`);
	}
	const overNetwork = url.protocol === 'http:' && !LOOPBACK_HOSTS.includes(url.hostname);
	if (overNetwork && credential.allowHttp !== true) {
		throw badCredential(
			`The Base URL ${text} is plain http: the key would be readable on the way. Use https, or turn on Allow Plain HTTP under More Settings`,
		);
	}
	return trimEnd(text, '/');
}

/**
 * Adds the headers that the service asks for (section "Authentication", items 1 to 3), to requests
 * to the base URL's origin and to no others: the API key, except for the creation of another key
 * and for signing in.
 *
 * @throws ServiceError when the request goes elsewhere, or the credential is incomplete
 */
export function authenticate(
	credential: ICredentialDataDecryptedObject,
	request: IHttpRequestOptions,
): IHttpRequestOptions {
	const baseUrl = baseUrlOf(credential);
	const target = parseUrl(request.url, request.baseURL);
	if (target?.origin !== new URL(baseUrl).origin) {
		throw badCredential('The MediaGen API key is sent to the Base URL of its credential only');
	}
	const isTo = (path: string) =>
		request.method === 'POST' && target.pathname === new URL(`${baseUrl}${path}`).pathname;
	const headers = isTo(API_KEYS_PATH)
		? keyCreationHeaders(credential)
		: PATHS_WITHOUT_KEY.some(isTo)
			? {}
			: keyHeader(credential);
	return {
		...request,
		disableFollowRedirect: true,
		headers: { ...request.headers, ...headers },
	};
}

function keyHeader(credential: ICredentialDataDecryptedObject) {
	const key = textOf(credential, 'apiKey');
	if (key === '') throw badCredential('The API key is empty');
	const form = HEADER_FORMS.find(({ value }) => value === credential.headerForm);
	return { Authorization: `${(form ?? HEADER_FORMS[0]).prefix}${key}` };
}

/** The browser session where there is one, else the legacy auth token. */
function keyCreationHeaders(credential: ICredentialDataDecryptedObject): Record<string, string> {
	const [sessionToken, csrfToken, authToken] = ['sessionToken', 'csrfToken', 'authToken'].map(
		(name) => textOf(credential, name),
	);
	if (sessionToken && csrfToken) {
		return { Cookie: `${SESSION_COOKIE}=${cookieValue(sessionToken)}`, [CSRF_HEADER]: csrfToken };
	}
	if (authToken) return { Authorization: `${AUTH_TOKEN_PREFIX}${authToken}` };
	throw new ServiceError({
		message:
			'An API key is created with a browser session or a legacy auth token; the credential has neither',
		description: `Enter Session ID and CSRF Token, both of them, or Auth Token in ${SETTINGS_PLACE}; or create the key in the dashboard of the service. Nothing was sent.`,
		outcome: 'notSent',
	});
}

/** A value that cannot bring other cookies along. */
function cookieValue(text: string): string {
	if (/^[^\s;,"\\]+$/.test(text)) return text;
	throw badCredential('The Session ID has characters that the value of a cookie cannot have');
}

const textOf = (credential: ICredentialDataDecryptedObject, name: string) =>
	String(credential[name] ?? '').trim();

function parseUrl(text: string, base?: string): URL | undefined {
	try {
		return new URL(text, base || undefined);
	} catch {
		return undefined;
	}
}

function badCredential(message: string): ServiceError {
	return new ServiceError({ message, description: CHECK_CREDENTIAL, outcome: 'notSent' });
}
