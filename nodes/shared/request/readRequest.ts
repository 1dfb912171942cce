import { ADDITIONAL_FIELDS } from '../form/names';
import type { Advising } from '../service/serviceError';
import { shownAddress } from '../service/shownText';
import { holds, isFilled, own, type Values } from '../spec/conditions';
import { type Field, fullNameOf, nameOf, withDefaults } from '../spec/field';
import type { Operation } from '../spec/operation';

/** Reads a parameter of the node for one item, expressions resolved; `fallback` when unset. */
export type ReadParameter = (name: string, fallback: unknown) => unknown;

/** One broken rule of one field. */
export interface Problem {
	field: string;
	/** The whole sentence: label, name, rule and the value that breaks it. */
	message: string;
}

/** Values that cannot be sent, found before anything was sent. */
export class InvalidValues extends Error implements Advising {
	readonly retry = 'correctFirst';

	/** @param description what to do, and what the mistake means for the money */
	constructor(
		problems: readonly Problem[],
		readonly description = 'Correct the value. Nothing was sent for this item, nothing was charged.',
	) {
		super(problems.map(({ message }) => message).join('; '));
		this.name = 'InvalidValues';
	}
}

/** Said of a field that is always sent: if it were dropped, the service's own default would apply. */
const EMPTY = 'is empty, so the service would choose: enter a value, or correct the expression';

/** Said of a field that the user did not leave out: its expression returns nothing. */
const LOST =
	'is an expression that returns nothing, so the job would be made without it: correct the expression, or let it return an empty text';

/** Said of fields that the user names, all of them without a value. */
const NO_VALUES = 'must have at least one field with a value';

/**
 * What the user filled in for an operation, checked: the values by field name, and what is wrong with them, in one pass
 * over the fields in the order of their table. A field whose condition does not hold is not read, as the form hides it; an
 * empty one is left out, unless the operation cannot do without it.
 *
 * @throws InvalidValues when *Additional Fields* is no collection
 */
export function readRequest(operation: Operation, read: ReadParameter) {
	const { controls = [], fields, fixed } = operation;
	const added = collectionIn(read(ADDITIONAL_FIELDS, {}) ?? {});
	const values: Record<string, unknown> = {};
	const chosen: Record<string, unknown> = {};
	const problems: Problem[] = Object.keys(added)
		.filter((name) => !fields.some((field) => field.name === name))
		.map((field) => ({ field, message: `${field} is not a field of this operation` }));
	for (const field of [...controls, ...fields]) {
		const { name, place, when } = field;
		if (!holds(when, withDefaults(operation, { ...chosen, ...values }))) continue;
		const given = own(added, name) ?? (place === 'more' ? undefined : read(name, ''));
		const { value, broken } = valueOf(operation, field, given);
		problems.push(...broken.map((message) => ({ field: name, message })));
		if (value !== undefined) (controls.includes(field) ? chosen : values)[name] = value;
	}
	if (operation.method === 'PUT' && Object.keys(values).length === 0 && problems.length === 0) {
		const message = 'Additional Fields is empty: add what is to be changed';
		problems.push({ field: ADDITIONAL_FIELDS, message });
	}
	return { values: { ...values, ...fixed } as Values, problems };
}

/** What is sent of a value, or the rules that it breaks, each as a sentence. */
function valueOf(operation: Operation, field: Field, given: unknown) {
	if (typeof given === 'string' && field.mayBeEmpty) return { value: given, broken: [] };
	const read = isFilled(given) ? field.value.safeParse(given) : undefined;
	if (read?.error) {
		// An entry of a list is told as it was read.
		const broken = read.error.issues.map((issue) => {
			const { value = given } = 'params' in issue ? (issue.params ?? {}) : {};
			return `${fullNameOf(field)} ${issue.message}${whatItIs(field, value, issue.message)}`;
		});
		return { value: undefined, broken };
	}
	const value = read?.data;
	const parts = isObject(value) ? Object.values(value) : [value];
	if (parts.some(isFilled)) return { value, broken: [] };
	if (parts.length > 0 && isObject(value)) {
		return { value: undefined, broken: [`${fullNameOf(field)} ${NO_VALUES}`] };
	}
	return { value: undefined, broken: missing(operation, field, given) };
}

const isObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Why there has to be a value; an empty text or list leaves out what may be left out. */
function missing({ kind }: Operation, field: Field, given: unknown): string[] {
	const { place } = field;
	if (place === 'required') return [`${nameOf(field)} is empty`];
	if (place === 'always') return [`${fullNameOf(field)} ${EMPTY}`];
	const entries = [given].flat(2);
	const isLost = entries.length > 0 && entries.every((one) => one === null || one === undefined);
	return place === 'optional' && kind === 'create' && isLost
		? [`${fullNameOf(field)} ${LOST}`]
		: [];
}

const SHOWN_CHARACTERS = 60;

/** The value that breaks a rule, after the rule: its start, and how long it is where it is cut. */
function whatItIs({ file, property }: Field, value: unknown, rule: string): string {
	if (property.typeOptions?.password || !rule.startsWith('must ')) return '';
	if (Array.isArray(value) && rule.startsWith('must have')) return `, but has ${value.length}`;
	const characters = [...jsonOf(value, file !== undefined)];
	const start = characters.slice(0, SHOWN_CHARACTERS).join('');
	if (characters.length <= SHOWN_CHARACTERS) return start && `, but is ${start}`;
	return typeof value === 'string'
		? `, but has ${[...value].length} characters: ${start}…"`
		: `, but is ${start}…`;
}

/**
 * A value as JSON; empty for what has none, such as a function or an object that is in itself.
 *
 * @param hasAddresses which may have a password or a signature in them
 */
function jsonOf(value: unknown, hasAddresses: boolean): string {
	const shown = (_: string, part: unknown) =>
		hasAddresses && typeof part === 'string' ? shownAddress(part) : part;
	try {
		return JSON.stringify(value, shown) ?? '';
	} catch {
		return '';
	}
}

/** @throws InvalidValues when an expression returns something that is not a collection */
function collectionIn(given: unknown): Record<string, unknown> {
	if (isObject(given)) return given;
	const message = `Additional Fields must be a collection, but is ${JSON.stringify(given)?.slice(0, 60)}`;
	throw new InvalidValues([{ field: ADDITIONAL_FIELDS, message }]);
}
