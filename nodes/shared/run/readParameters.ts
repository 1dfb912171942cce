import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod/v3';

import { DOWNLOAD_MEDIA } from '../parameters/names';
import { GUARDS, type Option, OPTIONS, SWITCHES } from '../parameters/options';
import type { ReadParameter } from '../request/readValues';
import { InvalidValues, type Problem } from '../request/validate';
import { capitalized, own } from '../spec/conditions';
import type { Catalog, Operation } from '../spec/types';

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
		[{ field, message }],
		`${advice} There are: ${possible.join(', ')}. Nothing was sent, nothing was charged.`,
	);
}

type Schemas<T> = { [Name in keyof T]: T[Name] extends { value: infer Schema } ? Schema : never };

const schemasOf = <T extends Record<string, Option<unknown>>>(options: T) =>
	Object.fromEntries(
		Object.entries(options).map(([name, { value }]) => [name, value]),
	) as Schemas<T>;

const optionsSchema = z.object({
	...schemasOf(OPTIONS),
	[DOWNLOAD_MEDIA]: SWITCHES[DOWNLOAD_MEDIA].value,
});

/** The options, and whether results become files of the item. */
export type RunOptions = z.output<typeof optionsSchema>;

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
 * The collection `options` of one item, and the parameters outside it that say how its result is handed on.
 *
 * @param isTool an agent's tool has one output, whatever its options say
 * @throws InvalidValues
 */
export function readOptions(read: ReadParameter, isTool = false): RunOptions {
	// So that one that is neither on nor off is found before anything is sent.
	for (const name of Object.keys(SWITCHES)) read(name, false);
	const given = givenOptions(read);
	const downloadMedia = read(DOWNLOAD_MEDIA, false) ?? false;
	const result = optionsSchema.safeParse(withoutNothing({ ...given, downloadMedia }));
	if (result.success) return isTool ? { ...result.data, outputByStatus: false } : result.data;
	throw new InvalidValues(
		result.error.issues.map(({ path: [name], message }): Problem => {
			const value = given[String(name)];
			// JSON has no Infinity and no NaN.
			const shown = typeof value === 'number' ? String(value) : JSON.stringify(value);
			return {
				field: String(name),
				message: `${optionLabel(String(name))} ${message}, but is ${shown}`,
			};
		}),
	);
}

/** The collection `options`, its values unchecked. Throws InvalidValues where it is not a collection. */
export function givenOptions(read: ReadParameter): Record<string, unknown> {
	const given = read('options', {}) ?? {};
	if (typeof given === 'object' && !Array.isArray(given)) return given as Record<string, unknown>;
	const message = `Options must be a collection, but is ${JSON.stringify(given)?.slice(0, 60)}`;
	throw new InvalidValues([{ field: 'options', message }]);
}

/** The same as typed, expressions unevaluated: it can be read even where one of them would fail. */
export function typedOptions(context: Pick<IExecuteFunctions, 'getNode'>): Record<string, unknown> {
	const { options } = context.getNode().parameters ?? {};
	return Object(options) as Record<string, unknown>;
}

/** An option's name in the form, without its unit, such as `Options > Timeout`. */
export function optionLabel(name: string): string {
	const label = own<{ property: { displayName: string } }>(OPTIONS, name)?.property.displayName;
	return `Options > ${(label ?? name).replace(/ \(.*\)$/, '')}`;
}

/**
 * The options, without those whose expression gives nothing: they count as not added. Such a guard becomes
 * `null`, so that it can be refused.
 */
const withoutNothing = (given: Readonly<Record<string, unknown>>) =>
	Object.fromEntries(
		Object.entries(given).map(([name, value]) => {
			const nothing = GUARDS.includes(name) ? null : undefined;
			return [name, isNothing(value) ? nothing : value];
		}),
	);

function isNothing(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && !value.trim());
}

/**
 * The value of a parameter. A switch gives `true` or `false`, or `fallback` where it is empty.
 *
 * @throws InvalidValues when a switch is neither
 */
export function switchValue(name: string, value: unknown, fallback: unknown): unknown {
	const toggle = own(SWITCHES, name);
	if (!toggle) return value;
	if (isNothing(value)) return fallback;
	const { success, data, error } = toggle.value.safeParse(value);
	if (success) return data;
	const why = `${error.issues[0]?.message}, but is ${JSON.stringify(value)}`;
	throw new InvalidValues([{ field: name, message: `${toggle.property.displayName} ${why}` }]);
}
