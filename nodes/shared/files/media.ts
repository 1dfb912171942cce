import { parseUrl, trimEnd } from '../service/shownText';
import { own } from '../spec/conditions';

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
	'image/svg+xml': 'svg',
	'video/quicktime': 'mov',
	'video/x-matroska': 'mkv',
	'video/x-msvideo': 'avi',
	'audio/mpeg': 'mp3',
	'audio/mp4': 'm4a',
	'audio/wave': 'wav',
	'audio/vnd.wave': 'wav',
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
	const start = prompt.slice(0, 5 * MAX_SLUG).normalize('NFC');
	const words = start.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
	const slug = words.reduce((name, word) => {
		const longer = name === '' ? word : `${name}-${word}`;
		return longer.length > MAX_SLUG && name !== '' ? name : longer;
	}, '');
	return [...slug].slice(0, MAX_SLUG).join('');
}

/** Whether a text is an http(s) URL and nothing else. */
export const isUrl = (text: string) =>
	/^https?:\/\/\S+$/i.test(text) && parseUrl(text) !== undefined;

/**
 * This machine and private networks, as `URL` writes them: names that no public server has (RFC 6762, 8375, 2606;
 * ICANN), such as `localhost`, `n8n` and `server.local`, IPv4, and IPv6 with its forms for IPv4. What a public name
 * leads to is left to n8n's own protection (N8N_SSRF_PROTECTION_ENABLED).
 */
const PRIVATE = [
	/^[^.[]+$|\.(localhost|local|internal|home\.arpa|test|invalid|lan|home|corp|intranet|localdomain)$/,
	/^(0|10|127)(\.\d+){3}$/,
	/^(169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))(\.\d+){2}$/,
	/^\[(::|f[cd][\da-f]{2}:|fe[89a-f][\da-f]:)/,
];

/** Whether a URL leads to this machine or into a private network, as it is written; what is no URL does not. */
export function isPrivateUrl(text: string): boolean {
	const host = trimEnd(parseUrl(text)?.hostname ?? '', '.');
	return PRIVATE.some((hosts) => hosts.test(host));
}
