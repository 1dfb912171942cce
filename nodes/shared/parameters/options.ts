import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v3';

import { booleanIn, trimmed } from '../spec/conditions';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import {
	CONTINUE_EXECUTION,
	DOWNLOAD_MEDIA,
	ESTIMATE_ONLY,
	OUTPUT_BY_STATUS,
	RETURN_ALL,
} from './names';

/** A parameter beside the fields of the service: what the form says of it, and how its value is read. */
export interface Option<T> {
	property: Omit<INodeProperties, 'name'>;
	/** Also takes what expressions often return instead of its type. Messages follow the option's name. */
	value: z.ZodType<T, z.ZodTypeDef, unknown>;
}

type Words = Omit<INodeProperties, 'name' | 'type' | 'default'>;

/** Falls back to `byDefault` where nothing is given. */
const orElse = <T, D>(schema: z.ZodType<T, z.ZodTypeDef, unknown>, byDefault: D) =>
	schema.optional().transform((value) => value ?? byDefault) as z.ZodType<
		T | D,
		z.ZodTypeDef,
		unknown
	>;

/** @param start what the form begins with when the option is added */
function toggle(words: Words, byDefault: boolean, start = byDefault): Option<boolean> {
	const schema = z.boolean({ invalid_type_error: 'must be true or false' });
	return {
		property: { ...words, type: 'boolean', default: start },
		value: orElse(z.preprocess(booleanIn, schema), byDefault),
	};
}

function text(words: Words, byDefault: string): Option<string> {
	const schema = z.string({ invalid_type_error: 'must be a text' }).trim();
	const numberAsText = (value: unknown) => (typeof value === 'number' ? String(value) : value);
	return {
		property: { ...words, type: 'string', default: byDefault },
		value: orElse(z.preprocess(numberAsText, schema), byDefault),
	};
}

const textIn = (value: unknown) => (typeof value === 'string' ? trimmed(value) : value);

/**
 * @param choices the first is the default
 * @param start what the form begins with when the option is added
 */
function choice<T extends string>(
	words: Words,
	choices: ReadonlyArray<{ name: string; value: T; description: string }>,
	start: T,
): Option<T> {
	const values = choices.map(({ value }) => value) as [T, ...T[]];
	const message = `must be one of ${values.join(', ')}`;
	return {
		property: { ...words, type: 'options', default: start, options: [...choices] },
		value: orElse(
			z.preprocess(textIn, z.enum(values, { errorMap: () => ({ message }) })),
			values[0],
		),
	};
}

interface Bounds {
	/** What is counted. */
	unit: string;
	min: number;
	max?: number;
	isWhole?: boolean;
}

/** @param start what the form begins with when the option is added */
function number<D extends number | undefined>(
	words: Words,
	bounds: Bounds,
	byDefault: D,
	start: number | undefined = byDefault,
): Option<number | D> {
	const { min, max } = bounds;
	return {
		property: {
			...words,
			type: 'number',
			default: start,
			typeOptions: { minValue: min, ...(max === undefined ? {} : { maxValue: max }) },
		},
		value: orElse(z.preprocess(numberIn, numberWithin(bounds)), byDefault),
	};
}

function numberWithin({ unit, min, max, isWhole = false }: Bounds) {
	const isWithin = (value: unknown) =>
		typeof value === 'number' &&
		value >= min &&
		value <= (max ?? Number.MAX_VALUE) &&
		(!isWhole || Number.isInteger(value));
	const message = `must be a ${isWhole ? 'whole ' : ''}number of ${unit} from ${min} `;
	return z.custom<number>(isWithin, message + (max === undefined ? 'on' : `to ${max}`));
}

const numberIn = (value: unknown) =>
	typeof value === 'string' && value.trim() !== '' ? Number(value) : value;

