import {
	ACCOUNT_ENDPOINTS,
	BROWSER_SESSION,
	HEADER_FORMS,
	TOKEN_HEADER_FORM,
} from '../test/document.mts';
import type { Account } from './account.mts';
import { ServiceError } from './serviceError.mts';

/** What a request reveals about its sender. */
export interface Identification {
	authorization: string | undefined;
	cookie: string | undefined;
	csrfToken: string | undefined;
}

/**
 * Section "Authentication": an API key or a legacy auth token, except where the document asks for
 * something else.
 *
 * @throws ServiceError 401, 403
 */
export function identify(
	account: Account,
	{ method, path }: { method: string; path: string },
	shown: Identification,
): void {
	const row = ACCOUNT_ENDPOINTS.find((one) => one.method === method && one.path === path);
	if (row?.authentication === 'none') return;
	if (row?.authentication === 'browser session or token') checkSession(account, shown);
	else authenticate(shown.authorization, account);
}

/** A browser session (item 3) or a legacy auth token (item 2): an API key cannot create another one. */
function checkSession({ session, authTokens }: Account, shown: Identification): void {
	const { authorization = '', cookie = '', csrfToken } = shown;
	if (hasAuthToken(authorization, authTokens)) return;
	if (!cookie.split(/;\s*/).includes(`${BROWSER_SESSION.cookie}=${session.id}`)) {
		throw new ServiceError(401, 'Authentication credentials were not provided.');
	}
	if (csrfToken !== session.csrfToken) {
		throw new ServiceError(403, 'CSRF verification failed.');
	}
}

/**
 * A key in one of the three header forms (item 1), or a legacy auth token in its own form (item 2).
 *
 * @throws ServiceError 401 when it is missing, invalid or revoked
 */
function authenticate(header: string | undefined, { keys, authTokens }: Account): void {
	if (!header) throw new ServiceError(401, 'Authentication credentials were not provided.');
	const hasKey = HEADER_FORMS.some((form) => keys.has(secretIn(header, form) ?? ''));
	if (hasKey || hasAuthToken(header, authTokens)) return;
	throw new ServiceError(401, 'The API key is invalid or revoked.');
}

const hasAuthToken = (header: string, authTokens: ReadonlySet<string>) =>
	authTokens.has(secretIn(header, TOKEN_HEADER_FORM) ?? '');

/** What stands in a header in the place of a form such as `Bearer <API_KEY>`. */
function secretIn(header: string, form: string): string | undefined {
	const prefix = form.replace(/<\w+>$/, '');
	return header.startsWith(prefix) ? header.slice(prefix.length) : undefined;
}
