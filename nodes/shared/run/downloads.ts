import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { downloadMedia, type FailedDownload, type Fetching } from '../files/download';
import { isPrivateUrl, slugOf } from '../files/media';
import type { RunOptions } from '../form/options';
import { arranged } from '../output/itemFields';
import type { Service } from '../service/service';
import { DETAILS } from '../spec/answers';
import { rowNumber } from './rows';

export interface FilesOfItem extends Omit<Fetching, 'mayBePrivate'> {
	urls: readonly string[];
	jobId: string;
	/** The prompt and the item that the files were made for, where known: they name the files. */
	prompt?: string;
	itemIndex?: number;
	service: Pick<Service, 'baseUrl'>;
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
): Promise<{ item: INodeExecutionData; errors: FailedDownload[] }> {
	const { options, service } = files;
	const first = { property: options.binaryPropertyName, stem: stemOf(files) };
	const mayBePrivate = isPrivateUrl(service.baseUrl);
	const { binary, errors } = await downloadMedia(files.urls, first, { ...files, mayBePrivate });
	const told = { ...json, downloadErrors: errors as unknown as IDataObject[] };
	const withErrors = options.simplify && DETAILS in json ? arranged(told, 'job') : told;
	const item = {
		json: errors.length > 0 ? withErrors : json,
		...(Object.keys(binary).length > 0 ? { binary } : {}),
	};
	return { item, errors };
}
