export type Value = string | number | boolean;

/** Values of a request by field name. */
export type Values = Readonly<Record<string, unknown>>;

/** Holds when every named field has one of the listed values. n8n's own form conditions have this shape. */
export type When = Readonly<Record<string, readonly Value[]>>;

/** Whether a condition holds for these values. */
export const holds = (when: When = {}, values: Values): boolean =>
	Object.entries(when).every(([name, allowed]) => allowed.includes(own(values, name) as Value));

/** Whether it may hold once the fields that have no value have one: an absent value rules nothing out. */
export const mayHold = (when: When, values: Values): boolean =>
	Object.entries(when).every(
		([name, allowed]) => !isOwn(values, name) || allowed.includes(values[name] as Value),
	);

/** Whether there is a value; a text that shows nothing, and a list of nothing, do not count as one. */
export function isFilled(value: unknown): boolean {
	return [value]
		.flat(3)
		.some((one) => (typeof one === 'string' ? !isBlank(one) : one !== undefined && one !== null));
}

/**
 * The value of a name. Names from outside may be those of properties that every object inherits
 * (`constructor`, `toString`), which are not values.
 */
export function own<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
	return isOwn(values, name) ? values[name] : undefined;
}

/** Whether an object has a property of that name, not counting inherited ones. */
export function isOwn(values: object, name: string): boolean {
	return Object.prototype.hasOwnProperty.call(values, name);
}

/** Characters that show nothing, of which some act on a terminal or reverse a text; they come along with copied texts. */
export const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Whether a text shows nothing. */
export const isBlank = (text: string): boolean => text.replace(INVISIBLE, '').trim() === '';

/** The texts `true` and `false`, as sheets and models write them, as booleans; anything else unchanged. */
export function booleanIn(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	const text = value.trim().toLowerCase();
	return text === 'true' || (text === 'false' ? false : value);
}

/** `a, b or c`. */
export function listInWords(values: readonly Value[], last = 'or'): string {
	const texts = values.map(String);
	if (texts.length < 2) return texts.join('');
	return `${texts.slice(0, -1).join(', ')} ${last} ${texts[texts.length - 1]}`;
}

/** `a, b and 3 more`, where there are more than `most` values. */
export function firstInWords(values: readonly Value[], most: number): string {
	const more = values.length - most;
	return listInWords(more > 0 ? [...values.slice(0, most), `${more} more`] : values, 'and');
}

export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** The value of a JSON text; `undefined` when it is none, or nested too deep to be written again, by n8n either. */
export function parseJson(text: string): unknown {
	try {
		const value = JSON.parse(text) as unknown;
		JSON.stringify(value);
		return value;
	} catch {
		return undefined;
	}
}

/** A copy of what can be written as JSON. n8n's own (`deepCopy`) leaves out fields such as `prototype`. */
export const jsonCopy = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** Any JSON object. */
export type Body = Record<string, unknown>;

/** A JSON object; `undefined` for any other value. */
export const objectIn = (value: unknown): Body | undefined =>
	typeof value === 'object' && value !== null && !Array.isArray(value)
		? (value as Body)
		: undefined;
