import { z, type ZodTypeAny } from 'zod/v3';

import {
	breaks,
	fieldNamed,
	holds,
	inWords,
	isBlank,
	isOwn,
	isWellFormed,
	labelIn,
	listInWords,
	own,
	type Values,
	withDefaults,
} from '../spec/conditions';
import type { Field, Operation, Rule, Value } from '../spec/types';
import { isDotSegment } from './buildRequest';

/** Cached by operation, since building a schema takes longer than using it. */
const made = new WeakMap<Operation, ReturnType<typeof makeSchema>>();

/** The schema of an operation's request; the items of a batch share it. */
export function schemaOf(operation: Operation) {
	const schema = made.get(operation) ?? makeSchema(operation);
	made.set(operation, schema);
	return schema;
}

/**
 * The zod schema of an operation's request, built from its spec table. A message is the broken rule,
 * worded to follow the field's name ("must be one of 1:1, 3:2, 2:3").
 */
function makeSchema(operation: Operation) {
	const fixed = Object.entries(operation.fixed ?? {}).map(([name, value]) => [
		name,
		fixedSchema(value),
	]);
	const shape = operation.fields.map((field) => [field.name, fieldSchema(field)]);
	return z
		.object(Object.fromEntries([...fixed, ...shape]) as Record<string, ZodTypeAny>)
		.strict({ message: 'is not a field of this operation' })
		.superRefine((values, context) => {
			const broken = [
				...brokenConditions(operation, values),
				...(operation.rules ?? []).flatMap((rule) => brokenRule(operation, rule, values)),
				...overriding(operation, values),
			];
			for (const { field, message } of broken) {
				context.addIssue({ code: z.ZodIssueCode.custom, path: [field], message });
			}
		});
}

/** A value that the operation sets itself cannot be changed. */
const fixedSchema = (fixed: Value) =>
	z.unknown().refine((value) => value === undefined || value === fixed, `must be ${fixed} here`);

function fieldSchema(field: Field): ZodTypeAny {
	const schema = typeSchema(field);
	return z
		.unknown()
		.superRefine((value, context) => {
			const message = misreadRule(field, value) ?? unsendableRule(value);
			if (message !== undefined) context.addIssue({ code: z.ZodIssueCode.custom, message });
		})
		.pipe(field.presence === 'required' ? schema : schema.optional());
}

function misreadRule({ media }: Field, value: unknown): string | undefined {
	if (value === null) return media ? NO_FILE : EMPTY;
	return value instanceof Misread ? value.message : undefined;
}

/** Said of a field that the operation cannot do without. */
export const NOT_GIVEN = 'is empty';

/** Said of a field that is always sent: if it were dropped, the service's own default would apply. */
const EMPTY = 'is empty, so the service would choose: enter a value, or correct the expression';

/** Said of a picture or a video that the user did not leave out: its expression returns nothing. */
const NO_FILE =
	'is an expression that returns nothing, so the job would be made without it: correct the expression, or let it return an empty text';

function typeSchema(field: Field): ZodTypeAny {
	switch (field.type) {
		case 'toggle':
			return z.boolean(ofType('must be true or false'));
		case 'number':
		case 'integer':
			return numberSchema(field);
		case 'select':
			return field.openValues ? textSchema(field) : optionSchema(field);
		case 'url':
			return urlSchema(field);
		case 'urlList':
			return urlListSchema(field);
		case 'fields':
			return freeFieldsSchema(field);
		default:
			return textSchema(field);
	}
}

const ofType = (rule: string) => ({
	required_error: NOT_GIVEN,
	invalid_type_error: rule,
});

function textSchema({ maxLength, presence, in: place }: Field) {
	const text = z
		.string(ofType('must be a text'))
		.refine((value) => place !== 'path' || !isDotSegment(value), 'must be an identifier');
	const filled = text.refine((value) => !value.includes('[object Object]'), NO_TEXT);
	const bounded = filled.refine(
		(value) => maxLength === undefined || [...value].length <= maxLength,
		`must have at most ${maxLength} characters`,
	);
	return presence === 'required' ? bounded.refine((value) => !isBlank(value), NOT_GIVEN) : bounded;
}

