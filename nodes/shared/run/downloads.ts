import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { downloadMedia, type FailedDownload, type Downloading } from '../output/downloadMedia';
import { arranged } from '../output/itemFields';
import { slugOf } from '../output/mediaFormat';
import { isPrivateUrl } from '../output/privateNetworks';
import type { Service } from '../service/service';
import { DETAILS } from '../spec/answers';
import type { RunOptions } from '../form/options';
import { rowNumber } from './rows';

export interface FilesOfItem extends Pick<Downloading, 'helpers' | 'clock' | 'signal'> {
	urls: readonly string[];
	jobId: string;
	/** The prompt and the item that the files were made for, where known: they name the files. */
	prompt?: string;
	itemIndex?: number;
	service: Pick<Service, 'baseUrl'>;
	options: Pick<RunOptions, 'binaryPropertyName' | 'simplify'>;
}

/** `03-a-sourdough-loaf`: files of a batch keep their order when they are sorted by name. */
function stemOf({
	prompt = '',
	itemIndex,
}: Pick<FilesOfItem, 'prompt' | 'itemIndex'>): string | undefined {
	const slug = slugOf(prompt);
	if (slug === '') return undefined;
	const row = itemIndex === undefined ? [] : [String(rowNumber(itemIndex)).padStart(2, '0')];
	return [...row, slug].join('-');
}

/** An item with its files, and what could not be downloaded: that stands beside its URLs, too. */
export async function withFiles(
	json: IDataObject,
	{ urls, jobId, prompt, itemIndex, service, options, ...rest }: FilesOfItem,
): Promise<{ item: INodeExecutionData; errors: FailedDownload[] }> {
	const names = { stem: stemOf({ prompt, itemIndex }), fallback: jobId };
	const to = { propertyName: options.binaryPropertyName, names };
	const { binary, errors } = await downloadMedia(urls, to, {
		...rest,
		mayBePrivate: isPrivateUrl(service.baseUrl),
	});
	const downloadErrors = errors as unknown as IDataObject[];
	const told = { ...json, downloadErrors };
	const withErrors = options.simplify && DETAILS in json ? arranged(told, 'job') : told;
	const item = {
		json: errors.length > 0 ? withErrors : json,
		...(Object.keys(binary).length > 0 ? { binary } : {}),
	};
	return { item, errors };
}
