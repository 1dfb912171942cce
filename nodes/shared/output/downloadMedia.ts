import type { IBinaryData, IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';

import { Batch } from '../orders/batch';
import { retry } from '../account/backoff';
import { DownloadError, fetchFile, type Fetching, type HttpHelpers, reasonOf } from './fetchFile';
import { type FileNames, mediaFileName } from './mediaFormat';

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

/** What the downloads of an item share. */
export interface Downloading extends Fetching {
	helpers: HttpHelpers & Pick<IExecuteFunctions['helpers'], 'prepareBinaryData'>;
}

interface MediaFile {
	url: string;
	names: FileNames;
}

/**
 * Streams one file into n8n's binary data: one try.
 *
 * @throws DownloadError
 */
async function fetchMedia({ url, names }: MediaFile, downloading: Downloading) {
	return await fetchFile(url, downloading, async ({ type, body }) => {
		const fileName = mediaFileName(url, type, names);
		// Without a type, n8n goes by the extension.
		return await downloading.helpers
			.prepareBinaryData(body, fileName, type || undefined)
			.catch((error: unknown) => {
				throw new DownloadError(`n8n could not store the file: ${reasonOf(error)}`, false);
			});
	});
}
