import type { Field, FieldType, Operation } from '../nodes/shared/spec/operation.ts';
import type { Details } from './serviceError.mts';
import { freeField, namedFields } from './values.mts';

/** Says what is wrong with a value; `undefined` if nothing is. */
type Check = (value: unknown, field: Field) => string | undefined;

/** Check the type, value set and bounds of one value, strictly: nothing is converted. */
const CHECKS: Record<Exclude<FieldType, 'fields'>, Check> = {
	text: textProblem,
	textarea: textProblem,
	// The settings say how files are sent, so `uploads.mts` checks them.
	upload: () => undefined,
	source: textProblem,
	select: selectProblem,
	toggle: (value) => (typeof value === 'boolean' ? undefined : mustBe('boolean')),
	number: (value, field) =>
		typeof value === 'number' ? boundProblem(value, field) : mustBe('number'),
	integer: (value, field) =>
		Number.isInteger(value) ? boundProblem(value as number, field) : mustBe('integer'),
	url: urlProblem,
	urlList: urlListProblem,
};

/** A message for each value that an operation does not take, and for each field that it does not have. */
export function valueProblems(operation: Operation, sent: object): Details {
	const fields = new Map(namedFields(operation).map((field) => [field.name, field]));
	const fixed = new Map(Object.entries(operation.fixed ?? {}));
	const isOpen = freeField(operation) !== undefined;
	const problemOf = (name: string, value: unknown) => {
		const field = fields.get(name);
		if (fixed.has(name)) return oneOf([fixed.get(name)], value);
		if (field) return CHECKS[field.type](value, field);
		return isOpen ? undefined : 'Unknown field.';
	};
	const problems = Object.entries(sent).map(([name, value]) => [name, problemOf(name, value)]);
	return Object.fromEntries(problems.filter(([, problem]) => problem !== undefined)) as Details;
}

const mustBe = (what: string) => `This value must be ${what}.`;

function textProblem(value: unknown, { maxLength = Infinity }: Field): string | undefined {
	if (typeof value !== 'string') return mustBe('string');
	if ([...value].length <= maxLength) return undefined;
	return `This value must NOT have more than ${maxLength} characters.`;
}

function selectProblem(value: unknown, field: Field): string | undefined {
	const values = (field.options ?? []).map((option) => option.value);
	return oneOf(values, value);
}

const oneOf = (values: readonly unknown[], value: unknown) =>
	values.includes(value) ? undefined : `Must be one of: ${values.join(', ')}.`;

function boundProblem(value: number, { min = -Infinity, max = Infinity }: Field) {
	if (value < min) return mustBe(`>= ${min}`);
	return value > max ? mustBe(`<= ${max}`) : undefined;
}

export function urlProblem(value: unknown): string | undefined {
	if (typeof value !== 'string') return mustBe('string');
	const isUrl = /^https?:\/\/[^\s/]+\S*$/.test(value);
	return isUrl ? undefined : 'Must be a URL that starts with http:// or https://.';
}

function urlListProblem(value: unknown, { minItems = 0, maxItems = Infinity }: Field) {
	if (!Array.isArray(value)) return mustBe('array');
	if (value.length < minItems) return `This value must NOT have fewer than ${minItems} items.`;
	if (value.length > maxItems) return `This value must NOT have more than ${maxItems} items.`;
	return value.map(urlProblem).find((problem) => problem !== undefined);
}
