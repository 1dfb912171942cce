import type { Values } from '../nodes/shared/spec/conditions.ts';
import type { Condition, Field, Value } from '../test/document.mts';
import type { Served } from './documented.mts';

/** Whether the service has something to work with: an empty text or list counts as missing. */
export function isGiven(value: unknown): boolean {
	return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
}

/** Whether the values meet a condition of the document; a field that is not there meets none. */
export const meets = (condition: Condition | undefined, values: Values): boolean =>
	Object.entries(condition ?? {}).every(([name, allowed]) =>
		[allowed].flat().includes(values[name] as Value),
	);

/** The request as the service reads it: what is sent, over documented defaults. */
export function withDefaults(
	{ fields, fixed }: Pick<Served, 'fields' | 'fixed'>,
	sent: Values,
): Values {
	const defaults = fields.flatMap(({ name, default: value }) =>
		value === undefined ? [] : [[name, value]],
	);
	return { ...Object.fromEntries(defaults), ...fixed, ...sent };
}

const TEXT_READERS: Partial<Record<Field['type'], (text: string) => unknown>> = {
	number: readNumber,
	toggle: (text) => ({ true: true, false: false })[text] ?? text,
};

/**
 * Turns the texts of a query or a form into typed values. What cannot be read stays a text, and is
 * refused as one.
 */
export function readTexts({ fields }: Pick<Served, 'fields'>, texts: Values): Values {
	const types = new Map(fields.map(({ name, type }) => [name, type]));
	const entries = Object.entries(texts).map(([name, value]) => {
		const read = TEXT_READERS[types.get(name) ?? 'text'];
		return [name, read && typeof value === 'string' ? read(value) : value];
	});
	return Object.fromEntries(entries) as Values;
}

function readNumber(text: string): unknown {
	return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
