import type { MadeFile } from '../../support/audioFiles.mts';

/** A file as a stream gives it. */
export async function* streamOf(file: MadeFile): AsyncGenerator<Buffer> {
	yield* file.chunks();
}

/** The bytes in pieces of that size. */
export async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
