import type { ByteReader } from './byteReader';

/** `ID3`, version, flags and size of a tag. */
const HEADER_BYTES = 10;

/** Skips the tags at the start of a file (ID3v2), pictures included. */
export async function skipTags(reader: ByteReader): Promise<void> {
	for (;;) {
		const bytes = tagBytes(await reader.peek(HEADER_BYTES));
		if (bytes === 0 || !(await reader.skip(bytes))) return;
	}
}

/** Bytes of the tag that starts here, 0 where there is none. Seven bits of a byte count. */
function tagBytes(header: Buffer): number {
	if (header.length < HEADER_BYTES || header.toString('latin1', 0, 3) !== 'ID3') return 0;
	const size = [...header.subarray(6)].reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
	const hasFooter = ((header[5] ?? 0) & 0x10) !== 0;
	return HEADER_BYTES + size + (hasFooter ? HEADER_BYTES : 0);
}
