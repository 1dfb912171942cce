import { ADDITIONAL_FIELDS, isAlwaysSent, isUpFront } from '../parameters/names';
import { booleanIn, isBlank, own, trimmed, type Values } from '../spec/conditions';
import type { Field, Operation } from '../spec/types';
import { binaryNamed, isBinaryObject, nameOfBinary } from './binaryObject';
import { InvalidValues } from './validate';

/** Reads a parameter of the node for one item, expressions resolved; `fallback` when unset. */
export type ReadParameter = (name: string, fallback: unknown) => unknown;

/** Stands for a parameter that the form does not show; no expression returns this text. */
const NOT_SHOWN = '__mediagen_not_shown__';

/**
 * What the user filled in for an operation, by field name. Fields that the form does not show are left
 * out, and so are empty ones, unless an empty text means something. A field that must not be dropped
 * unnoticed is `null` where its expression returns nothing, so that it can be refused. A text such as
 * `"5"` from an expression becomes the number or the option that it names. A required field of
 * `additionalFields` that was not added has its documented default.
 */
export function readValues(operation: Operation, read: ReadParameter): Values {
	const additional = collectionIn(read(ADDITIONAL_FIELDS, {}) ?? {});
	const known = new Set(operation.fields.map(({ name }) => name));
	const unknown = Object.entries(additional).filter(([name]) => !known.has(name));
	const given = operation.fields.map((field) => {
		if (field.type === 'fields') return [field.name, jsonIn(read(field.name, NOT_SHOWN))];
		const value =
			own(additional, field.name) ??
			(isUpFront(field) ? read(field.name, NOT_SHOWN) : hidden(field));
		const isShown = value !== NOT_SHOWN;
		const isLost = operation.kind === 'create' && isShown && mustNotBeDropped(field, value);
		return [field.name, isLost ? null : tidy(field, value)];
	});
	return Object.fromEntries([
		...given.filter(([, value]) => value !== undefined),
		...unknown,
		...Object.entries(operation.fixed ?? {}),
	]) as Values;
}

/** The value of a field of `additionalFields` that was not added. */
const hidden = ({ presence, default: byDefault }: Field) =>
	presence === 'required' ? byDefault : undefined;

/**
 * Whether the user would pay for a job without knowing that a value is missing: the expression of a field that stands in
 * the form returns nothing, or a list of nothing, or a field that is always sent is empty. An empty text or an empty list
 * leaves a field out on purpose, and one that is required is asked for anyway.
 */
function mustNotBeDropped(field: Field, value: unknown): boolean {
	if (isAlwaysSent(field)) return isEmpty(value);
	if (field.presence === 'required' || !isUpFront(field)) return false;
	const entries = [value].flat(2);
	return entries.length > 0 && entries.every((one) => one === null || one === undefined);
}

/** Whether there is nothing to send. */
function isEmpty(value: unknown): boolean {
	if (typeof value === 'string') return isBlank(value) || value === NOT_SHOWN;
	return value === null || value === undefined;
}

/** What is sent of a value; `undefined` where there is nothing to send. */
function tidy(field: Field, value: unknown): unknown {
	if (value === '' && field.clearable) return value;
	if (value === null || value === undefined || value === '' || value === NOT_SHOWN) {
		return undefined;
	}
	switch (field.type) {
		case 'urlList':
			return urlsIn(value);
		case 'url':
		case 'upload':
			return urlIn(value) || undefined;
		case 'select':
			return optionIn(field, typeof value === 'string' ? trimmed(value) : value);
		case 'toggle':
			return booleanIn(value);
		case 'number':
		case 'integer':
			return numberIn(value);
		default:
			return isWord(field) && typeof value === 'string' ? trimmed(value) : textOf(value);
	}
}

/** Whether a text is an identifier, or a value of which the document shows one: no space belongs to it. */
const isWord = ({ type, in: place, presence }: Field) =>
	place === 'path' || (type === 'text' && presence === 'expected');

/** A text that names a number, as the number; anything else unchanged. */
function numberIn(value: unknown): unknown {
	const isNumber = typeof value === 'string' && !isBlank(value) && Number.isFinite(Number(value));
	return isNumber ? Number(value) : value;
}

/** The text that a number or a time stands for; any other value unchanged. */
function textOf(value: unknown): unknown {
	if (Number.isFinite(value)) return String(value);
	// A date of JavaScript, or of n8n, such as `$now`.
	const time = Object(value) as { toISOString?(): string; toISO?(): string | null };
	const isTime = typeof time.toISOString === 'function' || typeof time.toISO === 'function';
	return isTime && Number.isFinite(Number(value))
		? (time.toISO?.() ?? time.toISOString?.())
		: value;
}

/** The URLs in a list, as an expression may return it, or in a text, which has one a line or commas. */
function urlsIn(value: unknown): unknown {
	const entries: unknown[] = typeof value === 'string' ? urlsInText(value) : [value].flat(2);
	const urls = entries
		.map(urlIn)
		.filter((entry) => entry !== '' && entry !== null && entry !== undefined);
	return urls.length === 0 ? undefined : urls;
}

/** A text or a file of the item as one URL, or as what stands for it; anything else unchanged. */
function urlIn(value: unknown): unknown {
	if (isBinaryObject(value)) return nameOfBinary(value);
	return typeof value === 'string' ? urlAlone(value) : value;
}

/**
 * A URL of a list may have the separator behind it, although no other follows. A text that describes a file names none:
 * it may come from outside, and would open any file of n8n.
 */
function urlAlone(text: string): string {
	const alone = trimmed(trimmed(text).replace(/[,;|]$/, ''));
	return binaryNamed(alone) ? JSON.stringify(alone) : alone;
}

/** A semicolon or a bar before another URL separates, too. */
const urlsInText = (text: string): string[] =>
	text.split(/\n|[;|]\s*(?=https?:)/i).flatMap(urlsInLine);

/** A comma may belong to a URL, so it separates only before a space or a URL, or after any other text. */
function urlsInLine(line: string): string[] {
	const urls: string[][] = [];
	for (const part of line.trim().replace(/,$/, '').split(',')) {
		const current = urls.at(-1);
		const isPart =
			current && /^\s*https?:/i.test(current[0] ?? '') && !/^(?:\s|https?:)/i.test(part);
		if (isPart) current.push(part);
		else urls.push([part]);
	}
	return urls.map((parts) => parts.join(','));
}

/** The option that a value names; any other value unchanged. */
function optionIn({ options = [] }: Field, value: unknown): unknown {
	// `String` throws for an object that has no text form.
	if (typeof value === 'object') return value;
	return options.find((option) => String(option.value) === String(value))?.value ?? value;
}

/**
 * The value of a JSON text, `null` for nothing, `undefined` where the form does not show the field; a text that is not
 * JSON, and any other value, unchanged.
 */
function jsonIn(given: unknown): unknown {
	if (given === NOT_SHOWN) return undefined;
	if (given === undefined || (typeof given === 'string' && isBlank(given))) return null;
	if (typeof given !== 'string') return given;
	try {
		return JSON.parse(given) as unknown;
	} catch {
		return given;
	}
}

/** @throws InvalidValues when an expression returns something that is not a collection */
function collectionIn(given: unknown): Record<string, unknown> {
	if (typeof given === 'object' && !Array.isArray(given)) return given as Record<string, unknown>;
	const message = `Additional Fields must be a collection, but is ${JSON.stringify(given)?.slice(0, 60)}`;
	throw new InvalidValues([{ field: ADDITIONAL_FIELDS, message }]);
}