function optionSchema({ options = [] }: Field) {
	const values = options.map(({ value }) => value);
	return z
		.unknown()
		.refine((value) => value !== undefined, NOT_GIVEN)
		.refine(
			(value) => value === undefined || (values as unknown[]).includes(value),
			`must be one of ${values.join(', ')}`,
		);
}

function numberSchema({ type, min, max, step }: Field) {
	const number = z.number(ofType('must be a number')).finite('must be a number');
	const whole = type === 'integer' ? number.int('must be a whole number') : number;
	const range = inRange(min, max);
	return whole
		.gte(min ?? -Infinity, range)
		.lte(max ?? Infinity, range)
		.refine(
			(value) => step === undefined || isMultiple(value - (min ?? 0), step),
			min ? `must be in steps of ${step} from ${min}` : `must be in steps of ${step}`,
		);
}

function inRange(min?: number, max?: number): string {
	if (min === undefined) return `must be at most ${max}`;
	return max === undefined ? `must be at least ${min}` : `must be between ${min} and ${max}`;
}

/** Compares the number of steps with its rounded value: 0.29 / 0.01 is not whole in binary fractions. */
function isMultiple(value: number, step: number): boolean {
	return Math.abs(value / step - Math.round(value / step)) < 1e-9;
}

const NO_TEXT =
	'has [object Object] where an object stood: name the field of the object that has the text';

