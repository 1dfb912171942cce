import type { IExecuteFunctions } from 'n8n-workflow';

import { WOKEN, type Clock } from '../clock/clock';
import { MAX_ANSWER_BYTES, type Cut } from './bodies';

export type Readable = Exclude<
	Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0],
	Buffer | Uint8Array
>;

/** A body as text; only its start where it was cut. */
export interface ReadBody {
	text: string;
	cut?: Cut;
}

/** How many bytes of a body that was cut are kept: enough to show its start. */
const START_BYTES = 4096;

interface Reading {
	timeoutMs: number;
	/** Closes the connection. Destroying the body does not, because of how n8n's helper wraps it. */
	end: AbortController;
	clock: Clock;
	/** Fires when the execution is stopped, which breaks off what is under way. */
	signal?: AbortSignal;
}

/**
 * Reads the body of an answer, within limits of size and time; the time-out of the request no longer
 * counts once its headers are there. If the body is cut, its connection is closed.
 */
export async function readBody(
	body: Readable,
	{ timeoutMs, end, clock, signal }: Reading,
): Promise<ReadBody> {
	// If nobody reads the stream any more, an error of it would end n8n.
	body.on('error', () => {});
	const chunks: Buffer[] = [];
	const done = new AbortController();
	const cut = await Promise.race([
		gather(body, chunks).catch((): Cut => (signal?.aborted ? 'stopped' : 'brokenOff')),
		clock
			.sleep(timeoutMs, done.signal)
			.catch(() => {})
			.then((): Cut => 'timedOut'),
	]);
	done.abort(WOKEN);
	if (cut === undefined) return { text: decoded(Buffer.concat(chunks)) };
	end.abort();
	body.destroy();
	const [first = Buffer.alloc(0)] = chunks;
	return { text: decoded(first.subarray(0, START_BYTES)), cut };
}

async function gather(body: Readable, chunks: Buffer[]): Promise<Cut | undefined> {
	let bytes = 0;
	for await (const chunk of body as AsyncIterable<Buffer>) {
		bytes += chunk.length;
		if (bytes > MAX_ANSWER_BYTES) return 'tooLarge';
		chunks.push(chunk);
	}
	return undefined;
}

/** Encodings by byte order mark, in hex; everything else is UTF-8. */
const ENCODINGS: Readonly<Record<string, string>> = { fffe: 'utf-16le', feff: 'utf-16be' };

function decoded(bytes: Buffer): string {
	const mark = bytes.toString('hex', 0, 2);
	return new TextDecoder(ENCODINGS[mark] ?? 'utf-8').decode(bytes);
}
