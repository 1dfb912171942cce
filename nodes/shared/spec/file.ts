import type { IBinaryData } from 'n8n-workflow';
import { z } from 'zod/v3';

import { trimmed } from './conditions';
import { type Field, fieldOf, type FileKind, range, required, type Words } from './field';
import { isUrl } from './url';

/*
 * Fields that take files: as the URL of one, as the name of a file of the item, or as the file itself, as an expression
 * hands it over (`{{ $binary.data }}`): n8n's description of it. In the values of a request, the JSON of a description
 * stands for the file as a name does.
 */

interface LinkWords extends Words {
	/** Bounds of a list, in entries. */
	min?: number;
	max?: number;
}

const HOW = 'A URL, or the name of a file (such as data)';

/** A file that the service fetches. */
export const link = (
	name: string,
	label: string,
	description: string,
	media: FileKind['media'],
	words: Words = {},
): Field => ({
	...fieldOf(
		[name, label, description],
		words,
		{ type: 'string', default: '' },
		z.preprocess(urlIn, URL),
		HOW,
	),
	file: { media, sent: 'link' },
});

const PLAIN_LIST = 'URLs or names of files (such as data), one a line';

/** A list of files that the service fetches: a text with one a line, or what an expression returns. */
export function links(
	name: string,
	label: string,
	description: string,
	media: FileKind['media'],
	{ min = 1, max, ...words }: LinkWords = {},
): Field {
	const hasRoom = (list: readonly unknown[]) =>
		list.length >= min && list.length <= (max ?? Infinity);
	const list = z
		.array(URL, { invalid_type_error: 'must be a list of URLs' })
		.refine(hasRoom, (value) => ({
			message: `must have ${range(min, max)} URLs`,
			params: { value },
		}))
		.optional();
	const bounds = [PLAIN_LIST, max && `${range(min, max)} of them`].filter(Boolean).join(', ');
	// One text rather than n8n's list of texts, which cannot show an expression for the whole list.
	const property = { type: 'string' as const, default: '', typeOptions: { rows: 2 } };
	return {
		...fieldOf([name, label, description], words, property, z.preprocess(urlsIn, list), bounds),
		file: { media, sent: 'link' },
	};
}

/** A file that the request carries. */
export const upload = (name: string, label: string, description: string): Field => ({
	...required(
		fieldOf(
			[name, label, description],
			{ placeholder: 'data or https://example.com/track.mp3' },
			// `upload` starts with `data`, where n8n puts a file, and `upload2` with `data2`.
			{ type: 'string', default: `data${name.replace(/^.*\D/, '')}` },
			z.preprocess(urlIn, URL),
			'the name of a binary field, or a URL',
		),
	),
	file: { media: 'audio', sent: 'upload' },
});

/** Another URL, or a second file's name, behind a comma, a semicolon or a bar. */
const ANOTHER = /[,;|]https?:|\.(?:png|jpe?g|webp|mp4|mov|mp3|wav)[,;|][^/?#]*\.[a-z0-9]{3,4}$/i;

/** A text that is not an address may be the name of a file (`withFiles`). */
const URL = z
	.string({ invalid_type_error: 'must be a URL or the name of a binary field, such as data' })
	.refine(
		(value) => (isUrl(value) && !ANOTHER.test(value)) || !value.includes('://'),
		(value) => ({ message: 'must be one URL starting with http(s)://', params: { value } }),
	);

/** The URLs in a list, as an expression may return it, or in a text, which has one a line or commas. */
function urlsIn(value: unknown): unknown {
	const entries: unknown[] = typeof value === 'string' ? urlsInText(value) : [value].flat(2);
	const urls = entries
		.map(urlIn)
		.filter((entry) => entry !== '' && entry !== null && entry !== undefined);
	return urls.length === 0 ? undefined : urls;
}

/** A semicolon or a bar before another URL separates, too. */
const urlsInText = (text: string): string[] =>
	text.split(/\n|[;|]\s*(?=https?:)/i).flatMap(urlsInLine);

/** A comma may belong to a URL, so it separates only before a space or a URL, or after any other text. */
function urlsInLine(line: string): string[] {
	const urls: string[][] = [];
	for (const part of line.trim().replace(/,$/, '').split(',')) {
		const current = urls.at(-1);
		const isPart =
			current && /^\s*https?:/i.test(current[0] ?? '') && !/^(?:\s|https?:)/i.test(part);
		if (isPart) current.push(part);
		else urls.push([part]);
	}
	return urls.map((parts) => parts.join(','));
}

/** A text or a file of the item as one URL, or as what stands for it; anything else unchanged. */
function urlIn(value: unknown): unknown {
	if (isBinaryObject(value)) return nameOfBinary(value);
	return typeof value === 'string' ? urlAlone(value) : value;
}

/**
 * A URL of a list may have the separator behind it, although no other follows. A text that describes a file names none:
 * it may come from outside, and would open any file of n8n.
 */
function urlAlone(text: string): string {
	const alone = trimmed(trimmed(text).replace(/[,;|]$/, ''));
	return binaryNamed(alone) ? JSON.stringify(alone) : alone;
}

function isBinaryObject(value: unknown): value is IBinaryData {
	const { mimeType, id, data, fileName } = Object(value) as Partial<IBinaryData>;
	return (
		typeof mimeType === 'string' && [id, data, fileName].some((one) => typeof one === 'string')
	);
}

/** What stands for the file: what tells it from others, and its content only where n8n does not keep it. */
export function nameOfBinary({ id, data, mimeType, fileName, fileSize }: IBinaryData): string {
	return JSON.stringify({ mimeType, fileName, fileSize, ...(id ? { id } : { data }) });
}

/** The file that a name stands for, if it is such a description. */
export function binaryNamed(name: string): IBinaryData | undefined {
	if (!name.startsWith('{"mimeType":')) return undefined;
	try {
		return JSON.parse(name) as IBinaryData;
	} catch {
		return undefined;
	}
}
