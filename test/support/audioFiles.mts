import { createHash } from 'node:crypto';

/** A file that is made while it is read, so that a large one takes no memory. */
export interface MadeFile {
	/** Bytes. */
	size: number;
	chunks(): Iterable<Buffer>;
}

interface WavOptions {
	seconds: number;
	/** Samples per second. */
	sampleRate?: number;
	channels?: number;
}

const BLOCK_BYTES = 64 * 1024;

/** A WAV file of noise, with 16 bits a sample. */
export function wavFile({ seconds, sampleRate = 8000, channels = 1 }: WavOptions): MadeFile {
	const frameBytes = channels * 2;
	const bytes = Math.round(seconds * sampleRate) * frameBytes;
	const head = Buffer.alloc(44);
	head.write('RIFF    WAVEfmt ', 'latin1');
	head.writeUInt32LE(bytes + 36, 4);
	head.writeUInt32LE(16, 16);
	head.writeUInt16LE(1, 20);
	head.writeUInt16LE(channels, 22);
	head.writeUInt32LE(sampleRate, 24);
	head.writeUInt32LE(sampleRate * frameBytes, 28);
	head.writeUInt16LE(frameBytes, 32);
	head.writeUInt16LE(16, 34);
	head.write('data', 36, 'latin1');
	head.writeUInt32LE(bytes, 40);
	return joined(head, noise(bytes));
}

/** Frames of silence, without a checksum: layer III of MPEG 1, 128 kbit/s at 48 kHz, 24 ms each. */
const MP3_FRAME = Buffer.alloc(384);
MP3_FRAME.set([0xff, 0xfb, 0x94]);

/** An MP3 file of silence. */
export function mp3File({ seconds }: { seconds: number }): MadeFile {
	return joined(...Array<Buffer>(Math.round(seconds / 0.024)).fill(MP3_FRAME));
}

/** Every block says where it is, so that a missing one is noticed. @param size in bytes; may be `Infinity` */
export function noise(size: number): MadeFile {
	return {
		size,
		*chunks() {
			for (let at = 0; at < size; at += BLOCK_BYTES) {
				yield Buffer.alloc(Math.min(BLOCK_BYTES, size - at), `block at ${at};`);
			}
		},
	};
}

/** The files one after the other. */
export function joined(...files: Array<MadeFile | Buffer>): MadeFile {
	const parts = files.map((file) =>
		Buffer.isBuffer(file) ? { size: file.length, chunks: () => [file] } : file,
	);
	return {
		size: parts.reduce((sum, { size }) => sum + size, 0),
		*chunks() {
			for (const part of parts) yield* part.chunks();
		},
	};
}

export function bytesOf(file: MadeFile): Buffer {
	return Buffer.concat([...file.chunks()]);
}

/** SHA-256 in hex. */
export function sha256Of(file: MadeFile): string {
	const hash = createHash('sha256');
	for (const chunk of file.chunks()) hash.update(chunk);
	return hash.digest('hex');
}
