import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod/v3';

import type { Failing } from '../jobs/job';
import { DOWNLOAD_MEDIA } from '../parameters/names';
import type { Option } from '../parameters/option';
import { OPTIONS, SWITCHES } from '../parameters/options';
import type { ReadParameter } from '../request/readValues';
import type { Problem } from '../request/validate';
import type { Catalog, Operation } from '../spec/types';
import { InvalidValues } from './errors';
import { noOperation } from './noOperation';
import { checkSwitches, optionLabel, switchValue, withoutNothing } from './optionValues';

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

/** Reads the parameters of one item; one that the form does not show has its fallback. */
export function parameterReader(context: IExecuteFunctions, itemIndex: number): ReadParameter {
	// n8n throws for a missing parameter unless the fallback is something, be it null.
	return (name, fallback) =>
		switchValue(name, context.getNodeParameter(name, itemIndex, fallback ?? null), fallback);
}

/**
 * The operation that the user chose; the same for all items.
 *
 * @throws InvalidValues
 */
export function chosenOperation(context: IExecuteFunctions, catalog: Catalog): Operation {
	const read = parameterReader(context, 0);
	const [resource, name] = [read('resource', ''), read('operation', '')];
	const operation = catalog.operations.find(
		(candidate) => candidate.resource === resource && candidate.operation === name,
	);
	if (operation) return operation;
	throw noOperation(catalog, { resource, operation: name });
}

/**
 * The collection `options` of one item, and what stands up front of how its result is handed on.
 *
 * @param isTool an agent's tool has one output, whatever its options say
 * @throws InvalidValues
 */
export function readOptions(read: ReadParameter, isTool = false): RunOptions {
	checkSwitches(read);
	const given = givenOptions(read);
	const downloadMedia = read(DOWNLOAD_MEDIA, false) ?? false;
	const result = optionsSchema.safeParse({ ...withoutNothing(given), downloadMedia });
	if (result.success) {
		return { ...result.data, outputByStatus: result.data.outputByStatus && !isTool };
	}
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

/** The collection `options` as it is, unchecked. */
export function givenOptions(read: ReadParameter): Record<string, unknown> {
	const given = read('options', {}) ?? {};
	if (typeof given === 'object' && !Array.isArray(given)) return given as Record<string, unknown>;
	const message = `Options must be a collection, but is ${JSON.stringify(given)?.slice(0, 60)}`;
	throw new InvalidValues([{ field: 'options', message }]);
}

/** The same as typed, expressions as they stand: it can be read where one of them cannot be evaluated. */
export function typedOptions(context: Pick<IExecuteFunctions, 'getNode'>): Record<string, unknown> {
	const { options } = context.getNode().parameters ?? {};
	return Object(options) as Record<string, unknown>;
}

/** Ends of a job without a result that the user wants as items. */
export function nonErrorOutcomesOf(options: RunOptions): Failing[] {
	const { onTimeout, onJobFailure, outputByStatus } = options;
	return [
		...(onTimeout === 'item' || outputByStatus ? (['timeout'] as const) : []),
		...(onJobFailure === 'item' || outputByStatus ? (['failed'] as const) : []),
	];
}

/** ms between two polls of a job at most, where the user says so. */
export function maxPollIntervalOf({ pollInterval }: RunOptions): number | undefined {
	return pollInterval === undefined ? undefined : pollInterval * 1000;
}
