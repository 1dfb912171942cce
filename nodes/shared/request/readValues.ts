import { OTHER, otherName } from '../form/fieldProperty';
import { modeName, PAIRS, pairsName } from '../form/freeFields';
import { ADDITIONAL_FIELDS, isUpFront } from '../form/operationProperties';
import type { Field, Operation, Value } from '../spec/types';
import type { Values } from '../spec/conditions';

/** Reads a parameter of the node for one item, expressions resolved; `fallback` when unset. */
export type ReadParameter = (name: string, fallback: unknown) => unknown;

/**
 * What the user filled in for an operation, by field name. Empty optional fields are left out;
 * a text such as `"5"` from an expression becomes the number or the option that it names.
 */
export function readValues(operation: Operation, read: ReadParameter): Values {
	const additional = (read(ADDITIONAL_FIELDS, {}) ?? {}) as Record<string, unknown>;
	const known = new Set(operation.fields.flatMap((field) => [field.name, otherName(field)]));
	const unknown = Object.entries(additional).filter(([name]) => !known.has(name));
	const given = operation.fields.map((field) => {
		if (field.type === 'fields') return [field.name, readFreeFields(field, read)];
		const parameter = (name: string) =>
			additional[name] ?? (isUpFront(field) ? read(name, undefined) : undefined);
		const value = parameter(field.name);
		return [field.name, tidy(field, value === OTHER ? parameter(otherName(field)) : value)];
	});
	return Object.fromEntries([
		...Object.entries(operation.fixed ?? {}),
		...given.filter(([, value]) => value !== undefined),
		...unknown,
	]);
}

function tidy(field: Field, value: unknown): unknown {
	if (value === null || value === undefined || value === '') return undefined;
	if (field.type === 'urlList') return urlsIn(value);
	if (field.type === 'select') return optionNamed(field, value) ?? value;
	if (typeof value !== 'string') return value;
	if (isNumeric(field) && value.trim() !== '' && Number.isFinite(Number(value))) {
		return Number(value);
	}
	if (field.type === 'toggle' && ['true', 'false'].includes(value)) return value === 'true';
	return value;
}

/** Several URLs, an expression that gives an array, or a text with commas or lines between them. */
function urlsIn(value: unknown): unknown {
	const entries = (Array.isArray(value) ? value.flat() : [value]).flatMap((entry: unknown) =>
		typeof entry === 'string' ? entry.split(/\s*(?:,\s*(?=https?:)|\n)\s*/i) : [entry],
	);
	const filled = entries.map((entry) => (typeof entry === 'string' ? entry.trim() : entry));
	const urls = filled.filter((entry) => entry !== '' && entry !== null && entry !== undefined);
	return urls.length === 0 ? undefined : urls;
}

/** The JSON object that the user typed, or the pairs as one; anything else as it is. */
function readFreeFields(field: Field, read: ReadParameter): unknown {
	if (read(modeName(field), PAIRS) === PAIRS) {
		const { fields = [] } = read(pairsName(field), {}) as { fields?: Pair[] };
		const given = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
		return fields.length === 0 && field.presence !== 'required' ? undefined : given;
	}
	const value = read(field.name, {});
	if (typeof value !== 'string') return value;
	try {
		return JSON.parse(value) as unknown;
	} catch {
		return value;
	}
}

interface Pair {
	name: string;
	value: unknown;
}

function optionNamed(field: Field, value: unknown): Value | undefined {
	return field.options?.find((option) => String(option.value) === String(value))?.value;
}

const isNumeric = ({ type }: Field) => type === 'number' || type === 'integer';
