import type { ByteReader } from './byteReader';
import { findFrames, type Mp3Frame } from './mp3Frames';

/** Bytes that are searched for frames. */
const SEARCHED_BYTES = 64 * 1024;

/** `ID3`, version, flags and size of a tag. */
const TAG_HEADER_BYTES = 10;

/** Skips the tags at the start of a file (ID3v2), pictures included. */
export async function skipTags(reader: ByteReader): Promise<void> {
	for (;;) {
		const bytes = tagBytes(await reader.peek(TAG_HEADER_BYTES));
		if (bytes === 0 || !(await reader.skip(bytes))) return;
	}
}

/**
 * What can be told of an MP3: its length in seconds, or that it does not tell; `undefined` where
 * no frames of an MP3 are found.
 *
 * @param reader behind the tags
 * @param size of the file in bytes, where it is known
 */
export async function mp3Length(
	reader: ByteReader,
	size?: number,
): Promise<{ seconds?: number } | undefined> {
	const start = reader.position;
	const bytes = await reader.peek(SEARCHED_BYTES);
	const frames = findFrames(bytes, bytes.length < SEARCHED_BYTES);
	const [first] = frames;
	if (!first) return undefined;
	const count = frameCount(bytes, first);
	if (count !== undefined) return { seconds: (count * first.samples) / first.sampleRate };
	const isConstant = frames.every(({ bitRate }) => bitRate === first.bitRate);
	if (!isConstant || size === undefined) return {};
	return { seconds: ((size - start - first.at) * 8) / first.bitRate };
}

/** Bytes of the tag that starts here, 0 where there is none. Seven bits of a byte count. */
function tagBytes(header: Buffer): number {
	if (header.length < TAG_HEADER_BYTES || header.toString('latin1', 0, 3) !== 'ID3') return 0;
	const size = [...header.subarray(6)].reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
	const hasFooter = ((header[5] ?? 0) & 0x10) !== 0;
	return TAG_HEADER_BYTES + size + (hasFooter ? TAG_HEADER_BYTES : 0);
}

/** Number of frames, where the first frame is one that tells it (Xing, Info or VBRI). */
function frameCount(bytes: Buffer, { at, sideBytes }: Mp3Frame): number | undefined {
	const tells = (name: string, offset: number) =>
		bytes.toString('latin1', offset, offset + 4) === name && offset + 18 <= bytes.length;
	const xing = at + 4 + sideBytes;
	// Bit 0 of the flags after the name: the number of frames comes next.
	if ((tells('Xing', xing) || tells('Info', xing)) && (bytes.readUInt32BE(xing + 4) & 1) === 1) {
		return bytes.readUInt32BE(xing + 8) || undefined;
	}
	const vbri = at + 4 + 32;
	return tells('VBRI', vbri) ? bytes.readUInt32BE(vbri + 14) || undefined : undefined;
}
