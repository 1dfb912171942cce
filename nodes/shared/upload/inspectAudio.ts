import { HEAD_BYTES, mediaFormat } from '../output/mediaFormat';
import { UPLOAD_FORMATS, type UploadFormat } from '../spec/music/uploads';
import { ByteReader } from './byteReader';
import { mp3Length, skipTags } from './mp3Length';
import { wavLength } from './wavLength';

/** What the bytes of a file say, whatever its name is. */
export interface AudioFacts {
	/** None where it is of no format that can be uploaded. */
	format?: UploadFormat;
	/** MIME type; that of any bytes where it is unknown. */
	mime: string;
	/** Length, where the file's header tells it. */
	seconds?: number;
	isEmpty: boolean;
}

/** Bytes after which the header of a file is no longer looked for, its pictures included. */
const MAX_BYTES = 32 * 1024 * 1024;

const MP3 = 'audio/mpeg';
const UNKNOWN = 'application/octet-stream';

type Length = (reader: ByteReader, size?: number) => Promise<number | undefined>;

/** Formats whose length is read at the start of the file. */
const LENGTHS: Readonly<Record<string, Length>> = { 'audio/wav': wavLength };

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
	if (mime !== MP3 && mime !== UNKNOWN) {
		return { mime, seconds: await LENGTHS[mime]?.(reader, size), isEmpty };
	}
	await skipTags(reader);
	const found = await mp3Length(reader, size);
	if (found) return { mime: MP3, ...found, isEmpty };
	// A file that is nothing but a tag is no MP3, and other formats may have such tags as well.
	if (reader.position === 0 || reader.position === size) return { mime: UNKNOWN, isEmpty };
	const { mime: behind } = mediaFormat(await reader.peek(HEAD_BYTES));
	return { mime: behind === UNKNOWN ? MP3 : behind, isEmpty };
}
