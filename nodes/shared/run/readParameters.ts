import type { IExecuteFunctions } from 'n8n-workflow';

import { DOWNLOAD, GUARDS, OPTIONS, type RunOptions, WAIT } from '../form/options';
import { InvalidValues, type ReadParameter } from '../request/readRequest';
import { capitalized, isFilled } from '../spec/conditions';
import { type Field, nameOf } from '../spec/field';
import type { Catalog, Operation } from '../spec/operation';

/**
 * The operation that the user chose; the same for all items. n8n does not evaluate expressions in resource and operation
 * (`noDataExpression`), but hands over their text. Nor could it: these two decide which other fields there are, and which of
 * them are required.
 *
 * @throws InvalidValues for a resource or an operation that the node does not have
 */
export function chosenOperation(
	context: IExecuteFunctions,
	{ resources, operations }: Catalog,
): Operation {
	const read = parameterReader(context, 0);
	const given = { resource: read('resource', ''), operation: read('operation', '') };
	const chosen = operations.find(
		(one) => one.resource === given.resource && one.operation === given.operation,
	);
	if (chosen) return chosen;
	const resource = resources.find(({ value }) => value === given.resource);
	const field = resource ? 'operation' : 'resource';
	const possible = resource
		? operations
				.filter((one) => one.resource === resource.value)
				.map((one) => `${one.label} (${one.operation})`)
		: resources.map((one) => `${one.label} (${one.value})`);
	const value = given[field];
	const isExpression = typeof value === 'string' && (value.includes('{{') || value.startsWith('='));
	const message = isExpression
		? `${capitalized(field)} is the expression ${value}, and n8n does not evaluate expressions in this field`
		: `${JSON.stringify(value)} is no ${field} of ${resource?.label ?? 'this node'}`;
	const advice = isExpression
		? `Choose one in the list. Where items need different ones, divide them with a Switch node and give each branch a MediaGen node of its own.`
		: 'Choose one in the list.';
	throw new InvalidValues(
		message,
		`${advice} There are: ${possible.join(', ')}. Nothing was sent, nothing was charged.`,
	);
}

/** Reads the parameters of one item; a parameter that the form does not show gives the fallback. */
export function parameterReader(context: IExecuteFunctions, itemIndex: number): ReadParameter {
	// n8n throws for a missing parameter if the fallback is undefined, but not if it is null.
	return (name, fallback) => {
		const value = located(context.getNodeParameter(name, itemIndex, fallback ?? null));
		return switchValue(name, value, fallback);
	};
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

/**
 * The collection `options` of one item, and whether results become files. An option whose expression returns nothing
 * counts as not added, unless it keeps the run from paying.
 *
 * @param isTool an agent's tool has one output, whatever its options say
 * @throws InvalidValues
 */
export function readOptions(read: ReadParameter, isTool = false): RunOptions {
	// So that one that is neither on nor off is found before anything is sent.
	for (const { name, byDefault } of SWITCHES) read(name, byDefault);
	const given = givenOptions(read);
	const problems: string[] = [];
	const entries = OPTIONS.map((field) => {
		const { name, byDefault } = field;
		const isGuard = GUARDS.includes(name) && name in given;
		if (!isFilled(given[name]) && !isGuard) return [name, byDefault];
		const { value, broken } = field.read(given[name]);
		if (broken) problems.push(problemOf(field, given[name], broken));
		return [name, value];
	});
	if (problems.length > 0) throw new InvalidValues(problems);
	const options = { ...Object.fromEntries(entries), downloadMedia: read(DOWNLOAD.name, false) };
	return { ...options, ...(isTool && { outputByStatus: false }) } as RunOptions;
}

function problemOf({ name }: Field, value: unknown, rule: string): string {
	// JSON has no Infinity and no NaN.
	const shown = typeof value === 'number' ? String(value) : JSON.stringify(value ?? null);
	return `${optionLabel(name)} ${rule}, but is ${shown}`;
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

/** Switches beside the fields of an operation. */
const SWITCHES: readonly Field[] = [WAIT, DOWNLOAD];

/**
 * The value of a parameter. A switch gives `true` or `false`, or `fallback` where it is empty.
 *
 * @throws InvalidValues when a switch is neither
 */
export function switchValue(name: string, value: unknown, fallback: unknown): unknown {
	const field = SWITCHES.find((one) => one.name === name);
	if (!field) return value;
	if (!isFilled(value)) return fallback;
	const { value: read, broken } = field.read(value);
	if (!broken) return read;
	const why = `${broken}, but is ${JSON.stringify(value)}`;
	throw new InvalidValues(`${field.label} ${why}`);
}
