import { ADDITIONAL_FIELDS } from '../form/names';
import type { Advising } from '../service/serviceError';
import { shownAddress } from '../service/shownText';
import { holds, isFilled, own, type Values } from '../spec/conditions';
import { type Field, fullNameOf, isPayload, nameOf, withDefaults } from '../spec/field';
import type { Operation } from '../spec/operation';

/** Reads a parameter of the node for one item, expressions resolved; `fallback` when unset. */
export type ReadParameter = (name: string, fallback: unknown) => unknown;

/** Values that cannot be sent, found before anything was sent. */
export class InvalidValues extends Error implements Advising {
	readonly retry = 'correctFirst';

	/**
	 * @param problems sentences: label and name of the field, its rule, and the value that breaks it
	 * @param description what to do, and what the mistake means for the money
	 */
	constructor(
		problems: string | readonly string[],
		readonly description = 'Correct the value. Nothing was sent for this item, nothing was charged.',
	) {
		super([problems].flat().join('; '));
		this.name = 'InvalidValues';
	}
}

/**
 * What the user filled in for an operation, checked: the values by field name, and what is wrong with them, in one pass
 * over the fields in the order of their table. A field whose condition does not hold is not read, as the form hides it; an
 * empty one is left out, unless the operation cannot do without it.
 */
export function readRequest(operation: Operation, read: ReadParameter) {
	const { controls = [], fields, fixed } = operation;
	const added = Object(read(ADDITIONAL_FIELDS, {})) as Values;
	const values: Record<string, unknown> = { ...fixed };
	const problems = Object.keys(added)
		.filter((name) => !fields.some((field) => field.name === name))
		.map((name) => `${name} is not a field of this operation`);
	for (const field of [...controls, ...fields]) {
		const { name, place, when } = field;
		if (!holds(when, withDefaults(operation, values))) continue;
		const given = own(added, name) ?? (place === 'more' ? undefined : read(name, ''));
		const { value, broken } = valueOf(operation, field, given);
		if (broken !== undefined) problems.push(broken);
		else if (value !== undefined) values[name] = value;
	}
	return { values: values as Values, problems };
}

/** What is sent of a value, or the rule that it breaks, as a sentence. */
function valueOf(
	operation: Operation,
	field: Field,
	given: unknown,
): { value?: unknown; broken?: string } {
	// An empty text removes what the service has.
	const isUpdate = operation.method === 'PUT' && field.property.type === 'string';
	if (isUpdate && typeof given === 'string') return { value: given };
	const { value, broken } = isFilled(given) ? field.read(given) : { value: undefined };
	if (broken) return { broken: `${fullNameOf(field)} ${broken}${whatItIs(field, value, broken)}` };
	const parts = isPayload(field) ? Object.values(Object(value)) : [value];
	return parts.some(isFilled) ? { value } : { broken: missing(operation, field, given) };
}

/** Why there has to be a value; an empty text or list leaves out what may be left out. */
function missing({ kind }: Operation, field: Field, given: unknown): string | undefined {
	const { place } = field;
	if (place === 'required') return `${nameOf(field)} is empty`;
	// If it were left out, the service's own default would apply.
	if (place === 'always')
		return `${fullNameOf(field)} is empty, so the service would choose: enter a value, or correct the expression`;
	const entries = [given].flat(2);
	const isLost = entries.length > 0 && entries.every((one) => one === null || one === undefined);
	return place === 'optional' && kind === 'create' && isLost
		? `${fullNameOf(field)} is an expression that returns nothing, so the job would be made without it: correct the expression, or let it return an empty text`
		: undefined;
}

const SHOWN_CHARACTERS = 60;

/** The value that breaks a rule, after the rule: how many it has, or its start. */
function whatItIs({ file, property }: Field, value: unknown, rule: string): string {
	if (property.typeOptions?.password || !rule.startsWith('must ')) return '';
	const isCounted = typeof value === 'string' || Array.isArray(value);
	if (isCounted && rule.startsWith('must have')) return `, but has ${[...value].length}`;
	const characters = [...jsonOf(value, file !== undefined)];
	const start = characters.slice(0, SHOWN_CHARACTERS).join('');
	return start && `, but is ${start}${characters.length > SHOWN_CHARACTERS ? '…' : ''}`;
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
