import type { IBinaryData } from 'n8n-workflow';

import { isFilled, parseJson } from './values';
import { type Field, fieldOf, type FileKind, type Reading, required, type Words } from './field';
import { isUrl } from './url';

/*
 * Fields that take files: as the URL of one, as the name of a file of the item, or as the file itself, as an expression
 * hands it over (`{{ $binary.data }}`): n8n's description of it. In the values of a request, the JSON of a description
 * stands for the file as a name does.
 */

const HOW = 'A URL, or the name of a file (such as data)';

/** A file that the service fetches. */
export const link = (
	name: string,
	label: string,
	description: string,
	media: FileKind['media'],
	words: Words = {},
): Field => ({
	...fieldOf([name, label, description], words, { type: 'string', default: '' }, readUrl, HOW),
	file: { media, sent: 'link' },
});

const PLAIN_LIST = 'URLs or names of files (such as data), one a line';

/** A list of files that the service fetches: a text with one a line, or what an expression returns. */
export function links(
	name: string,
	label: string,
	description: string,
	media: FileKind['media'],
	{ max = Infinity, ...words }: Words & { max?: number } = {},
): Field {
	const read = (given: unknown): Reading => {
		const entries = entriesIn(given).map(readUrl);
		const bad = entries.find(({ broken }) => broken);
		if (bad) return bad;
		const value = entries.map((entry) => entry.value);
		return { value, ...(value.length > max && { broken: `must have 1 to ${max} URLs` }) };
	};
	const bounds = max === Infinity ? PLAIN_LIST : `${PLAIN_LIST}, 1 to ${max} of them`;
	// One text rather than n8n's list of texts, which cannot show an expression for the whole list.
	const property = { type: 'string' as const, default: '', typeOptions: { rows: 2 } };
	return {
		...fieldOf([name, label, description], { place: 'optional', ...words }, property, read, bounds),
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
			readUrl,
			'the name of a binary field, or a URL',
		),
	),
	file: { media: 'audio', sent: 'upload' },
});

/** Another URL, or a second file's name, behind a comma, a semicolon or a bar. */
const ANOTHER = /[,;|]https?:|\.(?:png|jpe?g|webp|mp4|mov|mp3|wav)[,;|][^/?#]*\.[a-z0-9]{3,4}$/i;

/** One URL, or what stands for a file of the item: a text that is no address may be the name of one (`withFiles`). */
function readUrl(given: unknown): Reading {
	if (isBinaryObject(given)) return { value: nameOfBinary(given) };
	if (typeof given !== 'string') return { value: given, broken: NO_URL };
	const value = given.trim().replace(/\s*[,;|]$/, '');
	// A text that describes a file names none: it may come from outside, and would open any file of n8n.
	if (binaryNamed(value)) return { value: JSON.stringify(value) };
	const isOne = (isUrl(value) && !ANOTHER.test(value)) || !value.includes('://');
	return { value, ...(!isOne && { broken: 'must be one URL starting with http(s)://' }) };
}

const NO_URL = 'must be a URL or the name of a binary field, such as data';

/** The entries of a list, as an expression may return it, or of a text. A comma within a URL belongs to it. */
function entriesIn(given: unknown): unknown[] {
	const entries: unknown[] =
		typeof given === 'string' ? given.split(/\n|[,;|](?=\s|https?:)/i) : [given].flat(2);
	return entries.filter((entry) => isFilled(entry));
}

function isBinaryObject(value: unknown): value is IBinaryData {
	const { mimeType, id, data, fileName } = Object(value) as Partial<IBinaryData>;
	return (
		typeof mimeType === 'string' && [id, data, fileName].some((one) => typeof one === 'string')
	);
}

/** What stands for the file: what tells it from others, and its content only where n8n does not keep it. */
function nameOfBinary({ id, data, mimeType, fileName, fileSize }: IBinaryData): string {
	return JSON.stringify({ mimeType, fileName, fileSize, ...(id ? { id } : { data }) });
}

/** The file that a name stands for, if it is such a description. */
export function binaryNamed(name: string): IBinaryData | undefined {
	return name.startsWith('{"mimeType":') ? (parseJson(name) as IBinaryData | undefined) : undefined;
}
