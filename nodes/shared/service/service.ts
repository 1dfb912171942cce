import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import { limitsOf } from '../account/account';
import { attempt, retryAfterIn } from '../account/backoff';
import { accountId, seeAccount } from '../account/perAccount';
import type { Granted, Priority } from '../account/requests';
import { systemClock, timeLimit, unlessStopped, type Clock } from '../clock/clock';
import type { Values } from '../spec/conditions';
import { ACCOUNT_KINDS, ACCOUNT_SETTING } from '../spec/limits';
import { UPLOAD_MODES, UPLOAD_SETTING, type UploadMode } from '../spec/music/fields';
import { FAMILY_PLACE, openPoint, STATUS_PATH } from '../spec/openPoints';
import { parseJson } from './bodies';
import {
	authenticate,
	baseUrlOf,
	choiceOf,
	CREDENTIAL,
	checkDetails,
	detailOf,
	secretsOf,
	settingOf,
} from './credential';
import type { RequestLinks, ServiceRequest } from './request';
import {
	brokenConnection,
	gaveUp,
	isTooMany,
	noAnswer,
	refusal,
	unreadable,
	type Cut,
} from './serviceError';
import { cleanText, withoutSecrets } from './shownText';

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
	checkDetails(credential);
	const secrets = secretsOf(credential);
	const account = accountId(baseUrl, settingOf(credential, 'apiKey'));
	const limits = limitsOf(account, clock);
	limits.requests.limit = choiceOf(credential, ACCOUNT_SETTING.name, ACCOUNT_KINDS);
	const stop =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

	const sendNow = async (request: ServiceRequest, onLocation?: SendOptions['onLocation']) => {
		const { method, path, query, files, links } = request;
		const timeout = files ? UPLOAD_TIMEOUT_MS : REQUEST_TIMEOUT_MS;
		const url = `${baseUrl}${path}`;
		// n8n's helper calls it, too; but before 2.36, n8n loses the error that says what is missing.
		authenticate(credential, { method, url });
		const sent = links ? await linked(request.body ?? {}, links) : request.body;
		const body = files ? await files.body(sent ?? {}, stop) : sent;
		const end = new AbortController();
		const options: IHttpRequestOptions = stoppedBy(end, {
			...{ method, url, timeout, json: true, encoding: 'stream' },
			qs: query as IDataObject | undefined,
			body: body as IDataObject | undefined,
			...{ returnFullResponse: true, ignoreHttpStatusErrors: true, disableFollowRedirect: true },
		});
		const answer: RawAnswer = await context.helpers.httpRequestWithAuthentication
			.call(context, CREDENTIAL, options)
			.catch((error: unknown) => {
				throw brokenConnection(error, timeout, stop?.aborted);
			});
		const hidden = [...secrets, ...(request.secrets ?? [])];
		const json = await readAnswer(answer, { clock, stop, end, secrets: hidden });
		const { location } = Object(answer.headers) as { location?: unknown };
		if (typeof location === 'string') onLocation?.(withoutSecrets(location, secrets));
		return json;
	};
	return {
		...{ baseUrl, account },
		uploadMode: choiceOf(credential, UPLOAD_SETTING.name, UPLOAD_MODES).value,
		path: (openPointName) => {
			const { name = '', family } = openPoint(openPointName) ?? {};
			const shared =
				family && detailOf(credential, STATUS_PATH.name)?.replaceAll(FAMILY_PLACE, family);
			return (detailOf(credential, name) ?? shared)?.replace(/^\/*/, '/');
		},
		field: (openPointName) => detailOf(credential, openPoint(openPointName)?.name),
		send: async (request, sendOptions = {}) => {
			seeAccount(account, clock);
			const { priority = 'other', signal = stop, granted, onSend, onLocation } = sendOptions;
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
	const granted = given.value;
	const answer = await attempt(request(granted));
	if ('value' in answer) granted.answered({ kind: 'taken' });
	else if (!isTooMany(answer.error)) granted.answered({ kind: 'failed' });
	else granted.answered({ kind: 'tooMany', retryAfterMs: answer.error.retryAfterMs });
	if ('error' in answer) throw answer.error;
	return answer.value;
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

export type Readable = Exclude<
	Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0],
	Buffer | Uint8Array
>;

interface RawAnswer {
	statusCode: number;
	headers?: unknown;
	body: Readable;
}

interface Reading {
	clock: Clock;
	/** Stops the execution. */
	stop?: AbortSignal;
	/** Closes the connection. Destroying the body does not, because of how n8n's helper wraps it. */
	end: AbortController;
	secrets: readonly string[];
}

/** The largest answers of the service are pages of its history: some 100 KB. */
const MAX_ANSWER_BYTES = 10 * 1024 * 1024;

/** How many bytes of a body that was cut are kept: enough to show its start. */
const START_BYTES = 4096;

/**
 * Reads an answer, within limits of size and time; the time-out of the request no longer counts once its headers
 * are there. If the body is cut, its connection is closed.
 *
 * @throws ServiceError unless it is a success that can be read
 */
async function readAnswer(
	{ statusCode: status, headers, body }: RawAnswer,
	{ clock, stop, end, secrets }: Reading,
): Promise<unknown> {
	// If nobody reads the stream any more, an error of it would end n8n.
	body.on('error', () => {});
	const chunks: Buffer[] = [];
	const late = timeLimit(clock, REQUEST_TIMEOUT_MS);
	const cut = (): Cut =>
		stop?.aborted ? 'stopped' : late.signal.aborted ? 'timedOut' : 'brokenOff';
	const read = await unlessStopped(() => gather(body, chunks), late.signal).catch(cut);
	late.forget();
	if (read !== 'whole') {
		end.abort();
		body.destroy();
	}
	const bytes = read === 'whole' ? Buffer.concat(chunks) : chunks[0]?.subarray(0, START_BYTES);
	// The decoder leaves out a byte order mark.
	const text = new TextDecoder().decode(bytes);
	const whole = read === 'whole' ? parseJson(text) : undefined;
	// JSON is written anew, since a secret may be hidden in its escapes (`\/`, `\u003c`).
	const answer = withoutSecrets(whole === undefined ? text : JSON.stringify(whole), secrets);
	if (status < 200 || status > 299) {
		throw refusal(status, answer, retryAfterIn(headers, clock.now()));
	}
	if (read !== 'whole' && read !== 'tooLarge') {
		throw noAnswer(read, REQUEST_TIMEOUT_MS, { status, answer });
	}
	const json = whole === undefined ? undefined : parseJson(answer);
	if (json === undefined) throw unreadable(status, answer);
	return json;
}

async function gather(body: Readable, chunks: Buffer[]): Promise<'whole' | 'tooLarge'> {
	let bytes = 0;
	for await (const chunk of body as AsyncIterable<Buffer>) {
		bytes += chunk.length;
		if (bytes > MAX_ANSWER_BYTES) return 'tooLarge';
		chunks.push(chunk);
	}
	return 'whole';
}
