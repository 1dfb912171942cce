import { listInWords } from '../spec/conditions';
import { cleanText } from './cleanText';

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
	const shown = entries
		.slice(0, SHOWN_ENTRIES)
		.map(({ name, words }) =>
			name === undefined ? words : `${cleanText(name, SHOWN_CHARACTERS)}: ${words}`,
		);
	const more = entries.length - shown.length;
	return listInWords(more > 0 ? [...shown, `${more} more`] : shown, 'and');
}

/** Of what is in an entry, several texts are the messages of one field; deeper values stay JSON. */
function ownWords(value: unknown): string {
	if (value === undefined || value === null) return '';
	const isTexts = Array.isArray(value) && value.every((each) => typeof each === 'string');
	const text = isTexts ? value.join(' / ') : value;
	return cleanText(typeof text === 'string' ? text : JSON.stringify(text), SHOWN_CHARACTERS);
}
