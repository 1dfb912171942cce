import type { Field, Option } from './types';

/** Fields as several tables have them. */

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

export const toggle = (name: string, label: string, more: Partial<Field> = {}): Field => ({
	name,
	label,
	type: 'toggle',
	presence: 'optional',
	...more,
});
