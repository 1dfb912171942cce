import { randomBytes, randomUUID } from 'node:crypto';

import type { Values } from '../nodes/shared/spec/values.ts';
import {
	ACCOUNT_ENDPOINTS,
	BROWSER_SESSION,
	HEADER_FORMS,
	SUCCESS,
	TOKEN_HEADER_FORM,
} from '../test/document.mts';
import type { Answer, RoutedCall } from './service.mts';
import { ServiceError } from './serviceError.mts';
import type { SandboxSettings } from './settings.mts';
import type { SandboxState } from './state.mts';
import { objectBody, validate } from './validation.mts';

interface Charge {
	jobId: string;
	/** `resource.operation`. */
	operation: string;
	credits: number;
	/** ms since 1970. */
	at: number;
}

export type Account = ReturnType<typeof newAccount>;

/** Price of one credit in the sandbox's made-up currency. */
const MONEY_PER_CREDIT = 0.01;

/** The one account of the sandbox; its fields may be changed at any time. */
export function newAccount(settings: SandboxSettings) {
	const { credits, key, session, authToken, clock } = settings;
	return {
		credits: { ...credits },
		charges: [] as Charge[],
		/** Valid API keys; revoke one by deleting it. */
		keys: new Set([key]),
		session: { ...session },
		authTokens: new Set([authToken]),
		profile: { enable_watermark: true, watermark_text: '' },
		bought: { credits: credits.purchased, at: clock.now() },
	};
}

/** A value that nobody can guess. */
export const secret = (prefix: string): string =>
	`${prefix}${randomBytes(18).toString('base64url')}`;

const isoTime = (at: number) => new Date(at).toISOString();

/** Made up: the first purchase and each charge, newest first. */
export function transactionsOf({ bought, charges }: Account): Array<Record<string, unknown>> {
	const charged = charges.map(({ jobId, operation, credits, at }) => {
		return { type: 'charge', credits: -credits, at, description: `${operation} ${jobId}` };
	});
	const all = [{ type: 'purchase', ...bought }, ...charged];
	return all
		.map(({ at, ...entry }, index) => ({ id: index + 1, ...entry, created_at: isoTime(at) }))
		.reverse();
}

/** What the service calls the balance: all credits, usable through the API or not. */
export const balanceOf = ({ credits }: Account): number => credits.purchased + credits.welcome;

/** @throws ServiceError 402 when the purchased credits do not suffice; welcome credits never pay */
export function checkFunds({ credits }: Account, price: number): void {
	if (price <= credits.purchased) return;
	throw new ServiceError(
		402,
		credits.purchased === 0
			? 'No credits have been purchased for API usage. Welcome credits cannot be used through the API.'
			: `Insufficient credits: this costs ${price}, and ${credits.purchased} are available.`,
	);
}

export function charge(account: Account, entry: Charge): void {
	account.credits.purchased -= entry.credits;
	account.charges.push(entry);
}

type AnswerRecord = (state: SandboxState, call: RoutedCall) => object;

const disabled = (what: string) => () => {
	throw new ServiceError(403, `${what} is currently disabled.`);
};

/** Answers of section "Account and keys", by the names of its rows. */
const ANSWERS: Record<string, AnswerRecord> = {
	'get credits': ({ account }) => {
		const spent = account.charges.reduce((sum, { credits }) => sum + credits, 0);
		const purchased = account.credits.purchased + spent;
		return {
			credits_balance: balanceOf(account),
			total_spent: (purchased * MONEY_PER_CREDIT).toFixed(2),
			total_credits_purchased: purchased,
		};
	},
	'get profile': profileOf,
	'update profile': (state, call) => {
		Object.assign(state.account.profile, validBody(call));
		return profileOf(state);
	},
	// Only this answer shows the whole key.
	'create API key': ({ account, settings }, call) => {
		const { name } = validBody(call);
		const key = secret('mg_sandbox_');
		account.keys.add(key);
		const created_at = isoTime(settings.clock.now());
		return { id: randomUUID(), name, key, key_preview: `${key.slice(0, 14)}…`, created_at };
	},
	'log in': disabled('Login'),
	register: disabled('Registration'),
};

/** Section "Profile". */
function profileOf({ account, jobs }: SandboxState): object {
	const images = jobs.list.filter(({ operation }) => operation.mediaType === 'image');
	return {
		id: 1,
		username: 'sandbox',
		email: 'sandbox@example.com',
		credits_balance: balanceOf(account),
		total_images_generated: images.length,
		...account.profile,
		created_at: isoTime(account.bought.at),
	};
}

const rowOf = (method: string, path: string) =>
	ACCOUNT_ENDPOINTS.find((one) => one.method === method && one.path === path);

export function answerRecord(state: SandboxState, call: RoutedCall): Answer {
	const { method, path } = call.match.route;
	const answer = ANSWERS[rowOf(method, path)?.name ?? ''];
	if (!answer) throw new ServiceError(404);
	const status = method === 'POST' ? SUCCESS.creation : SUCCESS.read;
	return { status, body: answer(state, call) };
}

function validBody({ body, match }: RoutedCall): Values {
	const sent = objectBody(body);
	for (const operation of match.route.operations) validate(operation, sent);
	return sent;
}

/** What a request reveals about its sender. */
export type Identification = Record<'authorization' | 'cookie' | 'csrfToken', string | undefined>;

/**
 * Section "Authentication": a key in one of the three header forms (item 1), or a legacy auth token in its own form
 * (item 2), except where the document asks for nothing, or for a browser session (item 3) or a token: an API key
 * cannot create another one.
 *
 * @throws ServiceError 401, 403
 */
export function identify(
	{ keys, authTokens, session }: Account,
	{ method, path }: { method: string; path: string },
	{ authorization = '', cookie = '', csrfToken }: Identification,
): void {
	const asked = rowOf(method, path)?.authentication;
	const isToken = authTokens.has(secretIn(authorization, TOKEN_HEADER_FORM) ?? '');
	if (asked === 'none' || isToken) return;
	const isBySession = asked === 'browser session or token';
	const isSignedIn = cookie.split(/;\s*/).includes(`${BROWSER_SESSION.cookie}=${session.id}`);
	if (isBySession ? !isSignedIn : !authorization) {
		throw new ServiceError(401, 'Authentication credentials were not provided.');
	}
	if (isBySession && csrfToken === session.csrfToken) return;
	if (isBySession) throw new ServiceError(403, 'CSRF verification failed.');
	const isKey = HEADER_FORMS.some((form) => keys.has(secretIn(authorization, form) ?? ''));
	if (!isKey) throw new ServiceError(401, 'The API key is invalid or revoked.');
}

/** What stands in a header in the place of a form such as `Bearer <API_KEY>`. */
function secretIn(header: string, form: string): string | undefined {
	const prefix = form.replace(/<\w+>$/, '');
	return header.startsWith(prefix) ? header.slice(prefix.length) : undefined;
}
