import type { IExecuteFunctions } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import type { Readable } from '../service/service';
import { TOO_MANY_REQUESTS } from '../spec/answers';
import { mediaType } from './mediaFormat';
import { isPrivateUrl } from './privateNetworks';

export type HttpHelpers = Pick<IExecuteFunctions['helpers'], 'httpRequest'>;

/** How a file is fetched. */
export interface Fetching {
	helpers: HttpHelpers;
	clock: Clock;
	/** Fires when the user stops the execution. */
	signal?: AbortSignal;
	/** Whether its address may be on this machine or in a private network, as the service then is. */
	mayBePrivate: boolean;
}

/** A file that arrives. */
export interface Arriving {
	/** MIME type; empty where the server tells none. */
	type: string;
	body: Readable;
}

/** How long an answer may take to start, in ms. */
const ANSWER_TIMEOUT_MS = 30_000;

/** How long a file may go without anything arriving, in ms. */
const SILENCE_MS = 60_000;

/** The largest size of a file, in bytes: 1 GB. */
const MAX_BYTES = 1024 ** 3;

/** How many bytes at the start of a file are looked at. */
const START_BYTES = 64;

/**
 * Fetches a file: one try. All files that are fetched come through here. The request carries no credentials, so that
 * the key stays with the service, whatever address the service or the user names. n8n's helper follows redirects.
 *
 * @param take takes the file as it arrives; its connection is closed when that is done
 * @throws DownloadError for the file, or what `take` throws
 */
export async function fetchFile<T>(
	url: string,
	fetching: Fetching,
	take: (file: Arriving) => Promise<T>,
): Promise<T> {
	const { signal } = fetching;
	const end = new AbortController();
	const transfer: Transfer = {
		...fetching,
		signal: signal ? AbortSignal.any([signal, end.signal]) : end.signal,
		bytes: 0,
	};
	try {
		return await Promise.race([receive(url, transfer, take), silence(transfer)]);
	} finally {
		end.abort();
	}
}

interface Transfer extends Fetching {
	/**
	 * Ends all that belongs to this try. Only aborting closes the connection: destroying the body does not,
	 * because of how n8n's helper wraps it.
	 */
	signal: AbortSignal;
	/** Bytes that have arrived. */
	bytes: number;
}

async function receive<T>(
	url: string,
	transfer: Transfer,
	take: (file: Arriving) => Promise<T>,
): Promise<T> {
	const { headers, body } = await open(url, transfer);
	if (Number(headers['content-length']) > MAX_BYTES) throw tooLarge();
	const type = mediaType(headers['content-type']);
	const checked = body.map((chunk: Buffer) => {
		const isStart = transfer.bytes === 0;
		const other = isStart && noMedia(type, chunk.toString('latin1', 0, START_BYTES));
		if (other) throw new DownloadError(`${SUBJECT} sent ${other}`, false);
		transfer.bytes += chunk.length;
		if (transfer.bytes > MAX_BYTES) throw tooLarge();
		return chunk;
	});
	checked.on('error', ignore);
	const taken = await take({ type, body: checked }).catch((error: unknown) => {
		throw checked.errored ? brokenOff(checked.errored) : error;
	});
	if (transfer.bytes === 0) throw new DownloadError(`${SUBJECT} sent an empty file`, true);
	return taken;
}

const SUBJECT = 'The media address';

/** The start of an answer, as n8n's helper gives it. */
interface Answer {
	statusCode: number;
	headers: Record<string, string | undefined>;
	body: Readable;
}

async function open(url: string, { helpers, mayBePrivate, signal }: Transfer): Promise<Answer> {
	if (!/^https?:/i.test(url)) {
		throw new DownloadError(`${SUBJECT} is no http or https address`, false);
	}
	if (!mayBePrivate && isPrivateUrl(url)) {
		const message = `${SUBJECT} is inside a private network, and the service is not`;
		throw new DownloadError(message, false);
	}
	const answer: Answer = await helpers
		.httpRequest({
			method: 'GET',
			url,
			// Not compressed, so that the stated length is that of the file.
			headers: { Accept: '*/*', 'Accept-Encoding': 'identity' },
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			timeout: ANSWER_TIMEOUT_MS,
			abortSignal: signal,
		})
		.catch((error: unknown) => {
			throw new DownloadError(`${SUBJECT} cannot be reached: ${reasonOf(error)}`, true);
		});
	answer.body.on('error', ignore);
	const { statusCode } = answer;
	if (statusCode >= 200 && statusCode <= 299) return answer;
	const isPassing = statusCode >= 500 || statusCode === TOO_MANY_REQUESTS;
	throw new DownloadError(`${SUBJECT} answered with status ${statusCode}`, isPassing);
}

/** What it is that is no media, by its type, or as JSON and XML begin. */
function noMedia(type: string, start: string): string | undefined {
	if (type === 'image/svg+xml') return undefined;
	if (type === 'text/html') return 'a web page';
	if (/[/+]json$/.test(type) || /^\s*[{[]/.test(start)) return 'JSON';
	if (/[/+]xml$/.test(type) || start.startsWith('<?xml')) return 'XML';
	return type.startsWith('text/') ? 'a text' : undefined;
}

/** Ends with an error once nothing arrives any more. */
async function silence(transfer: Transfer): Promise<never> {
	for (let bytes = -1; bytes !== transfer.bytes; ) {
		bytes = transfer.bytes;
		await transfer.clock.sleep(SILENCE_MS, transfer.signal);
	}
	throw new DownloadError(`${SUBJECT} sent nothing for ${SILENCE_MS / 1000} seconds`, true);
}

const tooLarge = () => new DownloadError('The file is larger than 1 GB', false);

function brokenOff(error: Error): DownloadError {
	if (error instanceof DownloadError) return error;
	return new DownloadError(`The download broke off: ${reasonOf(error)}`, true);
}

/** Handles the errors of a stream: if nobody reads it any more, they would otherwise end n8n. */
const ignore = () => {};

/** Why a file could not be fetched, in words for the person who reads the item. */
export class DownloadError extends Error {
	/** @param isPassing whether another try may succeed */
	constructor(
		message: string,
		readonly isPassing: boolean,
	) {
		super(message);
		this.name = 'DownloadError';
	}
}

export function reasonOf(error: unknown): string {
	const { message, code } = Object(error) as { message?: string; code?: string };
	return message || code || 'the connection was closed';
}
