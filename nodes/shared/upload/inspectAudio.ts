import { HEAD_BYTES, mediaFormat } from '../output/mediaFormat';
import {
	MAX_UPLOAD_SECONDS,
	UPLOAD_FORMATS,
	UPLOAD_FORMATS_IN_WORDS,
	type UploadFormat,
} from '../spec/music/fields';
import { ByteReader } from './byteReader';

/** What the bytes of a file say, whatever its name is. */
export interface AudioFacts {
	/** Absent where the file has no format that can be uploaded. */
	format?: UploadFormat;
	/** MIME type; `application/octet-stream` where it is unknown. */
	mime: string;
	/** Length in s, where the header of the file tells it. */
	seconds?: number;
	isEmpty: boolean;
}

/** How many bytes are searched for the frames of an MP3. */
const SEARCHED_BYTES = 64 * 1024;

const WAV = 'audio/wav';
const MP3 = 'audio/mpeg';
const UNKNOWN = 'application/octet-stream';

/**
 * Reads as much of a file as is needed to tell its format and its length, and closes it.
 *
 * @param size of the file in bytes, where it is known
 */
export async function inspectAudio(
	chunks: AsyncIterable<Buffer>,
	size?: number,
): Promise<AudioFacts> {
	const reader = new ByteReader(chunks);
	const facts = await inspect(reader, size).finally(async () => await reader.close());
	return { ...facts, format: UPLOAD_FORMATS.find(({ mime }) => mime === facts.mime) };
}

async function inspect(reader: ByteReader, size?: number): Promise<Omit<AudioFacts, 'format'>> {
	const head = await reader.peek(HEAD_BYTES);
	const isEmpty = head.length === 0;
	const { mime } = mediaFormat(head);
	if (mime === WAV) return { mime, seconds: await wavLength(reader, size), isEmpty };
	if (mime !== MP3 && mime !== UNKNOWN) return { mime, isEmpty };
	await skipTags(reader);
	const bytes = await reader.peek(SEARCHED_BYTES);
	if (hasFrames(bytes, bytes.length < SEARCHED_BYTES)) return { mime: MP3, isEmpty };
	// A file that is nothing but tags is no MP3, and other formats may have such tags as well.
	const isNothingElse = reader.position === size || tagBytes(bytes) > 0;
	if (reader.position === 0 || isNothingElse) return { mime: UNKNOWN, isEmpty };
	const { mime: behind } = mediaFormat(await reader.peek(HEAD_BYTES));
	return { mime: behind === UNKNOWN ? MP3 : behind, isEmpty };
}

/** The rule that a file breaks, in words that go after the field's name; none for a good one. */
export function audioProblem(facts: AudioFacts, name: string): string | undefined {
	const { format, mime, seconds = 0, isEmpty } = facts;
	if (isEmpty) return `must be an audio file, but "${name}" is empty`;
	if (!format)
		return `must be an ${UPLOAD_FORMATS_IN_WORDS} file, but the content of "${name}" is ${mime === UNKNOWN ? 'neither' : mime}`;
	// In whole seconds: encoders add a fraction of one.
	if (Math.floor(seconds) <= MAX_UPLOAD_SECONDS) return undefined;
	return `must not be longer than ${MAX_UPLOAD_SECONDS / 60} minutes (${MAX_UPLOAD_SECONDS} seconds), but "${name}" has ${Math.floor(seconds)} seconds`;
}

/**
 * The name under which a file is uploaded: its own, with the extension of what it is, since a
 * service may go by that.
 */
export function uploadName(name: string, { extension }: UploadFormat): string {
	const own = name.split(/[\\/]/).pop()?.trim() || 'audio';
	return own.toLowerCase().endsWith(`.${extension}`) ? own : `${own}.${extension}`;
}

/** `RIFF`, a size, `WAVE`. */
const RIFF_HEADER_BYTES = 12;

/** How many chunks or tags are read before we give up: some come before the samples, but not many. */
const MAX_CHUNKS = 1000;

/** Sizes from here on are written by programs that do not know the size yet (2^31 - 4096, 2^32 - 1). */
const OPEN_SIZE = 0x7fff_f000;

/**
 * The length of a WAV file in seconds, from its chunks `fmt ` and `data`; `undefined` where they do
 * not tell.
 *
 * @param reader at the start of the file
 * @param size of the file in bytes, where it is known
 */