/** Switches beside the fields of an operation, by name of the parameter. */
export const SWITCHES = {
	waitForCompletion: toggle(
		{
			displayName: 'Wait for Completion',
			description:
				'Whether to wait for the finished media and output its URL. When off, the job ID is output once the job has begun.',
		},
		true,
	),
	[DOWNLOAD_MEDIA]: toggle(
		{
			displayName: 'Download File',
			description:
				'Whether to add the media to the item as files, too. If a download fails, the URL stays and downloadErrors says why.',
		},
		false,
	),
	[RETURN_ALL]: toggle(
		{
			displayName: 'Return All',
			description: 'Whether to return all results or only up to a given limit',
		},
		false,
	),
};

/** In seconds; as good as no limit. */
const A_YEAR = 31_536_000;

const SECONDS = { unit: 'seconds', min: 1, max: A_YEAR };

const FOR_FILES = { show: { [`/${DOWNLOAD_MEDIA}`]: [true] } };

/** What may be in the collection `options`, by name. */
export const OPTIONS = {
	[CONTINUE_EXECUTION]: text(
		{
			displayName: 'Continue Execution',
			placeholder: 'e.g. 231',
			description:
				'Number of an execution of this workflow, in the editor only: its paid jobs are taken, and rows that are missing, failed or changed are started',
		},
		'',
	),
	[ESTIMATE_ONLY]: toggle(
		{
			displayName: 'Estimate Only',
			description: 'Whether to output what each item would cost instead of creating it',
		},
		false,
		true,
	),
	maxConcurrentJobs: number(
		{
			displayName: 'Max Concurrent Jobs',
			description: `How many jobs of this node run at a time. An account may have ${CONCURRENT_GENERATIONS}, which is what applies otherwise.`,
		},
		{ unit: 'jobs', min: 1, max: CONCURRENT_GENERATIONS, isWhole: true },
		CONCURRENT_GENERATIONS,
		1,
	),
	/** No limit when absent. */
	maxCredits: number(
		{
			displayName: 'Max Credits per Run',
			description:
				'Creates nothing when all items of a run together could cost more. Jobs that an earlier try has paid for do not count.',
		},
		{ unit: 'credits', min: 0 },
		undefined,
		100,
	),
	[OUTPUT_BY_STATUS]: toggle(
		{
			displayName: 'Output by Status',
			description:
				'Whether to have the outputs Completed, Failed and In Progress. Jobs that fail or take too long are no errors then.',
			noDataExpression: true,
		},
		false,
		true,
	),
	binaryPropertyName: text(
		{
			displayName: 'Put Output File in Field',
			description: 'Binary field for the file. Further files get a number, such as data_1.',
			displayOptions: FOR_FILES,
		},
		'data',
	),
	resultField: text(
		{
			displayName: 'Result Field',
			placeholder: 'result.url',
			description:
				'Path of the media URL in the finished record, if mediaUrl is another one: details.otherUrls lists paths',
		},
		'',
	),
	simplify: toggle(
		{
			displayName: 'Simplify',
			description: 'Whether to return a simplified version of the response instead of the raw data',
		},
		true,
	),
	timeout: number(
		{
			displayName: 'Timeout (Seconds)',
			description:
				'How long to wait for a job, from its creation on; 600 unless you say otherwise. Then the job goes on, and the error has its ID.',
		},
		SECONDS,
		600,
		1800,
	),
	waitMode: choice(
		{
			displayName: 'Wait Mode',
			description: 'Where the execution is while it waits; in process unless you say otherwise',
		},
		[
			{
				name: 'In Process',
				value: 'inProcess',
				description: 'Wait in the running execution: fastest, for short jobs',
			},
			{
				name: 'Durable',
				value: 'durable',
				description:
					"Park the execution in n8n's database: survives restarts and crashes, and takes up to a minute longer",
			},
		],
		'durable',
	),
};

/** Options that keep a run from paying. One whose expression returns nothing is refused, not ignored. */
export const GUARDS: readonly string[] = ['maxCredits', ESTIMATE_ONLY];
