import type { IExecuteFunctions } from 'n8n-workflow';

import { WOKEN, type Clock } from '../clock/clock';
import { MAX_ANSWER_BYTES, type Cut } from './bodies';

export type Readable = Exclude<
	Parameters<IExecuteFunctions['helpers']['prepareBinaryData']>[0],
	Buffer | Uint8Array
>;

/** A body as text; of one that was cut, the start. */
export interface ReadBody {
	text: string;
	cut?: Cut;
}

/** Bytes that are kept of a body that was cut: enough to show its start. */
const START_BYTES = 4096;

interface Reading {
	timeoutMs: number;
	/** Closes the connection: n8n's helper wraps a body in a way that destroying it does not. */
	end: AbortController;
	clock: Clock;
	/** Fires when the execution is stopped, which breaks off what is under way. */
	signal?: AbortSignal;
}

/**
 * Reads the body of an answer, as far as it stays within size and time; the time-out of the request
 * is over when its headers are there. One that is cut is let go of, with its connection.
 */
export async function readBody(
	body: Readable,
	{ timeoutMs, end, clock, signal }: Reading,
): Promise<ReadBody> {
	// An error of a stream that nobody reads any more would end n8n.
	body.on('error', () => {});
	const chunks: Buffer[] = [];
	const done = new AbortController();
	const cut = await Promise.race([
		gather(body, chunks).catch((): Cut => (signal?.aborted ? 'stopped' : 'brokenOff')),
		clock
			.sleep(timeoutMs, done.signal)
			.catch(() => {})
			.then((): Cut => 'tooSlow'),
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

/** By their byte order marks, in hex; everything else is UTF-8. */
const ENCODINGS: Readonly<Record<string, string>> = { fffe: 'utf-16le', feff: 'utf-16be' };

function decoded(bytes: Buffer): string {
	const mark = bytes.toString('hex', 0, 2);
	return new TextDecoder(ENCODINGS[mark] ?? 'utf-8').decode(bytes);
}
