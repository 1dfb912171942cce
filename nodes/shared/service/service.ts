import type {
	IBinaryData,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import { accountId, limitsOf } from '../account/account';
import { retryAfterIn, type Granted, type Priority } from '../account/requests';
import { attempt, systemClock, timeLimit, unlessStopped, type Clock } from '../clock/clock';
import { ACCOUNT_KINDS } from '../spec/limits';
import { type Values, parseJson } from '../spec/values';
import { binaryNamed } from '../spec/file';
import { detailNamed, UPLOAD_MODES, type UploadMode } from '../spec/openPoints';
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
import { brokenConnection, gaveUp, isTooMany, refusal, unreadable } from './serviceError';
import { cleanText, withoutSecrets } from './shownText';

/** One HTTP request to the service, without authentication. Plain data, since a durable run stores it. */
export interface ServiceRequest {
	method: 'GET' | 'POST' | 'PUT';
	/** Relative to the base URL. */
	path: string;
	query?: Values;
	body?: Values;
	/** Values in the body that no answer may bring back, such as a password. */
	secrets?: readonly string[];
	/** Files that the body names; when it is sent, they take the place of their names. */
	files?: readonly NamedFile[];
}

/** A file that a field of the body names. */
export interface NamedFile {
	field: string;
	/** What stands for it in the field's value: a name in the item, or the URL at which n8n fetches it. */
	text: string;
	/** Whether it travels with the request; otherwise, the service fetches it from n8n. */
	isCarried: boolean;
	/** What the file itself is called. */
	name: string;
	/** The file of the item; none where n8n fetches it. */
	data?: IBinaryData;
	/** Its size in bytes. */
	size?: number;
}

/** Whether files travel with a request. */
export const carriesFiles = ({ files = [] }: ServiceRequest): boolean =>
	files.some(({ isCarried }) => isCarried);

/** What tells one request from another. It stays the same when the node runs again; n8n's IDs of files would not. */
export function identityOf({ files, body, ...request }: ServiceRequest): object {
	const described = files?.filter(({ text }) => binaryNamed(text)) ?? [];
	const names = new Map<unknown, string>(described.map(({ text, name }) => [text, name]));
	const inNames = (_field: string, value: unknown) => names.get(value) ?? value;
	return {
		...request,
		body: body && (JSON.parse(JSON.stringify(body, inNames)) as Values),
		files: files?.map(({ field, name, size, data }) => [field, name, size, data?.mimeType]),
	};
}

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
	path(name: string): string | undefined;
	/** The field of an answer that the document leaves open and the credential names. */
	field(name: string): string | undefined;
}

/** When a request is sent. */
export interface SendOptions {
	/** `other` when absent. */
	priority?: Priority;
	/** Calls the request off while it waits; Stop in the editor when absent. */
	signal?: AbortSignal;
	/** Called when the request has its turn, before it is sent. */
	onSend?: () => void;
	/** Why the request is sent now, for the log; that of its turn when absent. */
	because?: string;
	/** The turn, where the request has one already. */
	granted?: Granted;
}

/** The body of a request that names files, with the files. */
type BodyWithFiles = (
	request: ServiceRequest,
	service: Service,
	signal?: AbortSignal,
) => Promise<object>;

type ServiceContext = IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions;

/**
 * The service that a node's credential leads to; n8n's helper authenticates the requests. Redirects are
 * not followed, so that the key stays with the base URL.
 *
 * @throws ServiceError when the credential cannot be used
 */
