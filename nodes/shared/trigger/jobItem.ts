import {
	deepCopy,
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
} from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { textIn } from '../jobs/readRecord';
import { BYTES_OF_MB, downloadMedia } from '../output/downloadMedia';
import { jobOutput } from '../output/jobOutput';
import { isPrivateUrl } from '../output/privateNetworks';
import { resultUrls } from '../output/resultUrls';
import type { Service } from '../service/service';
import { COMPLETED, PROMPT_FIELD } from '../spec/answers';
import type { EndedJob } from './endedJob';
import type { Wishes } from './wishes';

interface Making {
	helpers: IPollFunctions['helpers'];
	service: Pick<Service, 'baseUrl'>;
	clock: Clock;
	signal: AbortSignal;
	options: Wishes['options'];
}

/**
 * The item of a job that has ended, in the shape of the other nodes' items, with its files where that is
 * asked. Nobody has waited for it here; its prompt tells which one it is.
 */
export async function jobItem(
	{ snapshot, origin }: EndedJob,
	making: Making,
): Promise<INodeExecutionData> {
	const { options } = making;
	const urls = resultUrls(snapshot, origin, options.resultField);
	const output = jobOutput(snapshot, origin, options, urls);
	delete output.waitedMs;
	const prompt =
		textIn(snapshot.record, [PROMPT_FIELD]) ?? textIn(snapshot.creation, [PROMPT_FIELD]);
	// Other triggers share what was read; what a workflow does with its items is nothing to them.
	const json = deepCopy<IDataObject>({
		...output,
		...(options.simplify && prompt !== null ? { prompt } : {}),
	});
	if (!options.downloadMedia || snapshot.state !== COMPLETED) return { json };
	return await withFiles(
		json,
		[...urls.main, ...urls.rivals.map(({ url }) => url)],
		snapshot.id,
		making,
	);
}

async function withFiles(
	json: IDataObject,
	urls: readonly string[],
	jobId: string,
	{ helpers, service, clock, signal, options }: Making,
): Promise<INodeExecutionData> {
	const names = { propertyName: options.binaryPropertyName, jobId };
	const { binary, errors } = await downloadMedia(urls, names, {
		helpers,
		clock,
		signal,
		mayBePrivate: isPrivateUrl(service.baseUrl),
		maxBytes: options.maxFileSize * BYTES_OF_MB,
	});
	const downloadErrors = errors as unknown as IDataObject[];
	return {
		json: errors.length > 0 ? { ...json, downloadErrors } : json,
		...(Object.keys(binary).length > 0 ? { binary } : {}),
	};
}
