/** The bytes in pieces of that size. */
export async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
