import type { BinaryHelperFunctions, IBinaryKeyData, RequestHelperFunctions } from 'n8n-workflow';

import { attempt, retry, type Clock } from '../clock/clock';
import type { Readable, Service } from '../service/service';
import { isPrivate } from '../spec/url';
import { mediaFileName, mediaType } from './media';

/** How files are fetched. */
export interface Fetching {
	helpers: RequestHelperFunctions & BinaryHelperFunctions;
	clock: Clock;
	/** Fires when the user stops the execution. */
	signal?: AbortSignal;
	/** Where it is on this machine or in a private network, files may be there, too. */
	service: Pick<Service, 'baseUrl' | 'uploadMode'>;
}

/** Files that were not downloaded, and why. */
export type FailedDownloads = Array<Record<'url' | 'error', string>>;

/**
 * Downloads files into n8n's binary data. Never fails: what went wrong with one file is returned beside the others.
 *
 * @param first where the first file goes, and its name without extension; the others have numbers: `data_1`, `kite-2`
 */
export async function downloadMedia(
	urls: readonly string[],
	first: { property: string; stem: string },
	fetching: Fetching,
): Promise<{ binary: IBinaryKeyData; errors: FailedDownloads }> {
	const { prepareBinaryData } = fetching.helpers;
	const binary: IBinaryKeyData = {};
	const errors: FailedDownloads = [];
	for (const [index, url] of urls.entries()) {
		const property = index === 0 ? first.property : `${first.property}_${index}`;
		const stem = index === 0 ? first.stem : `${first.stem}-${index + 1}`;
		// Without a type, n8n goes by the extension.
		const keep = async (body: Readable, type: string) =>
			await prepareBinaryData(body, mediaFileName(stem, type, url), type || undefined);
		const done = await attempt(fetchFile(url, fetching, keep));
		if ('value' in done) binary[property] = done.value;
		else errors.push({ url, error: fetching.signal?.aborted ? TOO_LATE : reasonOf(done.error) });
	}
	return { binary, errors };
}

const TOO_LATE = 'There was no time left to download it';

/** The largest size of a file, in bytes: 1 GB. */
const MAX_BYTES = 1024 ** 3;

/** How long a file may go without anything arriving, in ms. */
const SILENCE_MS = 60_000;

const SUBJECT = 'The media address';

/** What another try would not change. */
class Unusable extends Error {}

/** The pauses between tries, in ms: at once, another one seldom helps. */
const PAUSES_MS = [2_000, 8_000];

/** Takes a file as it arrives, and its MIME type, which is empty where the server tells none. */
type Take<T> = (body: Readable, type: string) => Promise<T>;

/**
 * Fetches a file, in three tries. All files that are fetched come through here. The request carries no credentials, so
 * that the key stays with the service, whatever address the service or the user names. n8n's helper follows redirects.
 *
 * @throws Error the last one
 */
export async function fetchFile<T>(url: string, fetching: Fetching, take: Take<T>): Promise<T> {
	const pauses = [...PAUSES_MS];
	const pauseAfter = (error: unknown) => (error instanceof Unusable ? undefined : pauses.shift());
	return await retry(async () => await fetchOnce(url, fetching, take), pauseAfter, fetching);
}

/** @throws Unusable, or Error where another try may succeed */
async function fetchOnce<T>(url: string, fetching: Fetching, take: Take<T>): Promise<T> {
	// Only aborting closes the connection: destroying the body does not, because of how n8n's helper wraps it.
	const end = new AbortController();
	const signal = AbortSignal.any([end.signal, ...(fetching.signal ? [fetching.signal] : [])]);
	let bytes = 0;
	const receive = async () => {
		const { type, body } = await open(url, { ...fetching, signal });
		const counted = body.map((chunk: Buffer) => {
			bytes += chunk.length;
			if (bytes > MAX_BYTES) throw new Unusable('The file is larger than 1 GB');
			return chunk;
		});
		counted.on('error', ignore);
		return await take(counted, type).catch((error: unknown) => {
			if (error instanceof Unusable) throw error;
			throw new Error(`The download broke off: ${reasonOf(error)}`);
		});
	};
	const silence = async (): Promise<never> => {
		for (let before = -1; before !== bytes; ) {
			before = bytes;
			await fetching.clock.sleep(SILENCE_MS, signal);
		}
		throw new Error(`${SUBJECT} sent nothing for ${SILENCE_MS / 1000} seconds`);
	};
	try {
		return await Promise.race([receive(), silence()]);
	} finally {
		end.abort();
	}
}

/** How long an answer may take to start, in ms. */
const ANSWER_TIMEOUT_MS = 30_000;

/** Pages and data. */
const NO_MEDIA = /^text\/|^application\/.*(?:json|xml)$/;

/** The start of a file. @throws Unusable, Error where there is none */
async function open(url: string, { helpers, service, signal }: Fetching) {
	if (isPrivate(url) && !isPrivate(service.baseUrl))
		throw new Unusable(`${SUBJECT} is inside a private network, and the service is not`);
	const asked = helpers.httpRequest({
		url,
		headers: { Accept: '*/*' },
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		timeout: ANSWER_TIMEOUT_MS,
		abortSignal: signal,
	});
	const { statusCode, headers, body } = await asked.catch((error: unknown) => {
		throw new Error(`${SUBJECT} cannot be reached: ${reasonOf(error)}`);
	});
	body.on('error', ignore);
	const type = mediaType(headers['content-type']);
	const failed = `${SUBJECT} answered with status ${statusCode}`;
	if (statusCode >= 500 || statusCode === 429) throw new Error(failed);
	if (statusCode < 200 || statusCode > 299) throw new Unusable(failed);
	if (NO_MEDIA.test(type)) throw new Unusable(`${SUBJECT} sent ${type}`);
	return { type, body: body as Readable };
}

/** Handles the errors of a stream: if nobody reads it any more, they would otherwise end n8n. */
const ignore = () => {};

/** What an error says, in words for the person who reads the item. */
export function reasonOf(error: unknown): string {
	const { message, code } = Object(error) as { message?: string; code?: string };
	return message || code || 'the connection was closed';
}
