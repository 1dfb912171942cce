import { isWellFormed } from '../spec/conditions';

/**
 * What keeps a value from being sent as it is, as JSON in UTF-8: the rule that it breaks, in words that
 * go after the field's name.
 */
export function unsendableRule(value: unknown): string | undefined {
	if (typeof value === 'string') return isWellFormed(value) ? undefined : HALF_CHARACTER;
	const parts: unknown[] = [];
	try {
		JSON.stringify(value, (name, part: unknown) => {
			parts.push(name, part);
			return part;
		});
	} catch (error) {
		if (!parts.some(isNoJson)) {
			return error instanceof TypeError ? `contains itself: it ${NO_JSON}` : NO_JSON;
		}
	}
	const alien = parts.find(isNoJson);
	if (alien !== undefined) return `has a ${typeof alien}: it ${NO_JSON}`;
	const isHalf = (part: unknown) => typeof part === 'string' && !isWellFormed(part);
	if (parts.some(isHalf)) return HALF_CHARACTER;
	// Behind the value itself and its name, which is empty: another rule says what a field has to be.
	const odd = parts.slice(2).find((part) => typeof part === 'number' && !Number.isFinite(part));
	return odd === undefined ? undefined : `has a number that JSON does not have: ${String(odd)}`;
}

const NO_JSON = 'cannot be written as JSON';

/** JSON would leave it out, or break off. */
const isNoJson = (part: unknown) => ['bigint', 'function', 'symbol'].includes(typeof part);

const HALF_CHARACTER =
	'has half of a character, such as of an emoji: cut the text in another place';
