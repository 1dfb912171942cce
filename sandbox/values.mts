import type { Values } from '../nodes/shared/spec/conditions.ts';
import type { Field, FieldType, Operation } from '../nodes/shared/spec/operation.ts';

/** Fields that are sent in the body of a POST or PUT, or the query of a GET. */
function sentFields({ fields }: Operation): readonly Field[] {
	return fields.filter((field) => field.in !== 'path');
}

type NamedField = Field & { type: Exclude<FieldType, 'fields'> };

/** Those of the sent fields whose names the document shows. */
export function namedFields(operation: Operation): NamedField[] {
	return sentFields(operation).filter((field): field is NamedField => field.type !== 'fields');
}

/** The field that stands for all those that the document does not show, if there are any. */
export function freeField(operation: Operation): Field | undefined {
	return sentFields(operation).find(({ type }) => type === 'fields');
}

/** Whether the service has something to work with: an empty text or list counts as missing. */
export function isGiven(value: unknown): boolean {
	return value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0);
}

const TEXT_READERS: Partial<Record<FieldType, (text: string) => unknown>> = {
	integer: readNumber,
	number: readNumber,
	toggle: (text) => ({ true: true, false: false })[text] ?? text,
};

/**
 * Turns the texts of a query or a form into typed values. What cannot be read stays a text, and is
 * refused as one.
 */
export function readTexts(operation: Operation, texts: Values): Values {
	const types = new Map(sentFields(operation).map(({ name, type }) => [name, type]));
	const entries = Object.entries(texts).map(([name, value]) => {
		const read = TEXT_READERS[types.get(name) ?? 'text'];
		return [name, read && typeof value === 'string' ? read(value) : value];
	});
	return Object.fromEntries(entries) as Values;
}

function readNumber(text: string): unknown {
	return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
