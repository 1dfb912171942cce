import { firstInWords } from '../spec/conditions';

/**
 * Characters that would break a line, act on a terminal or log, or reverse text: controls, line and
 * paragraph separators, direction marks.
 */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

/** A text from outside as one line that can be shown, of at most `max` characters. */
export function cleanText(text: string, max = Infinity): string {
	// Cut before as well, so as not to clean megabytes that are not shown.
	const line = text
		.slice(0, max * 4)
		.replace(UNSEEN, ' ')
		.replace(/\s+/g, ' ')
		.trim();
	if (line.length <= max) return line;
	return `${[...line.slice(0, max * 2)].slice(0, max).join('')}…`;
}

/**
 * The text without those characters at its end. In one pass: a regular expression such as `[ .]+$` would be
 * tried anew at every character, and the text may come from outside.
 */
export function trimEnd(text: string, characters: string): string {
	let end = text.length;
	while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
	return text.slice(0, end);
}

/** Sentences after one another, without those that are empty. */
export const sentences = (...texts: ReadonlyArray<string | undefined>): string =>
	texts.filter(Boolean).join(' ');

/** How many entries of an object are shown, and how many characters of each. */
const SHOWN_ENTRIES = 10;
const SHOWN_CHARACTERS = 200;

/** Any JSON value of the service for a person to read, such as the `details` of a 400. */
export function inWords(value: unknown): string {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return asText(value);
	const entries = Object.entries(value).filter(([, each]) => asText(each) !== '');
	const shown = entries.map(([name, each]) =>
		cleanText(`${name}: ${asText(each)}`, SHOWN_CHARACTERS),
	);
	return firstInWords(shown, SHOWN_ENTRIES);
}

/** A list of texts has the messages of one field; deeper values stay JSON. */
function asText(value: unknown): string {
	if (value === undefined || value === null) return '';
	if (Array.isArray(value)) return value.map(asText).join(' / ');
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return cleanText(text, SHOWN_CHARACTERS);
}

/**
 * An address as an error may show it: without user info, query and fragment, which can hold a
 * password or a signature.
 *
 * @param text an address, or what was given for one
 */
export function shownAddress(text: string): string {
	if (!/@|%40/.test(text)) return text.split(/[?#]/, 1).join('');
	const url = parseUrl(text);
	// A text without a host may have a password anywhere.
	return url?.host ? `${url.protocol}//${url.host}${url.pathname}` : '***';
}

/**
 * The URL that a text is; `undefined` where it is none.
 *
 * @param base what a relative address is relative to
 */
export function parseUrl(text: string, base?: string): URL | undefined {
	// In Node 20 and 22, URL.canParse refuses hosts such as médias.example once V8 has compiled the call.
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}