/** Another URL, or a second file's name, behind a comma, a semicolon or a bar. */
const ANOTHER = /[,;|]https?:|\.(?:png|jpe?g|webp|mp4|mov|mp3|wav)[,;|][^/?#]*\.[a-z0-9]{3,4}$/i;

const isUrl = (value: string) =>
	/^https?:\/\/[^\s\p{Cc}\p{Cf}]+$/iu.test(value) && !ANOTHER.test(value);

/** Where a file can be sent, a text that is not an address may be the name of one (`planUploads`). */
const urlSchema = ({ media }: Field) =>
	z
		.string(
			ofType(media ? 'must be a URL or the name of a binary field, such as data' : 'must be a URL'),
		)
		.refine(
			(value) => isUrl(value) || (media && !value.includes('://')),
			'must be one URL starting with http(s)://',
		);

function urlListSchema(field: Field) {
	const { minItems = 1, maxItems = Infinity } = field;
	const rule =
		maxItems === Infinity
			? `must have at least ${minItems} URLs`
			: `must have ${minItems} to ${maxItems} URLs`;
	return z
		.array(urlSchema(field), ofType('must be a list of URLs'))
		.min(minItems, rule)
		.max(maxItems, rule);
}

function freeFieldsSchema({ presence }: Field) {
	return z
		.record(z.unknown(), ofType('must be a JSON object'))
		.refine(
			(fields) => presence !== 'required' || Object.values(fields).some(isFilled),
			'must have at least one field with a value',
		)
		.superRefine((fields, context) => {
			const wrong = Object.keys(fields).find(hasBlankEnd);
			if (wrong === undefined) return;
			const message = isBlank(wrong)
				? 'has a field without a name'
				: `has a field named "${wrong}": remove the space before or after the name`;
			context.addIssue({ code: z.ZodIssueCode.custom, message });
		});
}

const hasBlankEnd = (name: string) => isBlank(name.slice(0, 1)) || isBlank(name.slice(-1));

const isFilled = (value: unknown) => value !== null && isGiven(value);

interface Broken {
	field: string;
	/** The rule, worded to follow the field's name. */
	message: string;
}

function brokenConditions(operation: Operation, sent: Values): Broken[] {
	const request = withDefaults(operation, sent);
	const { fixed = {} } = operation;
	return operation.fields.flatMap((field): Broken[] => {
		const { name, requiredWhen, appliesWhen } = field;
		const given = isGiven(own(sent, name));
		if (given && appliesWhen && breaks(appliesWhen, request)) {
			const message = `can be used only when ${inWords(appliesWhen, operation.fields)}`;
			return [{ field: name, message }];
		}
		if (!given && requiredWhen && holds(requiredWhen, request)) {
			const decided = Object.keys(requiredWhen).every((condition) => isOwn(fixed, condition));
			const message = decided
				? NOT_GIVEN
				: `is required when ${inWords(requiredWhen, operation.fields)}`;
			return [{ field: name, message }];
		}
		return [];
	});
}

/** Free fields that would override fields with checks of their own. */
function overriding({ fields, fixed = {} }: Operation, sent: Values): Broken[] {
	const isFree = ({ type }: Field) => type === 'fields';
	const checked = [
		...fields.filter((field) => !isFree(field)).map(({ name }) => name),
		...Object.keys(fixed),
	];
	return fields.filter(isFree).flatMap((free): Broken[] => {
		const names = Object.keys(Object(sent[free.name]));
		const taken = checked.filter((name) => names.includes(name));
		if (taken.length === 0) return [];
		const message = `must not set ${listInWords(taken, 'and')}: this operation has a field for it`;
		return [{ field: free.name, message }];
	});
}

/** Whether there is a value; a text that shows nothing does not count as one. */
function isGiven(value: unknown): boolean {
	return typeof value === 'string' ? !isBlank(value) : value !== undefined;
}

/** Whether a rule that wants one of several fields finds none of them. */
export function hasNone(
	operation: Operation,
	{ fields, when }: Extract<Rule, { kind: 'oneOf' | 'wanted' }>,
	sent: Values,
): boolean {
	const applies = holds(when, withDefaults(operation, sent));
	return applies && !fields.some((name) => hasField(operation, name, sent));
}

function hasField(operation: Operation, name: string, sent: Values): boolean {
	const value = own(sent, name);
	const isCleared = fieldNamed(operation, name)?.clearable && value !== undefined;
	return isCleared || isGiven(value);
}

function brokenRule(operation: Operation, rule: Rule, sent: Values): Broken[] {
	const has = (name: string) => hasField(operation, name, sent);
	const label = (name: string) => labelIn(operation, name);
	switch (rule.kind) {
		case 'wanted':
		case 'after':
			return [];
		case 'oneOf': {
			const [first = '', ...others] = rule.fields;
			if (!hasNone(operation, rule, sent)) return [];
			const message =
				others.length === 0
					? NOT_GIVEN
					: `is required, unless you give ${listInWords(others.map(label))}`;
			return [{ field: first, message }];
		}
		case 'with':
			return has(rule.given) && !has(rule.field)
				? [{ field: rule.field, message: `is required together with ${label(rule.given)}` }]
				: [];
	}
}

/**
 * Why a value cannot be sent unchanged as JSON in UTF-8: the rule that it breaks, worded to follow the
 * field's name. `undefined` where it can be sent.
 */
export function unsendableRule(value: unknown): string | undefined {
	if (typeof value === 'string') return isWellFormed(value) ? undefined : HALF_CHARACTER;
	const parts: unknown[] = [];
	try {
		JSON.stringify(value, (name, part: unknown) => {
			parts.push(name, part);
			return part;
		});
	} catch (error) {
		if (!parts.some(isNoJson)) {
			return error instanceof TypeError ? `contains itself: it ${NO_JSON}` : NO_JSON;
		}
	}
	const alien = parts.find(isNoJson);
	if (alien !== undefined) return `has a ${typeof alien}: it ${NO_JSON}`;
	const isHalf = (part: unknown) => typeof part === 'string' && !isWellFormed(part);
	if (parts.some(isHalf)) return HALF_CHARACTER;
	// The first two parts are an empty name and the value itself, whose type another rule checks.
	const odd = parts.slice(2).find((part) => typeof part === 'number' && !Number.isFinite(part));
	return odd === undefined ? undefined : `has a number that JSON does not have: ${String(odd)}`;
}

const NO_JSON = 'cannot be written as JSON';

/** `JSON.stringify` would leave it out, or throw. */
const isNoJson = (part: unknown) => ['bigint', 'function', 'symbol'].includes(typeof part);

const HALF_CHARACTER =
	'has half of a character, such as of an emoji: cut the text in another place';

/**
 * Replaces what a user typed where something else would be sent. The message is the rule that it
 * breaks, worded to follow the field's name.
 */
export class Misread extends Error {}
