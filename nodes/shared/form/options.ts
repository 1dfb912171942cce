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
	/** As it was typed; absent where the option was not added. */
	continueExecution?: string;
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
	waitForCompletion: boolean;
}

/** Switches at the top of the form, beside the fields of an operation. */
export const WAIT = toggle(
	WAIT_FOR_COMPLETION,
	'Wait for Completion',
	'Whether to wait for the finished media and output its URL. When off, the job ID is output once the job has begun.',
	{ byDefault: true },
);

export const DOWNLOAD = toggle(
	DOWNLOAD_MEDIA,
	'Download File',
	'Whether to add the media to the item as files, too. If a download fails, the URL stays and downloadErrors says why.',
	{ byDefault: false },
);

/** In seconds; as good as no limit. */
const A_YEAR = 31_536_000;

/** Outputs are known before an expression is evaluated. */
const OUTPUTS_OPTION = toggle(
	OUTPUT_BY_STATUS,
	'Output by Status',
	'Whether to have the outputs Completed, Failed and In Progress. Jobs that fail or take too long are no errors then.',
	{ byDefault: false, start: true },
);

/** What may be in the collection `options`; `byDefault` applies where it is not added. */
export const OPTIONS: readonly Field[] = [
	text(
		CONTINUE_EXECUTION,
		'Continue Execution',
		'Number of an execution of this workflow, in the editor only: its paid jobs are taken, and rows that are missing, failed or changed are started',
		{ isWord: true, placeholder: '231' },
	),
	toggle(
		ESTIMATE_ONLY,
		'Estimate Only',
		'Whether to output what each item would cost instead of creating it',
		{ byDefault: false, start: true },
	),
	number(
		'maxConcurrentJobs',
		'Max Concurrent Jobs',
		'How many jobs of this node run at a time; otherwise as many as an account may have',
		{
			byDefault: CONCURRENT_GENERATIONS,
			start: 1,
			min: 1,
			max: CONCURRENT_GENERATIONS,
			isWhole: true,
		},
	),
	number(
		'maxCredits',
		'Max Credits per Run',
		'Creates nothing when all items of a run together could cost more; jobs that an earlier try has paid for do not count',
		{ min: 0, start: 100 },
	),
	{ ...OUTPUTS_OPTION, property: { ...OUTPUTS_OPTION.property, noDataExpression: true } },
	text(
		'binaryPropertyName',
		'Put Output File in Field',
		'Binary field for the file. Further files get a number, such as data_1.',
		{ byDefault: 'data', isWord: true, when: { [DOWNLOAD_MEDIA]: [true] } },
	),
	text(
		'resultField',
		'Result Field',
		'Path of the media URL in the finished record, if mediaUrl is another one: details.otherUrls lists paths',
		{ byDefault: '', isWord: true, placeholder: 'result.url' },
	),
	toggle(
		'simplify',
		'Simplify',
		'Whether to return a simplified version of the response instead of the raw data',
		{ byDefault: true },
	),
	number(
		'timeout',
		'Timeout (Seconds)',
		'How long to wait for a job, 600 unless you say otherwise; then it goes on, and the error has its ID',
		{ byDefault: 600, start: 1800, min: 1, max: A_YEAR },
	),
	choice(
		'waitMode',
		'Wait Mode',
		'Where the execution is while it waits; in process unless you say otherwise',
		{
			inProcess: ['In Process', 'Wait in the running execution: fastest, for short jobs'],
			durable: [
				'Durable',
				"Park the execution in n8n's database: survives restarts and crashes, and takes up to a minute longer",
			],
		},
		{ byDefault: 'inProcess', start: 'durable' },
	),
];

/** Options that keep a run from paying. One whose expression returns nothing is refused, not ignored. */
export const GUARDS: readonly string[] = ['maxCredits', ESTIMATE_ONLY, CONTINUE_EXECUTION];
