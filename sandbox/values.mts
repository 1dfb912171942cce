import type { Values } from '../nodes/shared/spec/values.ts';
import type { Condition, Value } from '../test/document.mts';
import type { Served } from './documented.mts';

/** Whether the service has something to work with: an empty text or list counts as missing. */
export const isGiven = (value: unknown): boolean =>
	value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);

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

/**
 * Turns the texts of a query or a form into typed values. What cannot be read stays a text, and is
 * refused as one.
 */
export function readTexts({ fields }: Pick<Served, 'fields'>, texts: Values): Values {
	const entries = Object.entries(texts).map(([name, value]) => {
		const text = typeof value === 'string' ? value : '';
		const type = fields.find((field) => field.name === name)?.type;
		if (type === 'number' && /^-?\d+(\.\d+)?$/.test(text)) return [name, Number(text)];
		if (type === 'toggle' && /^(true|false)$/.test(text)) return [name, text === 'true'];
		return [name, value];
	});
	return Object.fromEntries(entries) as Values;
}
