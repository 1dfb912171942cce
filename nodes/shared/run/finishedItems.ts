import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { attempt } from '../clock/clock';
import { downloadMedia, type FailedDownloads, type Fetching } from '../files/download';
import { slugOf } from '../files/media';
import type { RunOptions } from '../form/options';
import { type JobSnapshot, jobName, withJob } from '../orders/job';
import type { JobResult } from '../orders/jobContext';
import { textIn } from '../orders/readRecord';
import { arranged, flat, jobOutput, type Origin, originOf } from '../output/item';
import { type Found, resultIn, resultUrls, type ResultUrls } from '../output/resultUrls';
import { COMPLETED, DETAILS, PROMPT_FIELD } from '../spec/answers';
import { firstInWords } from '../spec/values';
import type { CreateOperation } from '../spec/operation';
import { hint, info, rowFirst, rowNumber } from './messages';
import { itemOf, type ItemPlan, rowOf, type Run } from './run';
import { untoldText } from './tell';

/**
 * The item of a job, with its files where the options ask for them. A failed download loses no item: the URLs stay in it,
 * with the reason beside them.
 */
export async function finishedItem(
	run: Run,
	plan: ItemPlan,
	job: JobSnapshot,
	from: Origin,
): Promise<INodeExecutionData> {
	const { options, itemIndex } = plan;
	const { resultField, simplify } = options;
	const origin = withSettings(run, from);
	run.seen.set(itemIndex, job);
	const urls = resultUrls(job, origin, resultField);
	const { main, rivals, missing } = urls;
	const told = jobOutput(job, origin, options, urls);
	const isBare = missing !== undefined && main.length === 0;
	const json =
		isBare && simplify ? arranged({ ...told, result: resultIn(job.record) }, 'job') : told;
	if (missing !== undefined) hint(run, missingText(plan, job, missing, urls));
	if (rivals.length > 0) hint(run, rivalsText(urls));
	const item = itemOf(plan, json);
	if (!options.downloadMedia || job.state !== COMPLETED) return item;
	const files = { urls: [...main, ...rivals].map(({ url }) => url), jobId: job.id, itemIndex };
	if (files.urls.length === 0 && !isBare)
		hint(run, `${rowFirst(plan)}: no media URL to download from was found`);
	const { context, service, clock, signal, downloads } = run;
	const { helpers } = context;
	const prompt = textIn(flat(json), [PROMPT_FIELD]) ?? undefined;
	const { item: made, errors } = await downloads(
		async () =>
			await withDownloads(json, { ...files, prompt, service, options, helpers, clock, signal }),
	);
	for (const { url, error } of errors) {
		hint(run, `${rowFirst(plan)}: ${url} was not downloaded. ${error}`);
	}
	return { ...item, ...made };
}

/**
 * The items of a job that was ordered. Shows its hints in the output pane, too.
 *
 * @throws JobError, which carries the job
 */
export async function jobItems(
	run: Run,
	operation: CreateOperation,
	plan: ItemPlan,
	{ job, snapshot, foundHint }: JobResult,
): Promise<INodeExecutionData[]> {
	if (foundHint !== undefined) info(run, foundHint);
	if (snapshot.notWaited !== undefined) hint(run, snapshot.notWaited);
	const untold = untoldText(rowOf(run.orders, plan.itemIndex, { result: { value: [] } }));
	if (untold !== '') hint(run, `${rowFirst(plan)}: ${untold}`);
	const origin = originOf(operation, plan.values, job);
	const made = await attempt(finishedItem(run, plan, snapshot, origin));
	if ('error' in made) throw withJob(made.error, snapshot);
	return [made.value];
}

/** Adds what the credential says about where results are. */
export const withSettings = ({ service }: Run, origin: Origin): Origin => ({
	...origin,
	urlPath: service.field('resultUrlField'),
	baseUrl: service.baseUrl,
});

const missingText = (plan: ItemPlan, job: JobSnapshot, field: string, { main }: ResultUrls) =>
	`${rowFirst(plan)}: job ${jobName(job)} is completed and paid for, but its record has no URL at ${field}. ${main[0] ? `mediaUrl is the URL at ${main[0].path}.` : 'mediaUrl is empty.'} If the result is in another field, enter its path in Options > Result Field; if it may come later, read the job with Job > Get Status.`;

const MOST_PATHS = 5;

/** Where it is unclear which URL is the result. */
const rivalsText = ({ main: [first], rivals }: ResultUrls) =>
	`The record has several URLs that may be the result. mediaUrl is the first, at ${first?.path}; details.otherUrls has those at ${pathsIn(rivals)}. To choose another, enter its path in Options > Result Field.`;

const pathsIn = (urls: readonly Found[]) =>
	firstInWords(
		urls.map(({ path }) => path),
		MOST_PATHS,
	);

export interface FilesOfItem extends Fetching {
	urls: readonly string[];
	jobId: string;
	/** The prompt and the item that the files were made for, where known: they name the files. */
	prompt?: string;
	itemIndex?: number;
	options: Pick<RunOptions, 'binaryPropertyName' | 'simplify'>;
}

/** `03-a-sourdough-loaf`: files of a batch keep their order when they are sorted by name. */
function stemOf({ prompt = '', itemIndex, jobId }: FilesOfItem): string {
	const row = itemIndex === undefined ? [] : [String(rowNumber(itemIndex)).padStart(2, '0')];
	return [...row, slugOf(prompt) || slugOf(jobId) || 'media'].join('-');
}

/** An item with its files, and what could not be downloaded: that stands beside its URLs, too. */
export async function withDownloads(
	json: IDataObject,
	files: FilesOfItem,
): Promise<{ item: INodeExecutionData; errors: FailedDownloads }> {
	const { options } = files;
	const first = { property: options.binaryPropertyName, stem: stemOf(files) };
	const { binary, errors } = await downloadMedia(files.urls, first, files);
	const told = { ...json, downloadErrors: errors };
	const withErrors = options.simplify && DETAILS in json ? arranged(told, 'job') : told;
	const item = {
		json: errors.length > 0 ? withErrors : json,
		...(Object.keys(binary).length > 0 ? { binary } : {}),
	};
	return { item, errors };
}
