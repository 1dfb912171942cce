import type { INodeProperties } from 'n8n-workflow';

import { PROMPT_FIELD } from './answers';
import {
	booleanIn,
	capitalized,
	holds,
	isBlank,
	objectIn,
	own,
	parseJson,
	type Value,
	type Values,
	type When,
} from './values';

/**
 * A field of the service is a parameter of n8n: each constructor here makes what the form shows of it, and how its
 * value is read and checked. The node's own options are made with the same constructors.
 */

/**
 * - `required`: the service answers 400 without it.
 * - `always`: sent as the form has it, which begins with a value.
 * - `optional`: a text that may stay empty, and is left out then.
 * - `more`: in *Additional Fields*, and sent only if a person adds it.
 */
type Place = 'required' | 'always' | 'optional' | 'more';

/** What a file field takes, and whether the service fetches it (`link`) or the request carries it (`upload`). */
export interface FileKind {
	media: 'image' | 'video' | 'audio';
	sent: 'link' | 'upload';
}

/** What is sent of a value; or, if it breaks a rule, the part that does, and the rule, which follows the field's name. */
export interface Reading {
	value: unknown;
	broken?: string;
}

export interface Field {
	/** Exactly the service's name for it. */
	name: string;
	label: string;
	place: Place;
	/** The form shows it only then, and only then it is required, and sent. */
	when?: When;
	/** The document's default, which stands in for the field where it is not sent. */
	byDefault?: Value;
	file?: FileKind;
	property: Omit<INodeProperties, 'name' | 'displayName'>;
	/** Reads a value that is there; it may be what an expression returns in place of the field's type. */
	read: (given: unknown) => Reading;
	/** Where it is sent, if not under its name in the body or query: in the path, or under a name set in the credential. */
	sentAs?: 'path' | { openPoint: string };
}

/** What can be said of every kind of field, beside its name, its label and the sentence that describes it. */
export interface Words extends Pick<Partial<Field>, 'place' | 'when' | 'byDefault' | 'sentAs'> {
	/** An example, shown while a text is empty. */
	placeholder?: string;
	/** What the form begins with; where absent, the document's default, or the first or lowest value. */
	start?: Value;
}

/** A field without which the service answers 400. */
export const required = (field: Field): Field => ({ ...field, place: 'required' });

/** Fields that few people set. */
export const more = (...fields: Field[]): Field[] =>
	fields.map((field) => ({ ...field, place: 'more' }));

/** What every field has: the service's name, the form's label, and one sentence for the form, which may be empty. */
type Named = readonly [name: string, label: string, description: string];

/**
 * A field of any kind.
 *
 * @param bounds what it takes, which goes after its description
 */
export function fieldOf(
	[name, label, description]: Named,
	words: Words,
	property: Field['property'],
	read: Field['read'],
	bounds = '',
): Field {
	const { placeholder, start, ...rest } = words;
	const text = [description, capitalized(bounds)].filter(Boolean).join('. ');
	return {
		place: 'always',
		...rest,
		name,
		label,
		property: {
			...property,
			default: start ?? rest.byDefault ?? property.default,
			...(placeholder !== undefined && { placeholder: `e.g. ${placeholder}` }),
			...(text && { description: text }),
		},
		read,
	};
}

interface TextWords extends Words {
	/** In characters. */
	max?: number;
	/** Lines of the box; one unless said otherwise. */
	rows?: number;
	/** Hidden in the form, and left out of messages. */
	isSecret?: boolean;
	/** An identifier, or a word of the service, to which no space belongs. */
	isWord?: boolean;
}

const OBJECT_IN_TEXT =
	'has [object Object] where an object stood: name the field of the object that has the text';

export function text(
	name: string,
	label: string,
	description: string,
	given: TextWords = {},
): Field {
	const { max = Infinity, rows, isSecret, isWord = false, ...words } = given;
	const typeOptions = { ...(rows && { rows }), ...(isSecret && { password: true }) };
	const hasOptions = Object.keys(typeOptions).length > 0;
	const read = (raw: unknown): Reading => {
		const value = isWord ? asWord(raw) : asText(raw);
		if (typeof value !== 'string') return { value, broken: 'must be a text' };
		if (value.includes('[object Object]')) return { value, broken: OBJECT_IN_TEXT };
		const isLong = [...value].length > max;
		return { value, ...(isLong && { broken: `must have at most ${max} characters` }) };
	};
	return fieldOf(
		[name, label, description],
		{ place: 'optional', ...words },
		{ type: 'string', default: '', ...(hasOptions && { typeOptions }) },
		read,
		max === Infinity ? '' : `at most ${max} characters`,
	);
}

/** A number as text; any other value unchanged. */
const asText = (value: unknown) => (Number.isFinite(value) ? String(value) : value);

/** The same, without white space around it. */
function asWord(value: unknown): unknown {
	const text = asText(value);
	return typeof text === 'string' ? text.trim() : text;
}

/** A text of several lines. */
export const area = (
	name: string,
	label: string,
	description: string,
	words: TextWords = {},
): Field => text(name, label, description, { rows: 4, ...words });

/** A text that starts with the one value that the document shows, where it does not say that there are no others. */
export const shownValue = (
	name: string,
	label: string,
	description: string,
	value: string,
): Field =>
	text(name, label, `${description}. The service documents ${value}, and may take others`, {
		place: 'always',
		start: value,
		placeholder: value,
		isWord: true,
	});

/** The values of a dropdown, with what it calls them and, for some, what it says of them; or those that it shows as they are. */
export type Choices =
	| readonly string[]
	| Readonly<Record<string, string | readonly [label: string, help: string]>>;

