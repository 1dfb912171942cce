import { trimEnd } from '../service/shownText';

interface MediaFormat {
	/** MIME type. */
	mime: string;
	/** Extensions of file names, without the dot, the usual one first; empty where we know none. */
	extensions: readonly string[];
}

/** How many bytes at the start of a file tell its format. */
export const HEAD_BYTES = 64;

type Test = (head: Buffer) => boolean;

/** Whether the bytes from `offset` on are those of the text (one byte a character). */
const has =
	(offset: number, text: string): Test =>
	(head) =>
		head.toString('latin1', offset, offset + text.length) === text;

const allOf =
	(...tests: Test[]): Test =>
	(head) =>
		tests.every((test) => test(head));

const anyOf =
	(...tests: Test[]): Test =>
	(head) =>
		tests.some((test) => test(head));

const brand = (...names: string[]) =>
	allOf(has(4, 'ftyp'), anyOf(...names.map((name) => has(8, name))));

const EBML = '\x1a\x45\xdf\xa3';

/** The sync word of an MPEG audio frame of layer III, with a bit rate and a sampling rate. */
const isMp3Frame: Test = ([first = 0, second = 0, third = 0]) =>
	first === 0xff &&
	(second & 0b1110_0110) === 0b1110_0010 &&
	third >> 4 !== 0b1111 &&
	((third >> 2) & 0b11) !== 0b11;

/** The first one whose test passes counts. */
const FORMATS: ReadonlyArray<MediaFormat & { test: Test }> = [
	{ mime: 'image/png', extensions: ['png'], test: has(0, '\x89PNG') },
	{ mime: 'image/jpeg', extensions: ['jpg', 'jpeg'], test: has(0, '\xff\xd8\xff') },
	{ mime: 'image/gif', extensions: ['gif'], test: has(0, 'GIF8') },
	{ mime: 'image/webp', extensions: ['webp'], test: allOf(has(0, 'RIFF'), has(8, 'WEBP')) },
	{ mime: 'image/avif', extensions: ['avif'], test: brand('avif', 'avis') },
	{
		mime: 'image/heic',
		extensions: ['heic'],
		test: brand('heic', 'heix', 'hevc', 'hevx', 'heim', 'heis', 'mif1', 'msf1'),
	},
	{
		mime: 'image/tiff',
		extensions: ['tif', 'tiff'],
		test: anyOf(has(0, 'II*\0'), has(0, 'MM\0*')),
	},
	{ mime: 'image/bmp', extensions: ['bmp'], test: allOf(has(0, 'BM'), has(6, '\0\0\0\0')) },
	{ mime: 'image/jp2', extensions: ['jp2'], test: has(4, 'jP  ') },
	{ mime: 'image/jxl', extensions: ['jxl'], test: anyOf(has(0, '\xff\x0a'), has(4, 'JXL ')) },
	{ mime: 'audio/mp4', extensions: ['m4a'], test: brand('M4A ', 'M4B ') },
	{ mime: 'video/quicktime', extensions: ['mov', 'qt'], test: brand('qt  ') },
	{ mime: 'video/mp4', extensions: ['mp4', 'm4v'], test: has(4, 'ftyp') },
	{
		mime: 'video/quicktime',
		extensions: ['mov', 'qt'],
		test: anyOf(...['moov', 'mdat', 'wide', 'free', 'skip'].map((box) => has(4, box))),
	},
	{ mime: 'video/x-msvideo', extensions: ['avi'], test: allOf(has(0, 'RIFF'), has(8, 'AVI ')) },
	{ mime: 'video/x-flv', extensions: ['flv'], test: has(0, 'FLV\x01') },
	{ mime: 'video/x-ms-wmv', extensions: ['wmv'], test: has(0, '\x30\x26\xb2\x75') },
	{ mime: 'video/mpeg', extensions: ['mpg', 'mpeg'], test: has(0, '\0\0\x01\xba') },
	{
		mime: 'video/webm',
		extensions: ['webm'],
		test: allOf(has(0, EBML), (head) => head.includes('webm')),
	},
	{ mime: 'video/x-matroska', extensions: ['mkv'], test: has(0, EBML) },
	{ mime: 'audio/wav', extensions: ['wav'], test: allOf(has(0, 'RIFF'), has(8, 'WAVE')) },
	{ mime: 'audio/flac', extensions: ['flac'], test: has(0, 'fLaC') },
	{ mime: 'audio/ogg', extensions: ['ogg', 'oga', 'opus'], test: has(0, 'OggS') },
	{ mime: 'audio/midi', extensions: ['mid', 'midi'], test: has(0, 'MThd') },
	{ mime: 'audio/mpeg', extensions: ['mp3'], test: anyOf(has(0, 'ID3'), isMp3Frame) },
];

