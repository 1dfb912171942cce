import {
	API_KEYS_PATH,
	AUTH_TOKEN_PREFIX,
	HEADER_FORMS,
	LOG_IN,
	REGISTER,
	SESSION_COOKIE,
} from '../nodes/shared/spec/account.ts';
import type { Account } from './account.mts';
import { ServiceError } from './serviceError.mts';

/** What a request reveals about its sender. */
export interface Identification {
	authorization: string | undefined;
	cookie: string | undefined;
	csrfToken: string | undefined;
}

/** The checks of endpoints that take no API key, by method and path. */
const CHECKS: Record<string, (account: Account, shown: Identification) => void> = {
	[`POST ${String(LOG_IN.path)}`]: () => {},
	[`POST ${String(REGISTER.path)}`]: () => {},
	[`POST ${API_KEYS_PATH}`]: checkSession,
};

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
	const check = CHECKS[`${method} ${path}`];
	if (check) check(account, shown);
	else authenticate(shown.authorization, account);
}

/** A browser session (item 3) or a legacy auth token (item 2): an API key cannot create another one. */
function checkSession({ session, authTokens }: Account, shown: Identification): void {
	const { authorization = '', cookie = '', csrfToken } = shown;
	if (hasAuthToken(authorization, authTokens)) return;
	if (!cookie.split(/;\s*/).includes(`${SESSION_COOKIE}=${session.id}`)) {
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
	const hasKey = HEADER_FORMS.some(
		({ prefix }) => header.startsWith(prefix) && keys.has(header.slice(prefix.length)),
	);
	if (hasKey || hasAuthToken(header, authTokens)) return;
	throw new ServiceError(401, 'The API key is invalid or revoked.');
}

const hasAuthToken = (header: string, authTokens: ReadonlySet<string>) =>
	header.startsWith(AUTH_TOKEN_PREFIX) && authTokens.has(header.slice(AUTH_TOKEN_PREFIX.length));
