import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import { systemClock, type Clock } from '../clock/clock';
import { cleanText } from './shownText';
import type { RequestLinks, ServiceRequest } from './request';
import type { Values } from '../spec/conditions';
import { ACCOUNT_KINDS, ACCOUNT_SETTING, type RequestLimit } from '../spec/limits';
import { UPLOAD_MODES, UPLOAD_SETTING, type UploadMode } from '../spec/music/fields';
import { FAMILY_PLACE, openPoint, STATUS_PATH } from '../spec/openPoints';
import { authenticate, baseUrlOf, CREDENTIAL, secretsOf, settingOf } from './credential';
import {
	brokenConnection,
	gaveUp,
	isTooMany,
	noAnswer,
	refusal,
	retryAfterIn,
	unreadable,
} from './serviceError';
import { attempt, type Attempt } from './attempt';
import { parseJson } from './bodies';
import { readBody, type Readable, type ReadBody } from './readBody';
import { limitsOf } from '../account/account';
import { accountId, seeAccount } from '../account/perAccount';
import type { Answered, Granted, Priority } from '../account/requests';
import { withoutSecrets } from './redact';

/** How many characters of a path are logged: an identifier in it comes from outside. */
const MAX_LOGGED = 200;

/** How long a request may take, in ms; the body of its answer may then take as long again. */
const REQUEST_TIMEOUT_MS = 30_000;

/** How long a request that carries files may take, in ms. */
const UPLOAD_TIMEOUT_MS = 600_000;

/** The one door to the service: everything that is sent goes through `send`. */
export interface Service {
	/** Address of the service, without a slash at its end. */
	readonly baseUrl: string;
	/** Identifies the account, whose limits count; reveals nothing of the key. */
	readonly account: string;
	/**
	 * Sends one request when the account's limits allow it, and gives the parsed JSON of a successful
	 * answer. It is sent only once.
	 *
	 * @throws ServiceError for any other answer, for none, and when the signal fires before the request
	 *   is sent
	 */
	send(request: ServiceRequest, sendOptions?: SendOptions): Promise<unknown>;
	/** How files are sent; the document does not show it, so the credential says. */
	readonly uploadMode: UploadMode;
	/** Why nothing can be sent: it only stands in for a service. */
	readonly unusable?: unknown;
	/** The path that the document leaves open and the credential sets, by its open point. */
	path(openPointName: string): string | undefined;
	/** The field of an answer that the document leaves open and the credential names. */
	field(openPointName: string): string | undefined;
}

/** When a request is sent. */
export interface SendOptions {
	/** `other` when absent. */
	priority?: Priority;
	/** Calls the request off while it waits; Stop in the editor when absent. */
	signal?: AbortSignal;
	/** Called when the request has its turn, before it is sent. */
	onSend?: () => void;
	/** Called with the header Location of a successful answer, without secrets. */
	onLocation?: (location: string) => void;
	/** Why the request is sent now, for the log; that of its turn when absent. */
	because?: string;
	/** The turn, where the request has one already. */
	granted?: Granted;
}

/** Puts addresses into a body that names files which the service fetches. */
export type Linked = (body: Values, links: RequestLinks) => Promise<Values>;

type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

interface RawAnswer {
	statusCode: number;
	headers?: unknown;
	body: Readable;
}

/**
 * The service that a node's credential leads to; n8n's helper authenticates the requests. Redirects are
 * not followed, so that the key stays with the base URL.
 *
 * @throws ServiceError when the credential cannot be used
 */