async function wavLength(reader: ByteReader, size?: number): Promise<number | undefined> {
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
		if (name === 'fmt ') {
			const format = await reader.peek(12);
			byteRate = format.length < 12 ? 0 : format.readUInt32LE(8);
		}
		// Chunks start at even offsets.
		if (!(await reader.skip(length + (length % 2)))) return undefined;
	}
	return undefined;
}

/** How many bytes the samples have: as the header says, but not more than the file has. */
function sampleBytes(told: number, start: number, size = Infinity): number {
	const isOpen = told === 0 || told >= OPEN_SIZE;
	return Math.min(isOpen ? Infinity : told, size - start);
}

/** `ID3`, version, flags and size of a tag. */
const TAG_HEADER_BYTES = 10;

/** Skips the tags at the start of a file (ID3v2), pictures included. */
async function skipTags(reader: ByteReader): Promise<void> {
	for (let count = 0; count < MAX_CHUNKS; count += 1) {
		const bytes = tagBytes(await reader.peek(TAG_HEADER_BYTES));
		if (bytes === 0 || !(await reader.skip(bytes))) return;
	}
}

/** Bytes of the tag that starts here, 0 where there is none. Its size has seven bits in each byte. */
function tagBytes(header: Buffer): number {
	if (header.length < TAG_HEADER_BYTES || header.toString('latin1', 0, 3) !== 'ID3') return 0;
	const size = [...header.subarray(6)].reduce((sum, byte) => sum * 128 + (byte & 0x7f), 0);
	const hasFooter = ((header[5] ?? 0) & 0x10) !== 0;
	return TAG_HEADER_BYTES + size + (hasFooter ? TAG_HEADER_BYTES : 0);
}

/** A frame of MPEG audio, layer III: its size in bytes, header included, and its samples per second. */
type Mp3Frame = Record<'bytes' | 'sampleRate', number>;

/** How many frames in a row show that the bytes are an MP3. */
const ENOUGH_FRAMES = 3;

/** kbit/s by the bits of the header; 0 is the free format, whose frames tell no length. */
const BIT_RATES = {
	mpeg1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
	mpeg2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
};

/** Samples per second in MPEG 1. */
const SAMPLE_RATES = [44_100, 48_000, 32_000];

/** What these are divided by, by the two bits of the version: MPEG 2.5, none, 2, 1. */
const RATE_DIVISORS = [4, undefined, 2, 1];

const FRAME_HEADER_BYTES = 4;

/**
 * Whether frames follow one another without a gap.
 *
 * @param isEnd whether the file ends where the bytes do: a short one may have few frames
 */
function hasFrames(bytes: Buffer, isEnd: boolean): boolean {
	for (let start = bytes.indexOf(0xff); start >= 0; start = bytes.indexOf(0xff, start + 1)) {
		const first = frameAt(bytes, start);
		let [frame, end, count] = [first, start, 0];
		while (frame && frame.sampleRate === first?.sampleRate && count < ENOUGH_FRAMES) {
			count += 1;
			end += frame.bytes;
			frame = frameAt(bytes, end);
		}
		const reachesEnd = isEnd && end === bytes.length;
		if (count === ENOUGH_FRAMES || (reachesEnd && count > 0)) return true;
	}
	return false;
}

function frameAt(bytes: Buffer, at: number): Mp3Frame | undefined {
	if (at + FRAME_HEADER_BYTES > bytes.length) return undefined;
	const header = bytes.readUInt32BE(at);
	const isLayer3 = header >>> 21 === 0x7ff && ((header >>> 17) & 0b11) === 0b01;
	const divisor = RATE_DIVISORS[(header >>> 19) & 0b11];
	const rate = SAMPLE_RATES[(header >>> 10) & 0b11];
	if (!isLayer3 || divisor === undefined || rate === undefined) return undefined;

	const isMpeg1 = divisor === 1;
	const bitRate = (BIT_RATES[isMpeg1 ? 'mpeg1' : 'mpeg2'][(header >>> 12) & 0b1111] ?? 0) * 1000;
	if (bitRate === 0) return undefined;
	const sampleRate = rate / divisor;
	const samples = isMpeg1 ? 1152 : 576;
	const padding = (header >>> 9) & 1;
	const length = Math.floor(((samples / 8) * bitRate) / sampleRate) + padding;
	return { bytes: length, sampleRate };
}
