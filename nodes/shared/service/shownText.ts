import { firstInWords } from '../spec/conditions';

/**
 * Characters that would break a line, act on a terminal or log, or turn text around: controls, line
 * and paragraph separators, directions.
 */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

/** A text of someone else in one line that can be shown, with at most `max` characters. */
export function cleanText(text: string, max = Infinity): string {
	// Cut first as well: a text of megabytes is not worth cleaning.
	const line = text
		.slice(0, max * 4)
		.replace(UNSEEN, ' ')
		.replace(/\s+/g, ' ')
		.trim();
	if (line.length <= max) return line;
	return `${[...line.slice(0, max * 2)].slice(0, max).join('')}…`;
}

/**
 * The text without those characters at its end. In one pass: an expression such as `[ .]+$` is tried
 * anew at every character of a text from outside.
 */
export function trimEnd(text: string, characters: string): string {
	let end = text.length;
	while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
	return text.slice(0, end);
}

/** Entries of an object or a list that are shown, and characters of each. */
const SHOWN_ENTRIES = 10;
const SHOWN_CHARACTERS = 200;

/** Any JSON value of the service for a person to read, such as the `details` of a 400. */
export function inWords(value: unknown): string {
	if (typeof value !== 'object' || value === null) return ownWords(value);
	const names = Array.isArray(value) ? undefined : Object.keys(value);
	const entries = Object.values(value)
		.map((each, index) => ({ name: names?.[index], words: ownWords(each) }))
		.filter(({ words }) => words !== '');
	const shown = entries.map(({ name, words }) =>
		name === undefined ? words : `${cleanText(name, SHOWN_CHARACTERS)}: ${words}`,
	);
	return firstInWords(shown, SHOWN_ENTRIES);
}

/** Of what is in an entry, several texts are the messages of one field; deeper values stay JSON. */
function ownWords(value: unknown): string {
	if (value === undefined || value === null) return '';
	const isTexts = Array.isArray(value) && value.every((each) => typeof each === 'string');
	const text = isTexts ? value.join(' / ') : value;
	return cleanText(typeof text === 'string' ? text : JSON.stringify(text), SHOWN_CHARACTERS);
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
	// What has no host may have a password anywhere.
	return url?.host ? `${url.protocol}//${url.host}${url.pathname}` : '***';
}

/**
 * `undefined` where the text is no address.
 *
 * @param base what a relative one is relative to
 */
export function parseUrl(text: string, base?: string): URL | undefined {
	// Once it is compiled, URL.canParse of Node 20 and 22 refuses hosts such as médias.example.
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}