export async function openService(
	context: ServiceContext,
	{ clock = systemClock, bodyWithFiles }: { clock?: Clock; bodyWithFiles?: BodyWithFiles } = {},
): Promise<Service> {
	const credential = await context.getCredentials(CREDENTIAL);
	const baseUrl = baseUrlOf(credential);
	checkDetails(credential);
	const secrets = secretsOf(credential);
	const account = accountId(baseUrl, settingOf(credential, 'apiKey'));
	const limits = limitsOf(account, clock);
	limits.requests.limit = choiceOf(credential, 'accountKind', ACCOUNT_KINDS);
	const stop =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;

	const sendNow = async (request: ServiceRequest) => {
		const { method, path, query, files } = request;
		const timeout = carriesFiles(request) ? UPLOAD_TIMEOUT_MS : REQUEST_TIMEOUT_MS;
		const url = `${baseUrl}${path}`;
		// n8n's helper calls it, too; but before 2.36, n8n loses the error that says what is missing.
		authenticate(credential, { method, url });
		const body = files ? await bodyWithFiles?.(request, service, stop) : request.body;
		const end = new AbortController();
		const signal = AbortSignal.any([end.signal, ...(stop ? [stop] : [])]);
		const options: IHttpRequestOptions = {
			...{ method, url, timeout, json: true, encoding: 'stream' },
			qs: query as IDataObject | undefined,
			body: body as IDataObject | undefined,
			...{ returnFullResponse: true, ignoreHttpStatusErrors: true, disableFollowRedirect: true },
			// n8n's helper would replace it with that of the execution alone.
			get abortSignal() {
				return signal;
			},
			set abortSignal(_) {},
		};
		const answer: RawAnswer = await context.helpers.httpRequestWithAuthentication
			.call(context, CREDENTIAL, options)
			.catch((error: unknown) => {
				throw brokenConnection(error, timeout);
			});
		const hidden = [...secrets, ...(request.secrets ?? [])];
		return await readAnswer(answer, { clock, stop, end, secrets: hidden });
	};
	const service: Service = {
		...{ baseUrl, account },
		uploadMode: choiceOf(credential, 'uploadAs', UPLOAD_MODES).value,
		path: (name) => {
			const family = detailNamed(name)?.family;
			const shared = family && detailOf(credential, 'statusPath')?.replaceAll('{family}', family);
			return (detailOf(credential, name) ?? shared)?.replace(/^\/*/, '/');
		},
		field: (name) => detailOf(credential, name),
		send: async (request, sendOptions = {}) => {
			const { priority = 'other', signal = stop, granted, onSend } = sendOptions;
			const turn = granted ?? limits.request(priority, signal);
			return await sendInTurn(turn, async ({ because }) => {
				onSend?.();
				const path = cleanText(withoutSecrets(request.path, secrets), MAX_LOGGED);
				const reason = sendOptions.because ?? because;
				context.logger?.debug(`MediaGen: ${request.method} ${path}: ${reason}`);
				return await sendNow(request);
			});
		},
	};
	return service;
}

/**
 * Sends a request in its turn, and tells the account's limits what came of it.
 *
 * @throws ServiceError also when its turn does not come
 */
async function sendInTurn<T>(
	turn: Granted | Promise<Granted>,
	request: (granted: Granted) => Promise<T>,
): Promise<T> {
	const given = await attempt(Promise.resolve(turn));
	if ('error' in given) throw gaveUp();
	const granted = given.value;
	const answer = await attempt(request(granted));
	if ('value' in answer) {
		granted.answered();
		return answer.value;
	}
	granted.answered(isTooMany(answer.error) ? answer.error : undefined);
	throw answer.error;
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

/**
 * Reads an answer, within limits of size and time; the time-out of the request no longer counts once its headers
 * are there. What is too large, too slow or breaks off is cut, so that it is no JSON, and its connection is closed.
 *
 * @throws ServiceError unless it is a success that can be read
 */
async function readAnswer(
	{ statusCode: status, headers, body }: RawAnswer,
	{ clock, stop, end, secrets }: Reading,
): Promise<unknown> {
	const chunks: Buffer[] = [];
	const late = timeLimit(clock, REQUEST_TIMEOUT_MS, stop);
	await attempt(unlessStopped(() => gather(body, chunks), late.signal));
	late.forget();
	// The decoder leaves out a byte order mark.
	const text = new TextDecoder().decode(Buffer.concat(chunks));
	const value = parseJson(text);
	if (value === undefined) end.abort();
	// JSON is written anew, since a secret may be hidden in its escapes (`\/`, `\u003c`).
	const answer = withoutSecrets(value === undefined ? text : JSON.stringify(value), secrets);
	if (status < 200 || status > 299) {
		throw refusal(status, answer, retryAfterIn(headers, clock.now()));
	}
	const json = parseJson(answer);
	if (json === undefined) throw unreadable(status, answer);
	return json;
}

async function gather(body: Readable, chunks: Buffer[]): Promise<void> {
	// If nobody reads the stream any more, an error of it would end n8n.
	body.on('error', () => {});
	let bytes = 0;
	for await (const chunk of body as AsyncIterable<Buffer>) {
		chunks.push(chunk);
		bytes += chunk.length;
		if (bytes > MAX_ANSWER_BYTES) return;
	}
}
