import type { Field, FieldType, Operation } from '../nodes/shared/spec/types.ts';
import { freeField, namedFields } from './values.mts';

/** A JSON schema. */
export type Schema = Record<string, unknown>;

const URL_SCHEMA: Schema = { type: 'string', pattern: '^https?://[^\\s/]+\\S*$' };

/** Types, value sets and bounds of single values; strict, nothing is converted. */
const TYPE_SCHEMAS: Record<Exclude<FieldType, 'fields'>, (field: Field) => Schema> = {
	text: textSchema,
	textarea: textSchema,
	// How a file travels is for the settings to say.
	upload: () => ({}),
	source: textSchema,
	select: selectSchema,
	toggle: () => ({ type: 'boolean' }),
	number: (field) => ({ type: 'number', ...bounds(field) }),
	integer: (field) => ({ type: 'integer', ...bounds(field) }),
	url: () => URL_SCHEMA,
	urlList: ({ minItems, maxItems }) => ({ type: 'array', items: URL_SCHEMA, minItems, maxItems }),
};

function textSchema({ maxLength }: Field): Schema {
	return { type: 'string', maxLength };
}

function selectSchema({ options = [], openValues, maxLength }: Field): Schema {
	const values = options.map(({ value }) => value);
	if (!openValues) return { enum: values };
	const types = [...new Set(values.map((value) => typeof value))];
	return { type: types.length > 0 ? types : 'string', maxLength };
}

function bounds({ min, max }: Field): Schema {
	return { minimum: min, maximum: max };
}

/** The JSON schema of what an operation is sent. */
export function bodySchema(operation: Operation): Schema {
	const fields = namedFields(operation).map((field) => [
		field.name,
		TYPE_SCHEMAS[field.type](field),
	]);
	const fixed = Object.entries(operation.fixed ?? {}).map(([name, value]) => [
		name,
		{ enum: [value] },
	]);
	return withoutUndefined({
		type: 'object',
		properties: Object.fromEntries([...fields, ...fixed]),
		additionalProperties: freeField(operation) !== undefined,
	});
}

function withoutUndefined(schema: Schema): Schema {
	return JSON.parse(JSON.stringify(schema)) as Schema;
}
