import { isAlwaysSent } from '../parameters/names';
import { isBlank } from '../spec/conditions';
import type { Field } from '../spec/types';
import { isDotSegment } from './buildRequest';

/** A rule that a value breaks. */
export interface BrokenRule {
	/** Worded to follow the field's name: `must be one of 1:1, 3:2, 2:3`. */
	rule: string;
	/** What breaks it; absent where the rule says itself what is wrong. */
	value?: unknown;
}

/** Said of a field that the operation cannot do without. */
export const NOT_GIVEN = 'is empty';

/** Said of a field that is always sent: if it were dropped, the service's own default would apply. */
const EMPTY = 'is empty, so the service would choose: enter a value, or correct the expression';

/** Said of a field that the user did not leave out: its expression returns nothing. */
const LOST =
	'is an expression that returns nothing, so the job would be made without it: correct the expression, or let it return an empty text';

/** The rules of one field that a value breaks; `null` stands for one that must not be dropped unnoticed. */
export function brokenRules(field: Field, value: unknown): BrokenRule[] {
	if (value === null) return [{ rule: isAlwaysSent(field) ? EMPTY : LOST }];
	if (value === undefined) return field.presence === 'required' ? [{ rule: NOT_GIVEN }] : [];
	if (field.type === 'urlList' && Array.isArray(value)) return listRules(field, value);
	const rule = ruleOf(field, value);
	return rule === undefined ? [] : [{ rule, value }];
}

function ruleOf(field: Field, value: unknown): string | undefined {
	switch (field.type) {
		case 'toggle':
			return typeof value === 'boolean' ? undefined : 'must be true or false';
		case 'number':
		case 'integer':
			return numberRule(field, value);
		case 'select':
			return choiceRule(field, value);
		case 'url':
			return urlRule(field, value);
		case 'urlList':
			return 'must be a list of URLs';
		case 'fields':
			return freeFieldsRule(field, value);
		default:
			return textRule(field, value);
	}
}

function textRule({ maxLength = Infinity, presence, in: place }: Field, value: unknown) {
	if (typeof value !== 'string') return 'must be a text';
	if (place === 'path' && isDotSegment(value)) return 'must be an identifier';
	if (value.includes('[object Object]')) return NO_TEXT;
	if (presence === 'required' && isBlank(value)) return NOT_GIVEN;
	return [...value].length > maxLength ? `must have at most ${maxLength} characters` : undefined;
}

const NO_TEXT =
	'has [object Object] where an object stood: name the field of the object that has the text';

function choiceRule({ options = [] }: Field, value: unknown) {
	const values = options.map((option) => option.value);
	return (values as unknown[]).includes(value) ? undefined : `must be one of ${values.join(', ')}`;
}

function numberRule({ type, min, max, step }: Field, value: unknown) {
	if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number';
	if (type === 'integer' && !Number.isInteger(value)) return 'must be a whole number';
	if (value < (min ?? -Infinity) || value > (max ?? Infinity)) return rangeRule(min, max);
	if (step === undefined || isMultiple(value - (min ?? 0), step)) return undefined;
	return min ? `must be in steps of ${step} from ${min}` : `must be in steps of ${step}`;
}

function rangeRule(min?: number, max?: number): string {
	if (min === undefined) return `must be at most ${max}`;
	return max === undefined ? `must be at least ${min}` : `must be between ${min} and ${max}`;
}

/** Compares the number of steps with its rounded value: 0.29 / 0.01 is not whole in binary fractions. */
function isMultiple(value: number, step: number): boolean {
	return Math.abs(value / step - Math.round(value / step)) < 1e-9;
}

/** Another URL, or a second file's name, behind a comma, a semicolon or a bar. */
const ANOTHER = /[,;|]https?:|\.(?:png|jpe?g|webp|mp4|mov|mp3|wav)[,;|][^/?#]*\.[a-z0-9]{3,4}$/i;

const isUrl = (value: string) =>
	/^https?:\/\/[^\s\p{Cc}\p{Cf}]+$/iu.test(value) && !ANOTHER.test(value);

/** Where a file can be sent, a text that is not an address may be the name of one (`planUploads`). */
function urlRule({ media }: Field, value: unknown) {
	if (typeof value !== 'string')
		return media ? 'must be a URL or the name of a binary field, such as data' : 'must be a URL';
	const isGood = isUrl(value) || (media && !value.includes('://'));
	return isGood ? undefined : 'must be one URL starting with http(s)://';
}

function listRules(field: Field, entries: readonly unknown[]): BrokenRule[] {
	const { minItems = 1, maxItems = Infinity } = field;
	if (entries.length < minItems || entries.length > maxItems) {
		const bounds = maxItems === Infinity ? `at least ${minItems}` : `${minItems} to ${maxItems}`;
		return [{ rule: `must have ${bounds} URLs`, value: entries }];
	}
	return entries.flatMap((value) => {
		const rule = urlRule(field, value);
		return rule === undefined ? [] : [{ rule, value }];
	});
}

function freeFieldsRule({ presence }: Field, value: unknown) {
	if (typeof value !== 'object' || Array.isArray(value)) return 'must be a JSON object';
	if (!isJson(value)) return 'cannot be written as JSON';
	const isGiven = Object.values(Object(value)).some((inner) => inner !== null && isFilled(inner));
	return presence !== 'required' || isGiven
		? undefined
		: 'must have at least one field with a value';
}

/** Whether a value can be written as JSON, and nothing of it is lost then. */
export function isJson(value: unknown): boolean {
	let isWhole = true;
	try {
		JSON.stringify(value, (_, part: unknown) => {
			if (['function', 'symbol'].includes(typeof part)) isWhole = false;
			if (typeof part === 'number' && !Number.isFinite(part)) isWhole = false;
			return part;
		});
	} catch {
		return false;
	}
	return isWhole;
}

/** Whether there is a value; a text that shows nothing does not count as one. */
export function isFilled(value: unknown): boolean {
	return typeof value === 'string' ? !isBlank(value) : value !== undefined;
}
