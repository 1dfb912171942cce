import type { IBinaryData, IBinaryKeyData } from 'n8n-workflow';

import { Batch } from '../jobs/batch';
import { retry } from '../service/retry';
import { DownloadError } from './downloadError';
import { fetchMedia, type Downloading, type MediaFile } from './fetchMedia';

/** A file that could not be downloaded, and why. */
export interface FailedDownload {
	url: string;
	error: string;
}

export interface Downloaded {
	/** `data`, `data_1` …: the number is that of the URL. */
	binary: IBinaryKeyData;
	errors: FailedDownload[];
}

/** ms between one try and the next. */
const PAUSES_MS = [2_000, 8_000];

/** Files of one item that are downloaded at the same time, and at all. */
const AT_ONCE = 3;
const MOST_FILES = 100;

/**
 * Downloads files into n8n's binary data. Never fails: what went wrong with one file is told
 * beside the others.
 *
 * @param propertyName of the first file
 * @param jobId names the files whose URLs do not
 */
export async function downloadMedia(
	urls: readonly string[],
	{ propertyName, jobId }: { propertyName: string; jobId: string },
	downloading: Downloading,
): Promise<Downloaded> {
	const files = urls
		.slice(0, MOST_FILES)
		.map((url, index) => ({ url, fallbackName: numbered(jobId, index) }));
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

/** One entry for all files that are too many. */
function leftOut(urls: readonly string[]): FailedDownload[] {
	const [first] = urls.slice(MOST_FILES);
	if (first === undefined) return [];
	const count = urls.length - MOST_FILES;
	const error = `At most ${MOST_FILES} files of an item are downloaded; left out: ${count}. Their URLs are in the item`;
	return [{ url: first, error }];
}

const numbered = (name: string, index: number) => (index === 0 ? name : `${name}_${index}`);

/** Tries again where that may help: at once it seldom does. */
async function fetchWithRetry(file: MediaFile, downloading: Downloading): Promise<IBinaryData> {
	const pauses = [...PAUSES_MS];
	const pauseAfter = (error: unknown) =>
		error instanceof DownloadError && error.isPassing ? pauses.shift() : undefined;
	return await retry(async () => await fetchMedia(file, downloading), pauseAfter, downloading);
}

function messageOf(error: unknown, { signal }: Downloading): string {
	return signal?.aborted ? 'There was no time left to download it' : (error as Error).message;
}
