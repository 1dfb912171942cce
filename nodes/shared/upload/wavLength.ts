import type { ByteReader } from './byteReader';

/** `RIFF`, a size, `WAVE`. */
const RIFF_HEADER_BYTES = 12;

/** Chunks that are looked at before we give up: others come before the samples, but not many. */
const MAX_CHUNKS = 1000;

/** Sizes from here on are written by programs that do not know it yet (2^31 - 4096, 2^32 - 1). */
const OPEN_SIZE = 0x7fff_f000;

/**
 * The length of a WAV file in seconds, from its chunks `fmt ` and `data`; `undefined` where they do
 * not tell.
 *
 * @param reader at the start of the file
 * @param size of the file in bytes, where it is known
 */
export async function wavLength(reader: ByteReader, size?: number): Promise<number | undefined> {
	let byteRate = 0;
	if (!(await reader.skip(RIFF_HEADER_BYTES))) return undefined;
	for (let count = 0; count < MAX_CHUNKS; count += 1) {
		const header = await reader.read(8);
		if (header.length < 8) return undefined;
		const name = header.toString('latin1', 0, 4);
		const length = header.readUInt32LE(4);
		if (name === 'data') {
			const bytes = sampleBytes(length, reader.position, size);
			return byteRate > 0 && Number.isFinite(bytes) ? bytes / byteRate : undefined;
		}
		if (name === 'fmt ') byteRate = byteRateIn(await reader.peek(12));
		// Chunks start at even offsets.
		if (!(await reader.skip(length + (length % 2)))) return undefined;
	}
	return undefined;
}

/** Bytes of samples: as told, but not more than the file has. */
function sampleBytes(told: number, start: number, size = Infinity): number {
	const isOpen = told === 0 || told >= OPEN_SIZE;
	return Math.min(isOpen ? Infinity : told, size - start);
}

function byteRateIn(format: Buffer): number {
	return format.length < 12 ? 0 : format.readUInt32LE(8);
}
