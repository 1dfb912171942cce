import { choice, type Field, number, text, toggle } from '../spec/field';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import {
	CONTINUE_EXECUTION,
	DOWNLOAD_MEDIA,
	ESTIMATE_ONLY,
	OUTPUT_BY_STATUS,
	WAIT_FOR_COMPLETION,
} from './names';

/** What a person sets beside the fields of the service, as its values are read. */
export interface RunOptions {
	continueExecution: string;
	estimateOnly: boolean;
	maxConcurrentJobs: number;
	/** No limit when absent. */
	maxCredits?: number;
	outputByStatus: boolean;
	binaryPropertyName: string;
	resultField: string;
	simplify: boolean;
	/** In seconds. */
	timeout: number;
	waitMode: 'inProcess' | 'durable';
	/** Whether results become files of the item. */
	downloadMedia: boolean;
}

/** Switches beside the fields of an operation. */
export const WAIT = toggle(WAIT_FOR_COMPLETION, 'Wait for Completion', {
	byDefault: true,
	description:
		'Whether to wait for the finished media and output its URL. When off, the job ID is output once the job has begun.',
});

export const DOWNLOAD = toggle(DOWNLOAD_MEDIA, 'Download File', {
	byDefault: false,
	description:
		'Whether to add the media to the item as files, too. If a download fails, the URL stays and downloadErrors says why.',
});

/** In seconds; as good as no limit. */
const A_YEAR = 31_536_000;

/** Outputs are known before an expression is evaluated. */
const OUTPUTS_OPTION = toggle(OUTPUT_BY_STATUS, 'Output by Status', {
	byDefault: false,
	start: true,
	description:
		'Whether to have the outputs Completed, Failed and In Progress. Jobs that fail or take too long are no errors then.',
});

/** What may be in the collection `options`; `byDefault` applies where it is not added. */
export const OPTIONS: readonly Field[] = [
	text(CONTINUE_EXECUTION, 'Continue Execution', {
		byDefault: '',
		isWord: true,
		placeholder: '231',
		description:
			'Number of an execution of this workflow, in the editor only: its paid jobs are taken, and rows that are missing, failed or changed are started',
	}),
	toggle(ESTIMATE_ONLY, 'Estimate Only', {
		byDefault: false,
		start: true,
		description: 'Whether to output what each item would cost instead of creating it',
	}),
	number('maxConcurrentJobs', 'Max Concurrent Jobs', {
		byDefault: CONCURRENT_GENERATIONS,
		start: 1,
		min: 1,
		max: CONCURRENT_GENERATIONS,
		isWhole: true,
		description:
			'How many jobs of this node run at a time; otherwise as many as an account may have',
	}),
	number('maxCredits', 'Max Credits per Run', {
		min: 0,
		start: 100,
		description:
			'Creates nothing when all items of a run together could cost more; jobs that an earlier try has paid for do not count',
	}),
	{ ...OUTPUTS_OPTION, property: { ...OUTPUTS_OPTION.property, noDataExpression: true } },
	text('binaryPropertyName', 'Put Output File in Field', {
		byDefault: 'data',
		isWord: true,
		when: { [DOWNLOAD_MEDIA]: [true] },
		description: 'Binary field for the file. Further files get a number, such as data_1.',
	}),
	text('resultField', 'Result Field', {
		byDefault: '',
		isWord: true,
		placeholder: 'result.url',
		description:
			'Path of the media URL in the finished record, if mediaUrl is another one: details.otherUrls lists paths',
	}),
	toggle('simplify', 'Simplify', {
		byDefault: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	}),
	number('timeout', 'Timeout (Seconds)', {
		byDefault: 600,
		start: 1800,
		min: 1,
		max: A_YEAR,
		description:
			'How long to wait for a job, 600 unless you say otherwise; then it goes on, and the error has its ID',
	}),
	choice(
		'waitMode',
		'Wait Mode',
		[
			{
				value: 'inProcess',
				label: 'In Process',
				help: 'Wait in the running execution: fastest, for short jobs',
			},
			{
				value: 'durable',
				label: 'Durable',
				help: "Park the execution in n8n's database: survives restarts and crashes, and takes up to a minute longer",
			},
		],
		{
			byDefault: 'inProcess',
			start: 'durable',
			description: 'Where the execution is while it waits; in process unless you say otherwise',
		},
	),
];

/** Options that keep a run from paying. One whose expression returns nothing is refused, not ignored. */
export const GUARDS: readonly string[] = ['maxCredits', ESTIMATE_ONLY];
