import { OTHER, otherName } from '../form/fieldProperty';
import { modeName, PAIRS, pairsName } from '../form/freeFields';
import { ADDITIONAL_FIELDS, isUpFront } from '../form/upFront';
import type { Field, Operation, Value } from '../spec/types';
import { isBlank, own, type Values } from '../spec/conditions';

/** Reads a parameter of the node for one item, expressions resolved; `fallback` when unset. */
export type ReadParameter = (name: string, fallback: unknown) => unknown;

/** Stands for a parameter that the form does not show; no expression gives it. */
const NOT_SHOWN = '__mediagen_not_shown__';

/**
 * What the user filled in for an operation, by field name. Empty optional fields are left out, and
 * so is what the form does not show; a field that must not be dropped unawares is `null` where its
 * expression gives nothing, so that it can be refused. A text such as `"5"` from an expression
 * becomes the number or the option that it names. A required field that is not in the form as it
 * stands has its documented default.
 */
export function readValues(operation: Operation, read: ReadParameter): Values {
	const additional = (read(ADDITIONAL_FIELDS, {}) ?? {}) as Record<string, unknown>;
	const known = new Set(operation.fields.flatMap((field) => [field.name, otherName(field)]));
	const unknown = Object.entries(additional).filter(([name]) => !known.has(name));
	const given = operation.fields.map((field) => {
		if (field.type === 'fields') return [field.name, readFreeFields(field, read)];
		const parameter = (name: string) =>
			own(additional, name) ?? (isUpFront(field) ? read(name, NOT_SHOWN) : hidden(field));
		const chosen = parameter(field.name);
		const value = chosen === OTHER ? parameter(otherName(field)) : chosen;
		const isShown = chosen !== NOT_SHOWN;
		const mustBeThere = operation.kind === 'create' && isAlwaysSent(field) && isShown;
		return [field.name, mustBeThere && isEmpty(value) ? null : tidy(field, value)];
	});
	return Object.fromEntries([
		...Object.entries(operation.fixed ?? {}),
		...given.filter(([, value]) => value !== undefined),
		...unknown,
	]);
}

/** What stands for a field of `additionalFields` that was not added. */
const hidden = ({ presence, default: byDefault }: Field) =>
	presence === 'required' ? byDefault : undefined;

/** Whether a field that the form shows is sent whatever it holds. */
const isAlwaysSent = (field: Field) =>
	field.presence === 'expected' || (field.type === 'toggle' && isUpFront(field));

/** Whether there is nothing to be sent. */
function isEmpty(value: unknown): boolean {
	if (typeof value === 'string') return isBlank(value) || value === NOT_SHOWN;
	return value === null || value === undefined;
}

function tidy(field: Field, value: unknown): unknown {
	if (value === null || value === undefined || value === '' || value === NOT_SHOWN) {
		return undefined;
	}
	if (field.type === 'urlList') return urlsIn(value);
	if (field.type === 'select') return optionNamed(field, value) ?? value;
	if (isText(field) && Number.isFinite(value)) return String(value);
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
		typeof entry === 'string' ? urlsInText(entry) : [entry],
	);
	const filled = entries.map((entry) => (typeof entry === 'string' ? entry.trim() : entry));
	const urls = filled.filter((entry) => entry !== '' && entry !== null && entry !== undefined);
	return urls.length === 0 ? undefined : urls;
}

/** A comma may belong to a URL: it separates only where the next one begins. */
function urlsInText(text: string): string[] {
	const urls: string[][] = [];
	for (const part of text.split(',')) {
		const current = urls.at(-1);
		if (current && !/^https?:/i.test(part.trimStart())) current.push(part);
		else urls.push([part]);
	}
	return urls.flatMap((parts) => parts.join(',').split('\n'));
}

/** The JSON object that the user typed, or the pairs as one; anything else as it is. */
function readFreeFields(field: Field, read: ReadParameter): unknown {
	if (read(modeName(field), PAIRS) === PAIRS) {
		const { fields = [] } = read(pairsName(field), {}) as { fields?: Pair[] };
		const given = Object.fromEntries(fields.map(({ name, value }) => [name, value]));
		return fields.length === 0 && field.presence !== 'required' ? undefined : given;
	}
	const value = read(field.name, {});
	return isEmpty(value) ? null : jsonIn(value);
}

/** What a text holds as JSON; a text that is none, and any other value, as it is. */
export function jsonIn(value: unknown): unknown {
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

/** Identifiers may be numbers in records, and titles such as 1984 in tables. */
const isText = ({ type }: Field) => ['text', 'textarea', 'source'].includes(type);
