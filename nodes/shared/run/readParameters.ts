import type { IExecuteFunctions } from 'n8n-workflow';

import { attempt, type Attempt } from '../clock/clock';
import { DOWNLOAD, GUARDS, OPTIONS, type RunOptions, WAIT } from '../form/options';
import { InvalidValues, type ReadParameter } from '../request/request';
import { capitalized, isFilled } from '../spec/conditions';
import { type Field, nameOf } from '../spec/field';
import type { Catalog, Operation } from '../spec/operation';
import { isTool } from './run';

/**
 * The operation that the user chose; the same for all items. n8n does not evaluate expressions in resource and operation
 * (`noDataExpression`), but hands over their text. Nor could it: these two decide which other fields there are, and which of
 * them are required.
 *
 * @throws InvalidValues for a resource or an operation that the node does not have
 */
export function chosenOperation(context: IExecuteFunctions, { operations }: Catalog): Operation {
	const read = parameterReader(context, 0);
	const given = { resource: read('resource', ''), operation: read('operation', '') };
	const ofResource = operations.filter((one) => one.resource === given.resource);
	const chosen = ofResource.find((one) => one.operation === given.operation);
	if (chosen) return chosen;
	const field = ofResource.length > 0 ? 'operation' : 'resource';
	const value = given[field];
	const isExpression = typeof value === 'string' && value.includes('{{');
	const message = isExpression
		? `${capitalized(field)} is the expression ${value}, and n8n does not evaluate expressions in this field`
		: `${JSON.stringify(value)} is no ${field} of this node`;
	throw new InvalidValues(message, CHOOSE);
}

const CHOOSE =
	'Choose one in the list. Where items need different ones, divide them with a Switch node and give each branch a MediaGen node of its own. Nothing was sent, nothing was charged.';

/** Reads the parameters of one item; a parameter that the form does not show gives the fallback. */
export function parameterReader(context: IExecuteFunctions, itemIndex: number): ReadParameter {
	// n8n throws for a missing parameter if the fallback is undefined, but not if it is null.
	return (name, fallback) => located(context.getNodeParameter(name, itemIndex, fallback ?? null));
}

/**
 * What n8n's resource locator holds, picked or typed; any other value as it is. Workflows that a person or a
 * program has written may have plain text there.
 */
function located(value: unknown): unknown {
	const { __rl: isLocator, value: own } = Object(value) as { __rl?: unknown; value?: unknown };
	// A pasted identifier may have white space around it.
	return isLocator === true ? (typeof own === 'string' ? own.trim() : own) : value;
}

/** The options of one item, or why they cannot be read. */
export type ReadOptions = Attempt<RunOptions>;

/** The options of each item, which are read before anything else. */
export async function optionsOf(context: IExecuteFunctions): Promise<ReadOptions[]> {
	// An agent's tool has one output, whatever its options say.
	const read = async (itemIndex: number) => ({
		...readOptions(parameterReader(context, itemIndex)),
		...(isTool(context) && { outputByStatus: false }),
	});
	const items = [...context.getInputData().keys()];
	return await Promise.all(items.map(async (itemIndex) => await attempt(read(itemIndex))));
}

/**
 * What a person has set beside the fields of the service. An option whose expression returns nothing counts as not
 * added, unless it keeps the run from paying.
 *
 * @throws InvalidValues
 */
export function readOptions(read: ReadParameter): RunOptions {
	const given = givenOptions(read);
	const problems: string[] = [];
	const entryOf = (field: Field, value: unknown) => {
		const { name, byDefault } = field;
		const isGuard = GUARDS.includes(name) && name in given;
		if (!isFilled(value) && !isGuard) return [name, byDefault];
		const read = field.read(value);
		if (read.broken) problems.push(problemOf(field, value, read.broken));
		return [name, read.value];
	};
	const switches = [WAIT, DOWNLOAD].map((field) => entryOf(field, read(field.name, null)));
	const added = OPTIONS.map((field) => entryOf(field, given[field.name]));
	if (problems.length > 0) throw new InvalidValues(problems);
	return Object.fromEntries([...switches, ...added]) as RunOptions;
}

function problemOf({ name, label }: Field, value: unknown, rule: string): string {
	// JSON has no Infinity and no NaN.
	const shown = typeof value === 'number' ? String(value) : JSON.stringify(value ?? null);
	const isAdded = OPTIONS.some((one) => one.name === name);
	return `${isAdded ? optionLabel(name) : label} ${rule}, but is ${shown}`;
}

/** The collection `options`, its values unchecked. Throws InvalidValues where it is not a collection. */
export function givenOptions(read: ReadParameter): Record<string, unknown> {
	const given = read('options', {}) ?? {};
	if (typeof given === 'object' && !Array.isArray(given)) return given as Record<string, unknown>;
	const message = `Options must be a collection, but is ${JSON.stringify(given)?.slice(0, 60)}`;
	throw new InvalidValues(message);
}

/** The same as typed, expressions unevaluated: it can be read even where one of them would fail. */
export function typedOptions(context: Pick<IExecuteFunctions, 'getNode'>): Record<string, unknown> {
	const { options } = context.getNode().parameters ?? {};
	return Object(options) as Record<string, unknown>;
}

/** An option's name in the form, without its unit, such as `Options > Timeout`. */
export function optionLabel(name: string): string {
	const field = OPTIONS.find((one) => one.name === name);
	return `Options > ${field ? nameOf(field) : name}`;
}