/** One of several values; the form begins with the first. */
export function choice(
	name: string,
	label: string,
	description: string,
	choices: Choices,
	words: Words = {},
): Field {
	const shown: Array<[value: string, as: string | readonly string[]]> = Array.isArray(choices)
		? choices.map((value: string) => [value, value])
		: Object.entries(choices);
	const known = shown.map(([value]) => value);
	const options = shown.map(([value, as]) => {
		const [shownAs = value, help] = [as].flat();
		return { name: shownAs, value, ...(help !== undefined && { description: help }) };
	});
	const read = (raw: unknown): Reading => {
		const value = asWord(raw);
		if (known.includes(value as string)) return { value };
		return { value: raw, broken: `must be one of ${known.join(', ')}` };
	};
	return fieldOf(
		[name, label, description],
		words,
		{ type: 'options', default: known[0] ?? '', options },
		read,
	);
}

interface NumberWords extends Words {
	min?: number;
	max?: number;
	step?: number;
	isWhole?: boolean;
}

export function number(
	name: string,
	label: string,
	description: string,
	given: NumberWords = {},
): Field {
	const { min, max, step, isWhole = false, ...words } = given;
	const typeOptions = {
		...(min !== undefined && { minValue: min }),
		...(max !== undefined && { maxValue: max }),
		...(step !== undefined && { numberStepSize: step }),
		...(isWhole && { numberPrecision: 0 }),
	};
	const read = (raw: unknown): Reading => {
		const value = asNumber(raw);
		const broken = (rule: string) => ({ value: raw, broken: `must be ${rule}` });
		if (typeof value !== 'number' || !Number.isFinite(value)) return broken('a number');
		if (isWhole && !Number.isInteger(value)) return broken('a whole number');
		if (value < (min ?? value) || value > (max ?? value)) return broken(range(min, max));
		return isMultiple(value - (min ?? 0), step) ? { value } : broken(`in steps of ${step}`);
	};
	return fieldOf(
		[name, label, description],
		words,
		{ type: 'number', default: min ?? 0, typeOptions },
		read,
		[range(min, max), step && `in steps of ${step}`].filter(Boolean).join(', '),
	);
}

/**
 * A number that is required and that only the user knows: the form begins with none.
 */
export function asked(field: Field): Field {
	return required({ ...field, property: { ...field.property, default: null } });
}

/** A text that names a number, as the number; anything else unchanged. */
function asNumber(value: unknown): unknown {
	const isNumber = typeof value === 'string' && !isBlank(value) && Number.isFinite(Number(value));
	return isNumber ? Number(value) : value;
}

/** Compares the number of steps with its rounded value: 0.29 / 0.01 is not whole in binary fractions. */
const isMultiple = (value: number, step?: number) =>
	step === undefined || Math.abs(value / step - Math.round(value / step)) < 1e-9;

/** `3 to 15`, `at least 3`, `at most 15`. */
function range(min?: number, max?: number): string {
	if (min !== undefined && max !== undefined) return `${min} to ${max}`;
	if (min !== undefined) return `at least ${min}`;
	return max === undefined ? '' : `at most ${max}`;
}

export const toggle = (
	name: string,
	label: string,
	description: string,
	words: Words = {},
): Field =>
	fieldOf([name, label, description], words, { type: 'boolean', default: false }, readSwitch);

function readSwitch(given: unknown): Reading {
	const value = booleanIn(given);
	return typeof value === 'boolean' ? { value } : { value: given, broken: 'must be true or false' };
}

/** Fields that the document does not show, as one JSON object; each is sent as a field of its own. */
export const payload = (name: string, label: string, description: string): Field =>
	fieldOf(
		[name, `${label} (JSON)`, description],
		{ place: 'optional' },
		{ type: 'json', default: '{}' },
		(given) => {
			const value = typeof given === 'string' ? (parseJson(given) ?? given) : given;
			return { value, ...(!objectIn(value) && { broken: 'must be a JSON object' }) };
		},
	);

/** Whether a field holds fields that the user names. */
export const isPayload = ({ property }: Field) => property.type === 'json';

/** The label of a field without its unit, for messages that state its value. */
export const nameOf = ({ label }: Field) => label.replace(/ \((?:Seconds|JSON)\)$/, '');

/** That label with the service's name: `Duration (duration)`. */
export const fullNameOf = (field: Field) => `${nameOf(field)} (${field.name})`;

/** What the form calls a value of a field. */
export function labelOf(field: Field | undefined, value: Value): string {
	const options = (field?.property.options ?? []) as Array<{ name: string; value: Value }>;
	return options.find((one) => one.value === value)?.name ?? String(value);
}

/** The request as the service will read it: what is sent, over documented defaults. */
export function withDefaults(
	{ fields, fixed }: { fields: readonly Field[]; fixed?: Readonly<Record<string, Value>> },
	values: Values,
): Values {
	const defaults = fields.flatMap(({ name, byDefault, when }) =>
		byDefault === undefined || (when && !holds(when, values)) ? [] : [[name, byDefault]],
	);
	const given = Object.entries(values).filter(([, value]) => value !== undefined);
	return { ...Object.fromEntries(defaults), ...fixed, ...Object.fromEntries(given) };
}

/**
 * What a person has asked for, in words: the prompt, or the text that stands for it, such as the style of a song.
 * `undefined` where there is none.
 */
export function promptOf({ fields }: { fields: readonly Field[] }, values: Values) {
	const texts = fields.filter(({ property }) => property.typeOptions?.rows).map(({ name }) => name);
	const pairs = fields.filter(isPayload).map(({ name }) => own(values, name));
	return [
		own(values, PROMPT_FIELD),
		...pairs.map((pair) => own(Object(pair) as Values, PROMPT_FIELD)),
		...texts.map((name) => own(values, name)),
	].find((value): value is string => typeof value === 'string' && value.trim() !== '');
}
