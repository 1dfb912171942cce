import type { Field } from '../test/document.mts';
import type { Served, ServiceField } from './documented.mts';
import type { Details } from './serviceError.mts';

/** Says what is wrong with a value; `undefined` if nothing is. */
type Check = (value: unknown, field: Field) => string | undefined;

/** Check the type, value set and bounds of one value, strictly: nothing is converted. */
const CHECKS: Record<Field['type'], Check> = {
	text: textProblem,
	// The settings say how files are sent, so `uploads.mts` checks them.
	file: () => undefined,
	source: textProblem,
	choice: (value, field) => (field.values ? oneOf(field.values, value) : textProblem(value, field)),
	toggle: (value) => (typeof value === 'boolean' ? undefined : mustBe('boolean')),
	number: numberProblem,
	url: urlProblem,
	urls: urlListProblem,
};

/** A message for each value that an operation does not take, and for each field that it does not have. */
export function valueProblems({ fields, fixed = {}, free }: Served, sent: object): Details {
	const byName = new Map(fields.map((field) => [field.name, field]));
	const problemOf = (name: string, value: unknown) => {
		const field = byName.get(name);
		if (name in fixed) return oneOf([fixed[name]], value);
		if (field) return CHECKS[field.type](value, field) ?? madeUpProblem(value, field);
		return free ? undefined : 'Unknown field.';
	};
	const problems = Object.entries(sent).map(([name, value]) => [name, problemOf(name, value)]);
	return Object.fromEntries(problems.filter(([, problem]) => problem !== undefined)) as Details;
}

/** Of a field that no document describes, its table knows the bounds of a text. */
function madeUpProblem(value: unknown, { type, table, ...field }: ServiceField) {
	const isMadeUp = type === 'text' && table && !('maxLength' in field);
	return isMadeUp && !table.value.safeParse(value).success ? 'Is too long.' : undefined;
}

const mustBe = (what: string) => `This value must be ${what}.`;

function textProblem(value: unknown, { maxLength = Infinity }: Field): string | undefined {
	if (typeof value !== 'string') return mustBe('string');
	if ([...value].length <= maxLength) return undefined;
	return `This value must NOT have more than ${maxLength} characters.`;
}

const oneOf = (values: readonly unknown[], value: unknown) =>
	values.includes(value) ? undefined : `Must be one of: ${values.join(', ')}.`;

function numberProblem(value: unknown, { isWhole, min = -Infinity, max = Infinity }: Field) {
	if (isWhole && !Number.isInteger(value)) return mustBe('integer');
	if (typeof value !== 'number') return mustBe('number');
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
