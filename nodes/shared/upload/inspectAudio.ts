import { HEAD_BYTES, mediaFormat } from '../output/mediaFormat';
import { UPLOAD_FORMATS, type UploadFormat } from '../spec/music/uploads';
import { ByteReader } from './byteReader';
import { skipTags } from './id3Tags';
import { findFrames } from './mp3Frames';
import { wavLength } from './wavLength';

/** What the bytes of a file say, whatever its name is. */
export interface AudioFacts {
	/** None where it is of no format that can be uploaded. */
	format?: UploadFormat;
	/** MIME type; that of any bytes where it is unknown. */
	mime: string;
	/** Length, where the header of the file tells it. */
	seconds?: number;
	/** What it may be where nothing tells it, by size and bit rate. */
	roughSeconds?: number;
	isEmpty: boolean;
}

/** Bytes after which the header of a file is no longer looked for, its pictures included. */
const MAX_BYTES = 32 * 1024 * 1024;

/** Bytes that are searched for the frames of an MP3. */
const SEARCHED_BYTES = 64 * 1024;

const WAV = 'audio/wav';
const MP3 = 'audio/mpeg';
const UNKNOWN = 'application/octet-stream';

/**
 * Reads as much of a file as is needed to tell its format and its length, and lets go of it.
 *
 * @param size of the file in bytes, where it is known
 */
export async function inspectAudio(
	chunks: AsyncIterable<Buffer>,
	size?: number,
): Promise<AudioFacts> {
	const reader = new ByteReader(chunks, MAX_BYTES);
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
	const frames = findFrames(bytes, bytes.length < SEARCHED_BYTES);
	if (frames.length > 0) {
		const bitRate = Math.max(...frames.map((frame) => frame.bitRate));
		const roughSeconds = size && ((size - reader.position) * 8) / bitRate;
		return { mime: MP3, roughSeconds, isEmpty };
	}
	// A file that is nothing but a tag is no MP3, and other formats may have such tags as well.
	if (reader.position === 0 || reader.position === size) return { mime: UNKNOWN, isEmpty };
	const { mime: behind } = mediaFormat(await reader.peek(HEAD_BYTES));
	return { mime: behind === UNKNOWN ? MP3 : behind, isEmpty };
}