const UNKNOWN: MediaFormat = { mime: 'application/octet-stream', extensions: [] };

/**
 * The format of a file: what its first bytes say, else what the server says.
 *
 * @param head its first HEAD_BYTES bytes, or all of it
 */
export function mediaFormat(head: Buffer, contentType = ''): MediaFormat {
	const seen = FORMATS.find(({ test }) => test(head));
	if (seen) return { mime: seen.mime, extensions: seen.extensions };
	const mime = contentType.split(';')[0]?.trim().toLowerCase() ?? '';
	if (!/^[\w.+-]+\/[\w.+-]+$/.test(mime)) return UNKNOWN;
	return { mime, extensions: FORMATS.find((format) => format.mime === mime)?.extensions ?? [] };
}

/** `image`, `video` or `audio`, by extension (lower case, no dot). */
const KINDS = new Map(
	FORMATS.flatMap(({ mime, extensions }) =>
		extensions.map((extension) => [extension, mime.slice(0, mime.indexOf('/'))] as const),
	),
);

/** `image`, `video` or `audio`; `undefined` where a file name's extension is not one of ours. */
export function kindOfFile(name: string): string | undefined {
	return KINDS.get(name.slice(name.lastIndexOf('.') + 1).toLowerCase());
}

/** The most characters of a file name, without its extension. */
const MAX_LENGTH = 100;

/** How many characters at the end of a name are looked at: it can take long to normalize a long text. */
const LOOKED_AT = 1000;

/** What a file may be called, without its extension. */
export interface FileNames {
	/** Made from what the file shows; where that is not known, its URL names it. */
	stem?: string;
	/** For a file whose URL gives no name. */
	fallback: string;
}

/** The name of a downloaded file, made safe, with the extension of the format found. */
export function mediaFileName(
	url: string,
	{ extensions }: MediaFormat,
	{ stem: told, fallback }: FileNames,
): string {
	const ofUrl = safe(lastSegment(url));
	if (told !== undefined) {
		const own = /\.(\w{1,5})$/.exec(ofUrl)?.[1]?.toLowerCase() ?? '';
		const fits = extensions.length === 0 || extensions.includes(own);
		return [told, fits ? own : extensions[0]].filter(Boolean).join('.');
	}
	const name = ofUrl || safe(fallback) || 'media';
	const extension = /\.(\w+)$/.exec(name)?.[1] ?? '';
	const stem = extension === '' ? name : name.slice(0, -extension.length - 1);
	const [usual] = extensions;
	if (usual === undefined || extensions.includes(extension.toLowerCase())) {
		return [shorten(stem), extension].filter(Boolean).join('.');
	}
	// What looks like an extension may be part of the name: "take 1.2".
	return `${shorten(kindOfFile(extension) ? stem : name)}.${usual}`;
}

/** The name of a file in its URL; empty where that has none. */
export function lastSegment(url: string): string {
	const segment = new URL(url).pathname.split('/').pop() ?? '';
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}

/** The most characters of a prompt in the name of a file. */
const MAX_SLUG = 40;

/** A prompt as the name of a file: `a-sourdough-loaf`; empty where it has neither letters nor digits. */
export function slugOf(prompt: string): string {
	const words = prompt
		.slice(0, 5 * MAX_SLUG)
		.normalize('NFC')
		.toLowerCase()
		.split(/[^\p{L}\p{M}\p{N}]+/u)
		.filter(Boolean);
	const slug = words.reduce((name, word) => {
		const longer = name === '' ? word : `${name}-${word}`;
		return longer.length > MAX_SLUG && name !== '' ? name : longer;
	}, '');
	return [...slug].slice(0, MAX_SLUG).join('');
}

/** Keeps letters and digits of any script, and what is harmless on every file system. */
function safe(text: string): string {
	const harmless = text
		.slice(-LOOKED_AT)
		.normalize('NFC')
		.replace(/[^\p{L}\p{M}\p{N} ._()-]+/gu, '_')
		.replace(/^[ ._]+/, '');
	return trimEnd(harmless, ' .');
}

function shorten(text: string): string {
	return [...text].slice(0, MAX_LENGTH).join('').trimEnd();
}
