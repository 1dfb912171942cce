import type { IBinaryData, IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { Batch } from '../jobs/batch';
import type { Readable } from '../service/readBody';
import { retry } from '../service/retry';
import { type FileNames, HEAD_BYTES, mediaFileName, mediaFormat } from './mediaFormat';
import { DownloadError, type HttpHelpers, ignore, openFile, reasonOf } from './openFile';

export interface FailedDownload {
	url: string;
	error: string;
}

/** The pauses between tries, in ms. */
const PAUSES_MS = [2_000, 8_000];

/** How many files of one item are downloaded at the same time, and in all. */
const AT_ONCE = 3;
export const MOST_FILES = 100;

/**
 * Downloads files into n8n's binary data. Never fails: what went wrong with one file is returned beside
 * the others.
 *
 * @param propertyName of the first file; that of any other also has the index of its URL: `data_1`
 * @param names what the first file may be called
 */
export async function downloadMedia(
	urls: readonly string[],
	{ propertyName, names }: { propertyName: string; names: FileNames },
	downloading: Downloading,
): Promise<{ binary: IBinaryKeyData; errors: FailedDownload[] }> {
	const files = urls
		.slice(0, MOST_FILES)
		.map((url, index) => ({ url, names: namesOf(names, index) }));
	const results = await new Batch(true).settle(
		files,
		async (file) => await fetchWithRetry(file, downloading),
		AT_ONCE,
	);
	const stored = results.flatMap(
		(result, index): Array<[string, IBinaryData]> =>
			'value' in result ? [[numbered(propertyName, index), result.value]] : [],
	);
	const errors = results.flatMap((result, index): FailedDownload[] =>
		'error' in result
			? [{ url: urls[index] ?? '', error: messageOf(result.error, downloading) }]
			: [],
	);
	return { binary: Object.fromEntries(stored), errors: [...errors, ...leftOut(urls)] };
}

/** One entry for all files above the limit. */
function leftOut(urls: readonly string[]): FailedDownload[] {
	const [first] = urls.slice(MOST_FILES);
	if (first === undefined) return [];
	const count = urls.length - MOST_FILES;
	const error = `At most ${MOST_FILES} files of an item are downloaded; left out: ${count}. Their URLs are in the item`;
	return [{ url: first, error }];
}

/** The names of an item's files; their numbers are as people count: the second has a 2. */
const namesOf = ({ stem, fallback }: FileNames, index: number): FileNames => ({
	...(stem !== undefined && { stem: index === 0 ? stem : `${stem}-${index + 1}` }),
	fallback: numbered(fallback, index),
});

const numbered = (name: string, index: number) => (index === 0 ? name : `${name}_${index}`);

/** Tries again where that may help, after a pause: at once it seldom does. */
async function fetchWithRetry(file: MediaFile, downloading: Downloading): Promise<IBinaryData> {
	const pauses = [...PAUSES_MS];
	const pauseAfter = (error: unknown) =>
		error instanceof DownloadError && error.isPassing ? pauses.shift() : undefined;
	return await retry(async () => await fetchMedia(file, downloading), pauseAfter, downloading);
}

function messageOf(error: unknown, { signal }: Downloading): string {
	return signal?.aborted ? 'There was no time left to download it' : (error as Error).message;
}

type Helpers = HttpHelpers & Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'>;

/** What the downloads of an item share. */
export interface Downloading {
	helpers: Helpers;
	clock: Clock;
	/** Fires when the user stops the execution. */
	signal?: AbortSignal;
	/** Whether addresses inside a private network are downloaded from. */
	mayBePrivate: boolean;
	/** The largest size of a file, in bytes. */
	maxBytes: number;
}

interface MediaFile {
	url: string;
	names: FileNames;
}

/** How long an answer may take to start, in ms. */
const ANSWER_TIMEOUT_MS = 30_000;

/** How long a download may go without anything arriving, in ms. */
const SILENCE_MS = 60_000;

/** How long one file may take, in ms. */
const LONGEST_MS = 3_600_000;

/** How a web page begins, whatever the server calls it. */
const WEB_PAGE = /^\W*<(!doctype )?html/i;

/** What it is that is no media, by what the server calls it or, whatever that is, by how it begins. */
function noMedia(mime: string, begin: string): string | undefined {
	if (mime.startsWith('image/svg')) return undefined;
	if (mime === 'text/html' || WEB_PAGE.test(begin)) return 'a web page';
	if (/[/+]json$/.test(mime) || /^\s*[{[]/.test(begin)) return 'JSON';
	if (/[/+]xml$/.test(mime) || begin.startsWith('<?xml')) return 'XML';
	return mime.startsWith('text/') ? 'a text' : undefined;
}

export const BYTES_OF_MB = 1024 * 1024;

/**
 * Streams one file into n8n's binary data: one try.
 *
 * @throws DownloadError
 */
async function fetchMedia(file: MediaFile, downloading: Downloading): Promise<IBinaryData> {
	const { signal } = downloading;
	const end = new AbortController();
	const transfer: Transfer = {
		...downloading,
		signal: signal ? AbortSignal.any([signal, end.signal]) : end.signal,
		bytes: 0,
	};
	try {
		return await Promise.race([receive(file, transfer), overdue(transfer)]);
	} finally {
		end.abort();
	}
}

interface Transfer extends Downloading {
	/** Ends all that belongs to this try. */
	signal: AbortSignal;
	/** Bytes that have arrived. */
	bytes: number;
}

async function receive({ url, names }: MediaFile, transfer: Transfer) {
	const { helpers, maxBytes } = transfer;
	const subject = 'The media address';
	const asking = { ...transfer, subject, timeoutMs: ANSWER_TIMEOUT_MS };
	const { headers, body } = await openFile(url, asking);
	if (Number(headers['content-length']) > maxBytes) throw tooLarge(maxBytes);

	const head = await headOf(body);
	const format = mediaFormat(head, headers['content-type']);
	const other = noMedia(format.mime, head.toString('latin1'));
	if (other) throw new DownloadError(`${subject} sent ${other}`, false);
	const counted = body.map((chunk: Buffer) => {
		transfer.bytes += chunk.length;
		if (transfer.bytes > maxBytes) throw tooLarge(maxBytes);
		return chunk;
	});
	counted.on('error', ignore);
	const fileName = mediaFileName(url, format, names);
	return await helpers.prepareBinaryData(counted, fileName, format.mime).catch((error: unknown) => {
		throw counted.errored ? brokenOff(counted.errored) : notStored(error);
	});
}

/** Reads the first bytes of a body and puts them back. */
async function headOf(body: Readable): Promise<Buffer> {
	return await new Promise((resolve, reject) => {
		const done = (settle: () => void) => () => {
			body.off('readable', look).off('end', ended).off('error', failed).off('close', failed);
			settle();
		};
		const look = () => {
			// Null until that many bytes have arrived, or all that there are.
			const head = body.read(HEAD_BYTES) as Buffer | null;
			if (head === null) return;
			body.unshift(head);
			done(() => resolve(head))();
		};
		const ended = done(() =>
			reject(new DownloadError('The media address sent an empty file', true)),
		);
		const failed = done(() => reject(brokenOff(body.errored)));
		body.on('readable', look).on('end', ended).on('error', failed).on('close', failed);
	});
}

/** Ends with an error once nothing arrives any more, or the download has taken too long. */
async function overdue(transfer: Transfer): Promise<never> {
	const { clock, signal } = transfer;
	const deadline = clock.elapsed() + LONGEST_MS;
	for (;;) {
		const { bytes } = transfer;
		await clock.sleep(SILENCE_MS, signal);
		if (transfer.bytes === bytes) {
			const message = `The media address sent nothing for ${SILENCE_MS / 1000} seconds`;
			throw new DownloadError(message, true);
		}
		if (clock.elapsed() >= deadline) {
			const message = `The download did not end within ${LONGEST_MS / 60_000} minutes`;
			throw new DownloadError(message, false);
		}
	}
}

function tooLarge(maxBytes: number): DownloadError {
	const limit = `${maxBytes / BYTES_OF_MB} MB`;
	return new DownloadError(
		`The file is larger than ${limit}: raise Options > Max File Size`,
		false,
	);
}

function brokenOff(error: Error | null): DownloadError {
	if (error instanceof DownloadError) return error;
	return new DownloadError(`The download broke off: ${reasonOf(error)}`, true);
}

function notStored(error: unknown): DownloadError {
	return new DownloadError(`n8n could not store the file: ${reasonOf(error)}`, false);
}
