import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v3';

/** A parameter beside the fields of the service: what the form says of it, and how its value is read. */
export interface Option<T> {
	property: Omit<INodeProperties, 'name'>;
	/** Takes what expressions often give in place of its type. Messages go after the option's name. */
	value: z.ZodType<T, z.ZodTypeDef, unknown>;
}

type Words = Pick<
	INodeProperties,
	'displayName' | 'description' | 'placeholder' | 'displayOptions' | 'noDataExpression'
>;

/** What is in effect where nothing is given. */
const orElse = <T, D>(schema: z.ZodType<T, z.ZodTypeDef, unknown>, byDefault: D) =>
	schema.optional().transform((value) => value ?? byDefault) as z.ZodType<
		T | D,
		z.ZodTypeDef,
		unknown
	>;

/** @param start what the form begins with when the option is added */
export function toggle(words: Words, byDefault: boolean, start = byDefault): Option<boolean> {
	const schema = z.boolean({ invalid_type_error: 'must be true or false' });
	return {
		property: { ...words, type: 'boolean', default: start },
		value: orElse(z.preprocess(booleanIn, schema), byDefault),
	};
}

/** The texts `true` and `false` as what they name; anything else as it is. */
function booleanIn(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	const text = value.trim().toLowerCase();
	return text === 'true' || (text === 'false' ? false : value);
}

export function text(words: Words, byDefault: string): Option<string> {
	const schema = z.string({ invalid_type_error: 'must be a text' }).trim();
	const textIn = (value: unknown) => (typeof value === 'number' ? String(value) : value);
	return {
		property: { ...words, type: 'string', default: byDefault },
		value: orElse(z.preprocess(textIn, schema), byDefault),
	};
}

/** @param choices the first is in effect where none is made */
export function choice<T extends string>(
	words: Words,
	choices: ReadonlyArray<{ name: string; value: T; description: string }>,
): Option<T> {
	const values = choices.map(({ value }) => value) as [T, ...T[]];
	const message = `must be one of ${values.join(', ')}`;
	return {
		property: { ...words, type: 'options', default: values[0], options: [...choices] },
		value: orElse(z.enum(values, { errorMap: () => ({ message }) }), values[0]),
	};
}

interface Bounds {
	/** What is counted. */
	unit: string;
	min: number;
	max?: number;
	isWhole?: boolean;
	/** Less than `min` may be typed, where it is above this. */
	above?: number;
	/** What is said of less, and of more. */
	tooLittle: string;
	tooMuch?: string;
}

/** @param start what the form begins with when the option is added */
export function number<D extends number | undefined>(
	words: Words,
	bounds: Bounds,
	byDefault: D,
	start: number | undefined = byDefault,
): Option<number | D> {
	const { min, max } = bounds;
	return {
		property: {
			...words,
			type: 'number',
			default: start,
			typeOptions: { minValue: min, ...(max === undefined ? {} : { maxValue: max }) },
		},
		value: orElse(z.preprocess(numberIn, numberWithin(bounds)), byDefault),
	};
}

function numberWithin(bounds: Bounds): z.ZodNumber {
	const { unit, min, max, isWhole, above, tooLittle, tooMuch } = bounds;
	const message = `must be a number of ${unit}`;
	const any = z.number({ invalid_type_error: message });
	const counted = isWhole ? any.int('must be a whole number') : any;
	const bounded = above === undefined ? counted.min(min, tooLittle) : counted.gt(above, tooLittle);
	return max === undefined ? bounded.finite(message) : bounded.max(max, tooMuch);
}

const numberIn = (value: unknown) =>
	typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
