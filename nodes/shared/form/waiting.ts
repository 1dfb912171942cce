import type { INodeProperties } from 'n8n-workflow';

import { DOWNLOAD_MEDIA, OUTPUT_BY_STATUS } from '../parameters/names';
import { CONCURRENT_GENERATIONS, SHOWN_POLL_SECONDS } from '../spec/limits';
import type { Operation } from '../spec/types';

/** Whether a creation waits for its result; off, it hands on the job's identifier at once. */
export const WAIT_FOR_COMPLETION: INodeProperties = {
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	type: 'boolean',
	default: true,
	description:
		'Whether to wait for the finished media and output its URL. When off, the job ID is output once the job has begun.',
};

/** Seconds. */
export const DEFAULT_TIMEOUT = 600;

/** Seconds that an option may name at most: a year, which is as good as without end. */
export const MOST_SECONDS = 31_536_000;

const POLL_INTERVAL: INodeProperties = {
	displayName: 'Poll Interval (Seconds)',
	name: 'pollInterval',
	type: 'number',
	default: SHOWN_POLL_SECONDS,
	typeOptions: { minValue: 1, maxValue: MOST_SECONDS },
	description:
		'Longest time between two checks. Without it, they come when the job is likely to finish.',
};

const TIMEOUT: INodeProperties = {
	displayName: 'Timeout (Seconds)',
	name: 'timeout',
	type: 'number',
	default: DEFAULT_TIMEOUT,
	typeOptions: { minValue: 1, maxValue: MOST_SECONDS },
	description:
		'How long to wait at most, from the creation of the job on. Then the node reports the job ID; the job goes on.',
};

/** What becomes of a job without a result. */
export const ON_END = ['error', 'item'] as const;
export type OnEnd = (typeof ON_END)[number];

const ON_TIMEOUT: INodeProperties = {
	displayName: 'On Timeout',
	name: 'onTimeout',
	type: 'options',
	default: 'error',
	options: [
		{
			name: 'Error',
			value: 'error',
			description: 'Fail, with the job ID',
		},
		{
			name: 'Item',
			value: 'item',
			description: 'Output an item with the last status and timedOut',
		},
	],
	description: 'What to do when a job takes too long',
	displayOptions: { hide: { outputByStatus: [true] } },
};

const ON_JOB_FAILURE: INodeProperties = {
	displayName: 'On Job Failure',
	name: 'onJobFailure',
	type: 'options',
	default: 'error',
	options: [
		{
			name: 'Error',
			value: 'error',
			description: 'Fail, with the job ID and the reason',
		},
		{
			name: 'Item',
			value: 'item',
			description: 'Output an item with the reason in errorMessage',
		},
	],
	description: 'What to do when a job fails',
	displayOptions: { hide: { outputByStatus: [true] } },
};

const MAX_CONCURRENT_JOBS: INodeProperties = {
	displayName: 'Max Concurrent Jobs',
	name: 'maxConcurrentJobs',
	type: 'number',
	default: CONCURRENT_GENERATIONS,
	typeOptions: { minValue: 1, maxValue: CONCURRENT_GENERATIONS },
	description: `How many jobs of this node run at a time. An account may have ${CONCURRENT_GENERATIONS}; fewer leave room for others.`,
};

const RESULT_FIELD: INodeProperties = {
	displayName: 'Result Field',
	name: 'resultField',
	type: 'string',
	default: '',
	placeholder: 'result.url',
	description:
		'Path of the media URL in the finished record. Needed only when mediaUrl is another one: otherUrls lists paths.',
};

const SIMPLIFY: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

export const DOWNLOAD_FILE: INodeProperties = {
	displayName: 'Download File',
	name: DOWNLOAD_MEDIA,
	type: 'boolean',
	default: false,
	description:
		'Whether to add the media to the item as files, too. If a download fails, the URL stays and downloadErrors says why.',
};

/** Name of the binary field of the first file. */
export const DEFAULT_BINARY_PROPERTY = 'data';

const BINARY_PROPERTY_NAME: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: DEFAULT_BINARY_PROPERTY,
	description:
		'Output binary field for the file. Further files of an item have a number added, such as data_1.',
	displayOptions: { show: { [`/${DOWNLOAD_MEDIA}`]: [true] } },
};

/** MB. */
export const DEFAULT_MAX_FILE_SIZE = 1024;

const MAX_FILE_SIZE: INodeProperties = {
	displayName: 'Max File Size (MB)',
	name: 'maxFileSize',
	type: 'number',
	default: DEFAULT_MAX_FILE_SIZE,
	typeOptions: { minValue: 1 },
	description: 'Larger files are not downloaded',
	displayOptions: { show: { [`/${DOWNLOAD_MEDIA}`]: [true] } },
};

const SPLIT_TAKES: INodeProperties = {
	displayName: 'Split Takes',
	name: 'splitTakes',
	type: 'boolean',
	default: false,
	description: 'Whether to give each take an item of its own',
};

