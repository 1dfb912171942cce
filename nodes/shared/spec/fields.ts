import type { Field, FieldType, Option } from './types';

/** Kinds of fields that several tables use. */

/** A field that takes one of several values. */
export const choice = (
	name: string,
	label: string,
	values: ReadonlyArray<string | Option>,
	more: Partial<Field> = {},
): Field => ({
	name,
	label,
	type: 'select',
	presence: 'expected',
	options: values.map((value) => (typeof value === 'string' ? { value } : value)),
	...more,
});

const optional =
	(type: FieldType) =>
	(name: string, label: string, more: Partial<Field> = {}): Field => ({
		name,
		label,
		type,
		presence: 'optional',
		...more,
	});

export const text = optional('text');
export const area = optional('textarea');
export const toggle = optional('toggle');
export const number = optional('number');

/**
 * A text that starts with the one value that the document shows, where it does not say that there are no others.
 *
 * @param more its description says what the value decides
 */
export const shownValue = (
	name: string,
	label: string,
	value: string,
	more: Partial<Field> & { description: string },
): Field =>
	text(name, label, {
		presence: 'expected',
		start: value,
		placeholder: value,
		...more,
		description: `${more.description}. The service documents ${value}, and may take others`,
	});
