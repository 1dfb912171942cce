import { trimEnd } from '../service/shownText';

/** Extensions of file names by MIME type, the usual one first. */
const EXTENSIONS: Readonly<Record<string, readonly string[]>> = {
	'image/png': ['png'],
	'image/jpeg': ['jpg', 'jpeg'],
	'image/gif': ['gif'],
	'image/webp': ['webp'],
	'image/avif': ['avif'],
	'image/heic': ['heic'],
	'image/tiff': ['tif', 'tiff'],
	'image/bmp': ['bmp'],
	'image/svg+xml': ['svg'],
	'video/mp4': ['mp4', 'm4v'],
	'video/quicktime': ['mov', 'qt'],
	'video/webm': ['webm'],
	'video/x-matroska': ['mkv'],
	'video/x-msvideo': ['avi'],
	'video/mpeg': ['mpg', 'mpeg'],
	'audio/mpeg': ['mp3'],
	'audio/mp3': ['mp3'],
	'audio/wav': ['wav'],
	'audio/x-wav': ['wav'],
	'audio/mp4': ['m4a'],
	'audio/flac': ['flac'],
	'audio/ogg': ['ogg', 'oga', 'opus'],
	'audio/midi': ['mid', 'midi'],
};

/** The MIME type that a server or n8n tells of a file; empty where it tells none, or one that says nothing. */
export function mediaType(told = ''): string {
	const type = told.split(';', 1).join('').trim().toLowerCase();
	return type.endsWith('/octet-stream') ? '' : type;
}

/** `image`, `video` or `audio`, by extension (lower case, no dot). */
const KINDS = new Map(
	Object.entries(EXTENSIONS).flatMap(([type, extensions]) =>
		extensions.map((extension) => [extension, type.slice(0, type.indexOf('/'))] as const),
	),
);

/** `image`, `video` or `audio`; `undefined` where a file name's extension is not one of ours. */
export function kindOfFile(name: string): string | undefined {
	return KINDS.get(extensionOf(name));
}

/** The extension of a file name, in lower case and without the dot. */
export const extensionOf = (name: string) => name.slice(name.lastIndexOf('.') + 1).toLowerCase();

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

/**
 * The name of a downloaded file, made safe, with the extension of its type.
 *
 * @param type MIME type; empty where it is not known: then the extension in the URL counts
 */
export function mediaFileName(url: string, type: string, { stem, fallback }: FileNames): string {
	const ofUrl = safe(lastSegment(url));
	const [, name = ofUrl, told = ''] = /^(.*)\.(\w{1,5})$/.exec(ofUrl) ?? [];
	const own = told.toLowerCase();
	const extensions = EXTENSIONS[type] ?? [own];
	const extension = extensions.includes(own) ? own : extensions[0];
	const base = stem ?? (shorten(name) || safe(fallback) || 'media');
	return extension ? `${base}.${extension}` : base;
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
