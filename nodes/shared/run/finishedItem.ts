import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { JobSnapshot } from '../jobs/job';
import { downloadMedia } from '../output/downloadMedia';
import { BYTES_OF_MB } from '../output/fetchMedia';
import { jobOutput, resultUrls, type Origin } from '../output/jobOutput';
import { takesIn } from '../output/musicResult';
import { isPrivateUrl } from '../output/privateNetworks';
import { COMPLETED } from '../spec/states';
import { hint } from './hint';
import type { ItemPlan, Run } from './run';

/**
 * The items that stand for a job, with its files where that is asked: one, or one for each take. A
 * failed download does not lose an item: the URLs stay in it, with the reason beside them.
 */
export async function finishedItems(
	run: Run,
	plan: ItemPlan,
	job: JobSnapshot,
	from: Origin,
): Promise<INodeExecutionData[]> {
	const { options, itemIndex } = plan;
	run.seen.set(itemIndex, job);
	const origin = { ...from, urlPath: run.service.field('resultUrls') };
	const json = jobOutput(job, origin, options);
	const found = resultUrls(job, origin, options);
	const takes = options.splitTakes ? takesIn(job.record, found) : [];
	const parts: Part[] =
		takes.length > 1
			? takes.map((take) => ({
					json: { ...json, ...take, takes: [take] } as object as IDataObject,
					urls: take.mediaUrls,
				}))
			: [{ json, urls: found.map(({ url }) => url) }];
	const items: INodeExecutionData[] = [];
	for (const part of parts) items.push(await withFiles(run, plan, job, part));
	return items;
}

/** The JSON of an item, and the URLs whose files belong to it. */
interface Part {
	json: IDataObject;
	urls: string[];
}

async function withFiles(
	run: Run,
	{ itemIndex, options }: ItemPlan,
	job: JobSnapshot,
	{ json, urls }: Part,
): Promise<INodeExecutionData> {
	const pairedItem = { item: itemIndex };
	if (!options.downloadMedia || job.state !== COMPLETED) return { json, pairedItem };

	if (urls.length === 0) hint(run, `Item ${itemIndex}: no media URL to download from was found`);
	const downloading = {
		helpers: run.context.helpers,
		clock: run.clock,
		signal: run.signal,
		mayBePrivate: isPrivateUrl(run.service.baseUrl),
		maxBytes: options.maxFileSize * BYTES_OF_MB,
	};
	const names = { propertyName: options.binaryPropertyName, jobId: job.id };
	const { binary, errors } = await run.downloads(
		async () => await downloadMedia(urls, names, downloading),
	);
	for (const { url, error } of errors) {
		hint(run, `Item ${itemIndex}: ${url} was not downloaded. ${error}`);
	}
	return {
		json:
			errors.length > 0 ? { ...json, downloadErrors: errors as unknown as IDataObject[] } : json,
		...(Object.keys(binary).length > 0 ? { binary } : {}),
		pairedItem,
	};
}
