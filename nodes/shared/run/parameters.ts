import type { IExecuteFunctions } from 'n8n-workflow';
import { z } from 'zod/v3';

import {
	DEFAULT_BINARY_PROPERTY,
	DEFAULT_MAX_FILE_SIZE,
	DEFAULT_TIMEOUT,
	MOST_SECONDS,
	ON_END,
	WAIT_MODES,
	type OnEnd,
	type WaitMode,
} from '../form/waiting';
import type { Failing } from '../jobs/job';
import type { OutputOptions } from '../output/jobOutput';
import { DOWNLOAD_MEDIA } from '../parameters/names';
import type { ReadParameter } from '../request/readValues';
import type { Problem } from '../request/validate';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import type { Catalog, Operation } from '../spec/types';
import { InvalidValues } from './errors';
import { noOperation } from './noOperation';
import { checkSwitches, optionLabel, optionValues, switchValue } from './optionValues';

export interface RunOptions extends OutputOptions {
	/** Seconds; the polling plan alone counts when absent. */
	pollInterval?: number;
	/** Seconds. */
	timeout: number;
	onTimeout: OnEnd;
	onJobFailure: OnEnd;
	/** Of this run, running at the same time. */
	maxConcurrentJobs: number;
	/** Results become files of the item. */
	downloadMedia: boolean;
	/** Of the first file in the item. */
	binaryPropertyName: string;
	/** Of one file, MB. */
	maxFileSize: number;
	/** One item for each take. */
	splitTakes: boolean;
	/** Where the execution is while it waits. */
	waitMode: WaitMode;
	/** Credits that all items of a run may cost together; without end when absent. */
	maxCredits?: number;
	/** Nothing is created where the balance does not cover all items. */
	checkBalance: boolean;
	/** Nothing is created: the items say what they would cost. */
	estimateOnly: boolean;
	/** An output for each state of a job. */
	outputByStatus: boolean;
}

const seconds = z.coerce
	.number({ invalid_type_error: 'must be a number of seconds' })
	.min(1, 'must be at least 1 second')
	.max(MOST_SECONDS, `must be at most ${MOST_SECONDS} seconds (a year)`);

const oneOf = <T extends string>(values: readonly [T, ...T[]]) =>
	z.enum(values, { errorMap: () => ({ message: `must be one of ${values.join(', ')}` }) });

const NO_CREDITS = { invalid_type_error: 'must be a number of credits' };

const credits = z.preprocess(
	(value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value),
	z.number(NO_CREDITS).finite(NO_CREDITS.invalid_type_error).min(0, 'must be at least 0'),
);

/** Options that keep a run from paying: one whose expression gives nothing is not left out unawares. */
export const GUARDS: readonly string[] = ['maxCredits', 'checkBalance', 'estimateOnly'];

const toggle = (byDefault: boolean) =>
	z.boolean({ invalid_type_error: 'must be true or false' }).default(byDefault);

const text = z.string({ invalid_type_error: 'must be a text' }).trim();

const optionsSchema = z.object({
	pollInterval: seconds.optional(),
	timeout: seconds.default(DEFAULT_TIMEOUT),
	onTimeout: oneOf(ON_END).default('error'),
	onJobFailure: oneOf(ON_END).default('error'),
	maxConcurrentJobs: z.coerce
		.number({ invalid_type_error: 'must be a number of jobs' })
		.int('must be a whole number')
		.min(1, 'must be at least 1')
		.max(CONCURRENT_GENERATIONS, `must be at most ${CONCURRENT_GENERATIONS}`)
		.default(CONCURRENT_GENERATIONS),
	downloadMedia: toggle(false),
	binaryPropertyName: text.default('').transform((name) => name || DEFAULT_BINARY_PROPERTY),
	maxFileSize: z.coerce
		.number({ invalid_type_error: 'must be a number of MB' })
		.positive('must be greater than 0')
		.finite('must be a number of MB')
		.default(DEFAULT_MAX_FILE_SIZE),
	splitTakes: toggle(false),
	waitMode: oneOf(WAIT_MODES).default('inProcess'),
	resultField: text.default(''),
	simplify: toggle(true),
	maxCredits: credits.optional(),
	checkBalance: toggle(false),
	estimateOnly: toggle(false),
	outputByStatus: toggle(false),
});

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
	const options = Object.entries(optionValues(given)).map(([name, value]) => [
		name,
		value === undefined && GUARDS.includes(name) ? null : value,
	]);
	const downloadMedia = read(DOWNLOAD_MEDIA, false) ?? false;
	const result = optionsSchema.safeParse({ ...Object.fromEntries(options), downloadMedia });
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
