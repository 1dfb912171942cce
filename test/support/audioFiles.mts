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
	bits?: 16 | 24;
}

interface Mp3Options {
	seconds: number;
	/** kbit/s of the frames, which take these rates in turn. */
	kbps?: readonly number[];
	/** MPEG version; 2 has half the sampling rate. */
	version?: 1 | 2;
	mono?: boolean;
}

const BLOCK_BYTES = 64 * 1024;

/** A WAV file of noise: every block says where it is, so that a missing one is noticed. */
export function wavFile(options: WavOptions): MadeFile {
	const { seconds, sampleRate = 8000, channels = 1, bits = 16 } = options;
	const frameBytes = (channels * bits) / 8;
	const bytes = Math.round(seconds * sampleRate) * frameBytes;
	const format = Buffer.alloc(16);
	format.writeUInt16LE(1, 0);
	format.writeUInt16LE(channels, 2);
	format.writeUInt32LE(sampleRate, 4);
	format.writeUInt32LE(sampleRate * frameBytes, 8);
	format.writeUInt16LE(frameBytes, 12);
	format.writeUInt16LE(bits, 14);
	const content = Buffer.concat([
		Buffer.from('WAVE'),
		riffChunk('fmt ', format),
		riffHeader('data', bytes),
	]);
	const head = Buffer.concat([riffHeader('RIFF', content.length + bytes), content]);
	return joined(head, noise(bytes));
}

/** An MP3 file of silence. */
export function mp3File(options: Mp3Options): MadeFile {
	const { seconds, kbps = [128], version = 1, mono = false } = options;
	const count = Math.round(seconds / FRAME_SECONDS);
	const frames = kbps.map((rate) => mp3Frame(rate, version, mono));
	return repeated(frames, count);
}

/** The files one after the other. */
export function joined(...files: Array<MadeFile | Buffer>): MadeFile {
	const parts = files.map((file) => (Buffer.isBuffer(file) ? ofBytes(file) : file));
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

const ofBytes = (bytes: Buffer): MadeFile => ({ size: bytes.length, chunks: () => [bytes] });

function noise(size: number): MadeFile {
	return {
		size,
		*chunks() {
			for (let at = 0; at < size; at += BLOCK_BYTES) {
				yield Buffer.alloc(Math.min(BLOCK_BYTES, size - at), `block at ${at};`);
			}
		},
	};
}

function repeated(blocks: readonly Buffer[], count: number): MadeFile {
	const block = (index: number) => blocks[index % blocks.length] as Buffer;
	const indices = Array.from({ length: count }, (_, index) => index);
	return {
		size: indices.reduce((sum, index) => sum + block(index).length, 0),
		*chunks() {
			for (const index of indices) yield block(index);
		},
	};
}

const riffChunk = (name: string, content: Buffer) =>
	Buffer.concat([riffHeader(name, content.length), content, Buffer.alloc(content.length % 2)]);

function riffHeader(name: string, size: number): Buffer {
	const header = Buffer.alloc(8);
	header.write(name, 'latin1');
	header.writeUInt32LE(size, 4);
	return header;
}

/** Length of a frame at 48 kHz (MPEG 1) and at 24 kHz (MPEG 2). */
const FRAME_SECONDS = 0.024;

const KBPS = {
	1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
	2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

function mp3Frame(kbps: number, version: 1 | 2, mono: boolean): Buffer {
	const frame = Buffer.alloc((kbps * 1000 * FRAME_SECONDS) / 8);
	frame[0] = 0xff;
	// Layer III, without a checksum.
	frame[1] = version === 1 ? 0xfb : 0xf3;
	frame[2] = (KBPS[version].indexOf(kbps) << 4) | 0b0100;
	frame[3] = mono ? 0xc0 : 0;
	return frame;
}
