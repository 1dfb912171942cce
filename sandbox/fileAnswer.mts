import { READ } from '../nodes/shared/spec/answers.ts';
import type { Answer } from './service.mts';

const PARTIAL_CONTENT = 206;
const RANGE_NOT_SATISFIABLE = 416;

/** Bytes from `first` to `last`, both included. */
interface Part {
	first: number;
	last: number;
}

/**
 * A file, or the part of it that is asked for (RFC 9110, section 14): players and interrupted
 * downloads do so.
 *
 * @param range the Range header; several ranges, and what is none, are answered with the file
 */
export function fileAnswer(bytes: Buffer, contentType: string, range: string | undefined): Answer {
	const size = bytes.length;
	const headers = { 'content-type': contentType, 'accept-ranges': 'bytes' };
	const part = partOf(range, size);
	if (!part) return { status: READ, body: bytes, headers };
	const { first, last } = part;
	if (first > last) {
		const body = Buffer.alloc(0);
		return { status: RANGE_NOT_SATISFIABLE, body, headers: { 'content-range': `bytes */${size}` } };
	}
	return {
		status: PARTIAL_CONTENT,
		body: bytes.subarray(first, last + 1),
		headers: { ...headers, 'content-range': `bytes ${first}-${last}/${size}` },
	};
}

/** `first` is greater than `last` where the file has nothing of what is asked for. */
function partOf(range: string | undefined, size: number): Part | undefined {
	const [, from, to] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
	if (!from && !to) return undefined;
	// `bytes=-500`: the last 500.
	if (!from) return { first: Math.max(0, size - Number(to)), last: size - 1 };
	if (to && Number(to) < Number(from)) return undefined;
	return { first: Number(from), last: Math.min(size - 1, Number(to || size)) };
}
