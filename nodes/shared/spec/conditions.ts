import type { Field, Operation, RateCondition, Value } from './types';

/** Values of a request by field name. */
export type Values = Readonly<Record<string, unknown>>;

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

/** Whether a text shows nothing: spaces, control and format characters. */
export const isBlank = (text: string): boolean => !VISIBLE.test(text);

const VISIBLE = /[^\s\p{Cc}\p{Cf}]/u;

/** A text without blanks at its ends, those that cannot be seen among them (U+200B, …). */
export function trimmed(text: string): string {
	const start = text.search(VISIBLE);
	let end = text.length;
	while (end > start && !VISIBLE.test(text.charAt(end - 1))) end--;
	return start < 0 ? '' : text.slice(start, end);
}

/** The texts `true` and `false`, as sheets and models write them, as booleans; anything else unchanged. */
export function booleanIn(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	const text = trimmed(value).toLowerCase();
	return text === 'true' || (text === 'false' ? false : value);
}

/** Whether each field named in the condition has a value that it allows. */
export function holds(condition: RateCondition | undefined, values: Values): boolean {
	return Object.entries(condition ?? {}).every(([field, allowed]) =>
		allows(allowed, own(values, field)),
	);
}

/**
 * Whether the values break the condition. A condition on a field that has no value is neither met nor
 * broken.
 */
export function breaks(condition: RateCondition | undefined, values: Values): boolean {
	const isDecided = Object.keys(condition ?? {}).every((field) => own(values, field) !== undefined);
	return isDecided && !holds(condition, values);
}

/** Whether one field's part of a condition allows the value. */
export function allows(allowed: RateCondition[string], value: unknown): boolean {
	if ('not' in allowed) return value !== undefined && !allowed.not.includes(value as Value);
	return allowed.includes(value as Value);
}

/**
 * The condition in the words of the form: `Mode is Image to Video or Video to Video`.
 *
 * @param fields those that the condition is about
 */
export function inWords(condition: RateCondition, fields: readonly Field[]): string {
	return Object.entries(condition)
		.map(([name, allowed]) => {
			const field = fieldNamed({ fields }, name);
			const values = ('not' in allowed ? allowed.not : allowed).map((value) =>
				labelOf(field, value),
			);
			const is = 'not' in allowed ? 'is not' : 'is';
			return `${labelIn({ fields }, name)} ${is} ${listInWords(values)}`;
		})
		.join(' and ');
}

/** The label of a field without its unit, for messages that state its value. */
export const nameOf = ({ label }: Field) => label.replace(/ \(Seconds\)$/, '');

/** That label with the service's name: `Duration (duration)`. */
export const fullNameOf = (field: Field) => `${nameOf(field)} (${field.name})`;

export const isNumeric = ({ type }: Field) => type === 'number' || type === 'integer';

type WithFields = Pick<Operation, 'fields'>;

export const fieldNamed = ({ fields }: WithFields, name: string): Field | undefined =>
	fields.find((field) => field.name === name);

/** The label of the field of that name, without the unit; the name itself where there is no such field. */
export function labelIn(operation: WithFields, name: string): string {
	const field = fieldNamed(operation, name);
	return field ? nameOf(field) : name;
}

/** What the form calls a value of a field. */
function labelOf(field: Field | undefined, value: Value): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	return field?.options?.find((option) => option.value === value)?.label ?? String(value);
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

/** The request as the service will read it: what is sent, over documented defaults. */
export function withDefaults(operation: Operation, values: Values): Values {
	const defaults = operation.fields
		.filter((field) => field.default !== undefined)
		.map((field) => [field.name, field.default]);
	const given = Object.entries(values).filter(([, value]) => value !== undefined);
	return { ...Object.fromEntries(defaults), ...operation.fixed, ...Object.fromEntries(given) };
}
