import type { IExecuteFunctions } from 'n8n-workflow';

import { systemClock } from '../jobs/clock';
import { ServiceError } from '../service/serviceError';
import { audioProblem } from './audioProblem';
import { reasonOf, unreadableFile } from './fileErrors';
import type { FileSource, OpenFile } from './fileSource';
import { inspectAudio } from './inspectAudio';
import { uploadName } from './uploadName';

export type UrlHelpers = Pick<IExecuteFunctions['helpers'], 'httpRequest'>;

/** Bytes at the start of a file that are looked at before it is sent on. */
const START_BYTES = 1024 * 1024;

/** ms within which the start of a file has to be there. */
const START_TIMEOUT_MS = 60_000;

/** A file that is fetched while it is sent. Requests for it carry no credentials. */
export function urlFile(helpers: UrlHelpers, url: string): FileSource {
	return {
		identity: { url },
		open: async (signal) => {
			// Aborting is what closes the connection: n8n's helper wraps a body in a way that
			// destroying it does not.
			const end = new AbortController();
			const stop = signal ? AbortSignal.any([signal, end.signal]) : end.signal;
			const opened = new AbortController();
			const late = overdue(url, AbortSignal.any([stop, opened.signal]));
			return await Promise.race([openUrl(helpers, url, stop, () => end.abort()), late])
				.catch((error: unknown) => {
					end.abort();
					throw error instanceof ServiceError ? error : notFetched(url, reasonOf(error));
				})
				.finally(() => opened.abort());
		},
	};
}

async function openUrl(
	helpers: UrlHelpers,
	url: string,
	signal: AbortSignal,
	close: () => void,
): Promise<OpenFile> {
	const { headers, body } = await ask(helpers, url, signal);
	const told = headers['content-length'];
	const size = told === undefined ? undefined : Number(told);
	const chunks = body[Symbol.asyncIterator]();
	const start = await startOf(chunks).catch((error: unknown) => {
		throw notFetched(url, `it broke off (${reasonOf(error)})`);
	});
	const name = nameIn(url);
	const facts = await inspectAudio(from(start), size);
	const problem = audioProblem(facts, name);
	if (problem !== undefined || !facts.format) throw notFetched(url, `it ${problem}`);
	return {
		name: uploadName(name, facts.format),
		type: facts.format.mime,
		size,
		chunks: from(start, chunks),
		close,
	};
}

/** As n8n's helper gives it. */
interface Answer {
	statusCode: number;
	headers: Record<string, string | undefined>;
	body: AsyncIterable<Buffer> & { on(event: 'error', listener: () => void): void };
}

async function ask(helpers: UrlHelpers, url: string, abortSignal: AbortSignal): Promise<Answer> {
	const answer = (await helpers
		.httpRequest({
			method: 'GET',
			url,
			// Not compressed: the length told is then that of the file.
			headers: { Accept: '*/*', 'Accept-Encoding': 'identity' },
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			timeout: START_TIMEOUT_MS,
			abortSignal,
		})
		.catch((error: unknown) => {
			throw notFetched(url, `its address cannot be reached (${reasonOf(error)})`);
		})) as Answer;
	// An error of a stream that nobody reads any more would end n8n.
	answer.body.on('error', () => {});
	const { statusCode } = answer;
	if (statusCode >= 200 && statusCode <= 299) return answer;
	throw notFetched(url, `its address answered with status ${statusCode}`);
}

async function startOf(chunks: AsyncIterator<Buffer>): Promise<Buffer[]> {
	const start: Buffer[] = [];
	for (let bytes = 0; bytes < START_BYTES; ) {
		const { done, value } = await chunks.next();
		if (done) break;
		bytes += value.length;
		start.push(value);
	}
	return start;
}

async function* from(start: Buffer[], rest?: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
	yield* start;
	for (let next = await rest?.next(); next && !next.done; next = await rest?.next()) {
		yield next.value;
	}
}

/** The address without its query, which may hold a signature. */
const shown = (url: string) => url.replace(/[?#].*$/, '');

function nameIn(url: string): string {
	const segment = new URL(url).pathname.split('/').pop() ?? '';
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}

function notFetched(url: string, reason: string) {
	return unreadableFile(`The file ${shown(url)}`, reason);
}

async function overdue(url: string, signal: AbortSignal): Promise<never> {
	await systemClock.sleep(START_TIMEOUT_MS, signal);
	throw notFetched(url, `nothing arrived within ${START_TIMEOUT_MS / 1000} seconds`);
}
