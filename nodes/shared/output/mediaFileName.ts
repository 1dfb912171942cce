import { trimEnd } from '../service/trimEnd';
import { isMediaExtension, type MediaFormat } from './mediaFormat';

/** Characters of a file name without its extension. */
const MAX_LENGTH = 100;

/** Of a longer name, so many characters of its start and of its end are looked at. */
const LOOKED_AT = 1000;

/**
 * The name of a downloaded file: the last segment of its URL, else the fallback, made safe, with
 * the extension of the format found.
 */
export function mediaFileName(url: string, { extensions }: MediaFormat, fallback: string): string {
	const name = safe(lastSegment(url)) || safe(fallback) || 'media';
	const extension = /\.(\w+)$/.exec(name)?.[1] ?? '';
	const stem = extension === '' ? name : name.slice(0, -extension.length - 1);
	const [usual] = extensions;
	if (usual === undefined || extensions.includes(extension.toLowerCase())) {
		return [shorten(stem), extension].filter(Boolean).join('.');
	}
	// What looks like an extension may be part of the name: "take 1.2".
	return `${shorten(isMediaExtension(extension.toLowerCase()) ? stem : name)}.${usual}`;
}

function lastSegment(url: string): string {
	const segment = new URL(url).pathname.split('/').pop() ?? '';
	try {
		return decodeURIComponent(segment);
	} catch {
		return segment;
	}
}

/** Letters and digits of any script, and what is harmless on every file system. */
function safe(text: string): string {
	const harmless = startAndEnd(text)
		.normalize('NFC')
		.replace(/[^\p{L}\p{M}\p{N} ._()-]+/gu, '_')
		.replace(/^[ ._]+/, '');
	return trimEnd(harmless, ' .');
}

/** To normalize a long text can take much longer than to read it. An extension is at the end. */
function startAndEnd(text: string): string {
	return text.length <= 2 * LOOKED_AT
		? text
		: `${text.slice(0, LOOKED_AT)}${text.slice(-LOOKED_AT)}`;
}

function shorten(text: string): string {
	return [...text].slice(0, MAX_LENGTH).join('').trimEnd();
}
