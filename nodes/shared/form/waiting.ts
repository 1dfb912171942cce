import type { INodeProperties } from 'n8n-workflow';

import { CONCURRENT_GENERATIONS, REQUESTS_PER_WINDOW, SHOWN_POLL_SECONDS } from '../spec/limits';

/** Whether a creation waits for its result; off, it hands on the job's identifier at once. */
export const WAIT_FOR_COMPLETION: INodeProperties = {
	displayName: 'Wait for Completion',
	name: 'waitForCompletion',
	type: 'boolean',
	default: true,
	description:
		'Whether to wait until the media is finished and output its URL. When off, the job ID is output at once; read it later with Job > Get Status or Wait for Completion.',
};

/** Seconds. */
export const DEFAULT_TIMEOUT = 600;

/** Seconds that an option may name at most: a year, which is as good as without end. */
export const MOST_SECONDS = 31_536_000;

const POLL_INTERVAL: INodeProperties = {
	displayName: 'Poll Interval',
	name: 'pollInterval',
	type: 'number',
	default: SHOWN_POLL_SECONDS,
	typeOptions: { minValue: 1, maxValue: MOST_SECONDS },
	description: `Longest time in seconds between two status checks of a job. By default, the first check comes when a job of this kind can be done, and checks come closer together while it is likely to finish. The account never sends more than ${REQUESTS_PER_WINDOW} requests a minute.`,
};

const TIMEOUT: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	default: DEFAULT_TIMEOUT,
	typeOptions: { minValue: 1, maxValue: MOST_SECONDS },
	description:
		'Seconds to wait for a job at most, from its creation on; a year is the longest. After that the node reports the job ID; the job itself goes on.',
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
			description: 'Fail with an error that names the job ID',
		},
		{
			name: 'Item',
			value: 'item',
			description: 'Output an item with the status as last seen and timedOut set to true',
		},
	],
	description: 'What to do when a job has not finished in time',
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
			description: 'Fail with an error that names the job ID and the reason',
		},
		{
			name: 'Item',
			value: 'item',
			description: 'Output an item with the status failed and the reason in errorMessage',
		},
	],
	description: 'What to do when the service could not make the media',
};

const MAX_CONCURRENT_JOBS: INodeProperties = {
	displayName: 'Max Concurrent Jobs',
	name: 'maxConcurrentJobs',
	type: 'number',
	default: CONCURRENT_GENERATIONS,
	typeOptions: { minValue: 1, maxValue: CONCURRENT_GENERATIONS },
	description: `How many jobs of this node run at the same time at most. The service allows ${CONCURRENT_GENERATIONS} for an account; a lower number leaves room for others.`,
};

const RESULT_FIELD: INodeProperties = {
	displayName: 'Result Field',
	name: 'resultField',
	type: 'string',
	default: '',
	placeholder: 'result.url',
	description:
		'Path of the field in the finished record that holds the media URL. Needed only when mediaUrl is not the right one: otherUrls in the output lists the other URLs with their paths.',
};

const SIMPLIFY: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

const DOWNLOAD_MEDIA: INodeProperties = {
	displayName: 'Download Media',
	name: 'downloadMedia',
	type: 'boolean',
	default: false,
	description:
		'Whether to download the finished media, so that the item carries it as files. A failed download does not fail the item: downloadErrors says why, and the URL stays.',
};

/** Name of the binary field of the first file. */
export const DEFAULT_BINARY_PROPERTY = 'data';

const BINARY_PROPERTY_NAME: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	default: DEFAULT_BINARY_PROPERTY,
	hint: 'The name of the output binary field to put the file in',
	description:
		'Further files of the same item are put in fields with a number added, such as data_1',
	displayOptions: { show: { downloadMedia: [true] } },
};

/** MB. */
export const DEFAULT_MAX_FILE_SIZE = 1024;

const MAX_FILE_SIZE: INodeProperties = {
	displayName: 'Max File Size',
	name: 'maxFileSize',
	type: 'number',
	default: DEFAULT_MAX_FILE_SIZE,
	typeOptions: { minValue: 1 },
	description: 'Size in MB above which a file is not downloaded',
	displayOptions: { show: { downloadMedia: [true] } },
};

const SPLIT_TAKES: INodeProperties = {
	displayName: 'Split Takes',
	name: 'splitTakes',
	type: 'boolean',
	default: false,
	description: 'Whether to give one item per take instead of one item with all takes',
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
			description: 'Wait in the running execution: fastest, for jobs of seconds or a few minutes',
		},
		{
			name: 'Durable',
			value: 'durable',
			description:
				"Park the execution in n8n's database: holds no worker, and survives restarts and crashes of n8n. Takes up to a minute longer.",
		},
	],
	description: 'Where the execution is while it waits',
};

/** Only while the creation waits. */
const whileWaiting = (property: INodeProperties): INodeProperties => ({
	...property,
	displayOptions: { show: { ...property.displayOptions?.show, '/waitForCompletion': [true] } },
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
 * The collection `options` of an operation that starts a job.
 *
 * @param hasTakes whether it may yield several takes
 */
export const createOptions = (hasTakes: boolean) =>
	options([
		whileWaiting(DOWNLOAD_MEDIA),
		MAX_CONCURRENT_JOBS,
		whileWaiting(MAX_FILE_SIZE),
		whileWaiting(ON_JOB_FAILURE),
		whileWaiting(ON_TIMEOUT),
		whileWaiting(POLL_INTERVAL),
		whileWaiting(BINARY_PROPERTY_NAME),
		whileWaiting(RESULT_FIELD),
		SIMPLIFY,
		...(hasTakes ? [whileWaiting(SPLIT_TAKES)] : []),
		whileWaiting(TIMEOUT),
		whileWaiting(WAIT_MODE),
	]);

export const FOLLOW_OPTIONS = options([
	DOWNLOAD_MEDIA,
	MAX_FILE_SIZE,
	ON_JOB_FAILURE,
	ON_TIMEOUT,
	POLL_INTERVAL,
	BINARY_PROPERTY_NAME,
	RESULT_FIELD,
	SIMPLIFY,
	TIMEOUT,
]);
export const STATUS_OPTIONS = options([
	DOWNLOAD_MEDIA,
	MAX_FILE_SIZE,
	BINARY_PROPERTY_NAME,
	RESULT_FIELD,
	SIMPLIFY,
]);