/** Credits; what the option says when it is added. */
const FIRST_MAX_CREDITS = 100;

const MAX_CREDITS: INodeProperties = {
	displayName: 'Max Credits per Run',
	name: 'maxCredits',
	type: 'number',
	default: FIRST_MAX_CREDITS,
	typeOptions: { minValue: 0 },
	description:
		'Creates nothing when all items of a run together could cost more. Paid jobs do not count.',
};

const CHECK_BALANCE: INodeProperties = {
	displayName: 'Check Balance',
	name: 'checkBalance',
	type: 'boolean',
	default: true,
	description:
		'Whether to create nothing when the credit balance does not cover all items. Welcome credits in it do not pay for API use.',
};

const ESTIMATE_ONLY: INodeProperties = {
	displayName: 'Estimate Only',
	name: 'estimateOnly',
	type: 'boolean',
	default: true,
	description: 'Whether to output what each item would cost instead of creating it',
};

const BY_STATUS: INodeProperties = {
	displayName: 'Output by Status',
	name: OUTPUT_BY_STATUS,
	type: 'boolean',
	default: true,
	noDataExpression: true,
	description:
		'Whether to have the outputs Completed, Failed and In Progress. Jobs that fail or take too long are no errors then.',
};

/** Where an execution is while it waits. */
export const WAIT_MODES = ['inProcess', 'durable'] as const;
export type WaitMode = (typeof WAIT_MODES)[number];

const WAIT_MODE: INodeProperties = {
	displayName: 'Wait Mode',
	name: 'waitMode',
	type: 'options',
	default: 'inProcess',
	options: [
		{
			name: 'In Process',
			value: 'inProcess',
			description: 'Wait in the running execution: fastest, for jobs of up to a few minutes',
		},
		{
			name: 'Durable',
			value: 'durable',
			description:
				"Park the execution in n8n's database: survives restarts and crashes, and takes up to a minute longer",
		},
	],
	description: 'Where the execution is while it waits',
};

/**
 * Not where a creation hands on its job at once. Operations that read jobs have no such switch; theirs
 * are under the same condition, so that the form has them once.
 */
const whileWaiting = (property: INodeProperties): INodeProperties => ({
	...property,
	displayOptions: {
		...property.displayOptions,
		hide: { ...property.displayOptions?.hide, [`/${WAIT_FOR_COMPLETION.name}`]: [false] },
	},
});

const options = (properties: INodeProperties[]): INodeProperties => ({
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: properties,
});

/**
 * What is up front about waiting for a job, and about its result.
 *
 * @param operation one that starts jobs, or reads them
 */
export function waitingProperties(operation: Operation): INodeProperties[] {
	if (operation.kind === 'status') return [whileWaiting(DOWNLOAD_FILE)];
	if (operation.kind !== 'create' && operation.kind !== 'any') return [];
	return [WAIT_FOR_COMPLETION, whileWaiting(DOWNLOAD_FILE)];
}

/**
 * The collection `options` of an operation that starts a job.
 *
 * @param hasTakes whether it may yield several takes
 */
export const createOptions = (hasTakes: boolean) =>
	options([
		CHECK_BALANCE,
		ESTIMATE_ONLY,
		MAX_CONCURRENT_JOBS,
		MAX_CREDITS,
		MAX_FILE_SIZE,
		whileWaiting(ON_JOB_FAILURE),
		whileWaiting(ON_TIMEOUT),
		BY_STATUS,
		whileWaiting(POLL_INTERVAL),
		BINARY_PROPERTY_NAME,
		whileWaiting(RESULT_FIELD),
		SIMPLIFY,
		...(hasTakes ? [whileWaiting(SPLIT_TAKES)] : []),
		whileWaiting(TIMEOUT),
		whileWaiting(WAIT_MODE),
	]);

export const FOLLOW_OPTIONS = options([
	MAX_FILE_SIZE,
	whileWaiting(ON_JOB_FAILURE),
	whileWaiting(ON_TIMEOUT),
	BY_STATUS,
	whileWaiting(POLL_INTERVAL),
	BINARY_PROPERTY_NAME,
	whileWaiting(RESULT_FIELD),
	SIMPLIFY,
	whileWaiting(TIMEOUT),
]);
export const STATUS_OPTIONS = options([
	MAX_FILE_SIZE,
	BY_STATUS,
	BINARY_PROPERTY_NAME,
	whileWaiting(RESULT_FIELD),
	SIMPLIFY,
]);

/**
 * The collection `options` of a trigger: what becomes of a finished job.
 *
 * @param more options of its own
 */
export const triggerOptions = (...more: INodeProperties[]) =>
	options([MAX_FILE_SIZE, ...more, BINARY_PROPERTY_NAME, RESULT_FIELD, SIMPLIFY]);