export async function openService(
	context: ServiceContext,
	{ clock = systemClock, linked = async (body) => body }: { clock?: Clock; linked?: Linked } = {},
): Promise<Service> {
	const credential = await context.getCredentials(CREDENTIAL);
	const baseUrl = baseUrlOf(credential);
	const secrets = secretsOf(credential);
	const account = accountId(baseUrl, settingOf(credential, 'apiKey'));
	const limits = limitsOf(account, clock);
	limits.requests.limit = requestLimitOf(credential);

	const sendNow = async (request: ServiceRequest, onLocation?: SendOptions['onLocation']) => {
		const { method, path, query, files, links } = request;
		const timeout = files ? UPLOAD_TIMEOUT_MS : REQUEST_TIMEOUT_MS;
		const signal = cancelSignalOf(context);
		const url = `${baseUrl}${path}`;
		// n8n's helper calls it, too; but before 2.36, n8n loses the error that says what is missing.
		authenticate(credential, { method, url });
		const sent = links ? await linked(request.body ?? {}, links) : request.body;
		const body = files ? await files.body(sent ?? {}, signal) : sent;
		const end = new AbortController();
		const options: IHttpRequestOptions = stoppedBy(end, {
			method,
			url,
			qs: query as IDataObject | undefined,
			body: body as IDataObject | undefined,
			json: true,
			encoding: 'stream',
			timeout,
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
		});
		const answer: RawAnswer = await context.helpers.httpRequestWithAuthentication
			.call(context, CREDENTIAL, options)
			.catch((error: unknown) => {
				throw brokenConnection(error, timeout, signal?.aborted);
			});
		const reading = { timeoutMs: REQUEST_TIMEOUT_MS, end, clock, signal };
		const read = await readBody(answer.body, reading);
		const text = withoutSecrets(read.text, [...secrets, ...(request.secrets ?? [])]);
		const json = readAnswer(answer, { ...read, text }, clock.now());
		const { location } = Object(answer.headers) as { location?: unknown };
		if (typeof location === 'string') onLocation?.(withoutSecrets(location, secrets));
		return json;
	};
	return {
		baseUrl,
		account,
		uploadMode: uploadModeOf(credential),
		path: (openPointName) => pathSetting(credential, openPointName)?.replace(/^\/*/, '/'),
		field: (openPointName) => openSetting(credential, openPoint(openPointName)?.field),
		send: async (request, sendOptions = {}) => {
			seeAccount(account, clock);
			const { priority = 'other', signal = cancelSignalOf(context) } = sendOptions;
			const { granted, onSend, onLocation } = sendOptions;
			const turn = granted ?? limits.request(priority, signal);
			return await sendInTurn(turn, async ({ because }) => {
				onSend?.();
				const path = cleanText(withoutSecrets(request.path, secrets), MAX_LOGGED);
				const reason = sendOptions.because ?? because;
				context.logger?.debug(`MediaGen: ${request.method} ${path}: ${reason}`);
				return await sendNow(request, onLocation);
			});
		},
	};
}

/**
 * Sends a request in its turn, and tells the account's limits what came of it.
 *
 * @throws ServiceError also when its turn does not come
 */
export async function sendInTurn<T>(
	turn: Granted | Promise<Granted>,
	request: (granted: Granted) => Promise<T>,
): Promise<T> {
	const given = await attempt(Promise.resolve(turn));
	if ('error' in given) throw gaveUp();
	const answer = await attempt(request(given.value));
	given.value.answered(asAnswered(answer));
	if ('error' in answer) throw answer.error;
	return answer.value;
}

/** What an answer tells about the limits. */
function asAnswered(answer: Attempt<unknown>): Answered {
	if ('value' in answer) return { kind: 'taken' };
	const { error } = answer;
	return isTooMany(error)
		? { kind: 'tooMany', retryAfterMs: error.retryAfterMs }
		: { kind: 'failed' };
}

/** What the credential says; `undefined` where it is silent. */
function openSetting(credential: ICredentialDataDecryptedObject, setting?: { name: string }) {
	return (setting && settingOf(credential, setting.name)) || undefined;
}

/** The path that is set for an open point; if it is of a status, otherwise the path set for all families. */
function pathSetting(credential: ICredentialDataDecryptedObject, openPointName: string) {
	const setting = openPoint(openPointName)?.setting;
	const own = openSetting(credential, setting);
	const { family } = setting ?? {};
	if (own !== undefined || family === undefined) return own;
	return openSetting(credential, STATUS_PATH)?.replaceAll(FAMILY_PLACE, family);
}

function uploadModeOf(credential: ICredentialDataDecryptedObject): UploadMode {
	const mode = UPLOAD_MODES.find(({ value }) => value === credential[UPLOAD_SETTING.name]);
	return (mode ?? UPLOAD_MODES[0]).value;
}

function requestLimitOf(credential: ICredentialDataDecryptedObject): RequestLimit {
	const kind = ACCOUNT_KINDS.find(({ value }) => value === credential[ACCOUNT_SETTING.name]);
	return kind ?? ACCOUNT_KINDS[0];
}

function cancelSignalOf(context: ServiceContext) {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/**
 * Options with which the controller can end the request, too. n8n's helper replaces any signal with
 * that of the execution; here, the signal that it sets is added.
 */
function stoppedBy(end: AbortController, options: IHttpRequestOptions): IHttpRequestOptions {
	let { signal } = end;
	return Object.defineProperty(options, 'abortSignal', {
		enumerable: true,
		configurable: true,
		get: () => signal,
		set: (added?: AbortSignal) => {
			signal = added ? AbortSignal.any([added, end.signal]) : end.signal;
		},
	});
}

function readAnswer(
	{ statusCode, headers }: RawAnswer,
	{ text, cut }: ReadBody,
	now: number,
): unknown {
	const json = cut ? undefined : parseJson(text);
	if (statusCode < 200 || statusCode > 299) {
		throw refusal(statusCode, json, text, retryAfterIn(headers, now)).with({ answer: text });
	}
	if (cut && cut !== 'tooLarge') {
		throw noAnswer(cut, REQUEST_TIMEOUT_MS, statusCode).with({ answer: text });
	}
	if (json === undefined) throw unreadable(statusCode, text).with({ answer: text });
	return json;
}
