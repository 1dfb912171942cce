/** How many bytes are read before a file counts as ended: its header, with any pictures, has to be within these. */
const MAX_BYTES = 32 * 1024 * 1024;

/**
 * Reads a file from its start, only as far as it is asked to. Never holds more than one chunk and the
 * bytes that are peeked at.
 */
export class ByteReader {
	private readonly chunks: AsyncIterator<Buffer>;

	private buffered: Buffer = Buffer.alloc(0);

	/** Bytes that have been read or skipped. */
	position = 0;

	constructor(chunks: AsyncIterable<Buffer>) {
		this.chunks = chunks[Symbol.asyncIterator]();
	}

	/** The next bytes, without reading past them; fewer where the file ends. */
	async peek(count: number): Promise<Buffer> {
		const chunks = [this.buffered];
		for (let { length } = this.buffered; length < count; ) {
			const chunk = await this.receive(length);
			if (!chunk) break;
			chunks.push(chunk);
			length += chunk.length;
		}
		// Joined only once: a file may arrive byte by byte.
		if (chunks.length > 1) this.buffered = Buffer.concat(chunks);
		return this.buffered.subarray(0, count);
	}

	/** The next bytes; fewer where the file ends. */
	async read(count: number): Promise<Buffer> {
		const bytes = await this.peek(count);
		this.take(bytes.length);
		return bytes;
	}

	/** @returns whether there were that many bytes to skip */
	async skip(count: number): Promise<boolean> {
		let left = count;
		while (left > 0) {
			if (this.buffered.length === 0 && (await this.peek(1)).length === 0) return false;
			left -= this.take(Math.min(left, this.buffered.length));
		}
		return true;
	}

	/** Lets go of the file. */
	async close(): Promise<void> {
		await this.chunks.return?.();
	}

	private take(count: number): number {
		this.buffered = this.buffered.subarray(count);
		this.position += count;
		return count;
	}

	/** @param held how many bytes have been received and not read yet */
	private async receive(held: number): Promise<Buffer | undefined> {
		if (this.position + held >= MAX_BYTES) return undefined;
		const { done, value } = await this.chunks.next();
		return done ? undefined : value;
	}
}
