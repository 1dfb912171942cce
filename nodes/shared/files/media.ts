import { own } from '../spec/values';

/** The MIME type that a server or n8n tells of a file; empty where it tells none, or one that says nothing. */
export function mediaType(told = ''): string {
	const type = told.split(';', 1).join('').trim().toLowerCase();
	return type.endsWith('/octet-stream') ? '' : type;
}

/** Extensions of media files, by their kind. */
const KINDS: ReadonlyArray<[kind: string, extensions: RegExp]> = [
	['image', /^(png|jpe?g|gif|webp|avif|heic|tiff?|bmp|svg)$/],
	['video', /^(mp4|m4v|mov|qt|webm|mkv|avi|mpe?g)$/],
	['audio', /^(mp3|wav|m4a|flac|ogg|oga|opus|midi?)$/],
];

/** `image`, `video` or `audio`; `undefined` where the extension of a file name is not one of ours. */
export function kindOfFile(name: string): string | undefined {
	const extension = extensionOf(name);
	return KINDS.find(([, extensions]) => extensions.test(extension))?.[0];
}

/** The extension of a file name, in lower case and without the dot; empty where it has none. */
const extensionOf = (name: string) => /\.(\w{1,5})$/.exec(name)?.[1]?.toLowerCase() ?? '';

/** Extensions that are not the end of their MIME type. n8n would call an MP3 `.mpga`. */
const EXTENSIONS: Readonly<Record<string, string>> = {
	'image/jpeg': 'jpg',
	'video/quicktime': 'mov',
	'audio/mpeg': 'mp3',
	'audio/mp4': 'm4a',
};

/** A file name with the extension of its type; where that is not known, with the one in its URL. */
export function mediaFileName(stem: string, type: string, url: string): string {
	const [, ofType] = /^(?:image|video|audio)\/(?:x-)?(\w+)$/.exec(type) ?? [];
	const extension = own<string>(EXTENSIONS, type) ?? ofType ?? extensionOf(lastSegment(url));
	return extension === '' ? stem : `${stem}.${extension}`;
}

/** The name of a file in its URL; empty where that has none. */
export const lastSegment = (url: string) => new URL(url).pathname.split('/').pop() ?? '';

/** The most characters of a text in the name of a file. */
const MAX_SLUG = 40;

/** A prompt as the name of a file: `a-sourdough-loaf`; empty where it has neither letters nor digits. */
export function slugOf(prompt: string): string {
	const slug = (prompt.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join('-');
	if (slug.length <= MAX_SLUG) return slug;
	const end = slug.lastIndexOf('-', MAX_SLUG);
	return slug.slice(0, end > 0 ? end : MAX_SLUG);
}
