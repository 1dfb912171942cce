import { systemClock } from '../clock/clock';
import { lastSegment } from '../output/mediaFormat';
import { type Asking, type HttpHelpers, openFile, reasonOf } from '../output/openFile';
import type { FileSource, OpenFile } from '../service/request';
import { ServiceError } from '../service/serviceError';
import { shownAddress } from '../service/shownText';
import { audioProblem, inspectAudio, uploadName } from './inspectAudio';
import { unreadableFile } from './requestBody';

/** How many bytes at the start of a file are looked at before it is sent on. */
const START_BYTES = 1024 * 1024;

/** How long the start of a file may take to arrive, in ms. */
const START_TIMEOUT_MS = 60_000;

/**
 * A file that is fetched while it is sent.
 *
 * @param mayBePrivate whether it may be fetched from inside a private network
 */
export function urlFile(helpers: HttpHelpers, url: string, mayBePrivate: boolean): FileSource {
	return {
		identity: { url },
		open: async (signal) => {
			const end = new AbortController();
			const stop = signal ? AbortSignal.any([signal, end.signal]) : end.signal;
			const opened = new AbortController();
			const late = overdue(url, AbortSignal.any([stop, opened.signal]));
			const asking: Asking = {
				helpers,
				mayBePrivate,
				subject: 'its address',
				signal: stop,
				timeoutMs: START_TIMEOUT_MS,
			};
			return await Promise.race([openUrl(url, asking, () => end.abort()), late])
				.catch((error: unknown) => {
					end.abort();
					throw error instanceof ServiceError ? error : notFetched(url, reasonOf(error));
				})
				.finally(() => opened.abort());
		},
	};
}

async function openUrl(url: string, asking: Asking, close: () => void): Promise<OpenFile> {
	const { headers, body } = await openFile(url, asking);
	const told = headers['content-length'];
	const size = told === undefined ? undefined : Number(told);
	const chunks = (body as AsyncIterable<Buffer>)[Symbol.asyncIterator]();
	const start = await startOf(chunks).catch((error: unknown) => {
		throw notFetched(url, `it broke off (${reasonOf(error)})`);
	});
	const name = lastSegment(url);
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

function notFetched(url: string, reason: string) {
	return unreadableFile(`The file ${shownAddress(url)}`, reason);
}

async function overdue(url: string, signal: AbortSignal): Promise<never> {
	await systemClock.sleep(START_TIMEOUT_MS, signal);
	throw notFetched(url, `nothing arrived within ${START_TIMEOUT_MS / 1000} seconds`);
}
