import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import {
	downloadMedia,
	type FailedDownload,
	BYTES_OF_MB,
	type Downloading,
} from '../output/downloadMedia';
import { arranged } from '../output/itemFields';
import { isPrivateUrl } from '../output/privateNetworks';
import type { Service } from '../service/service';
import { DETAILS } from '../spec/answers';
import type { RunOptions } from './readParameters';

interface FilesOfItem extends Pick<Downloading, 'helpers' | 'clock' | 'signal'> {
	urls: readonly string[];
	jobId: string;
	service: Pick<Service, 'baseUrl'>;
	options: Pick<RunOptions, 'binaryPropertyName' | 'maxFileSize' | 'simplify'>;
}

/** An item with its files, and what could not be downloaded: that stands beside its URLs, too. */
export async function withFiles(
	json: IDataObject,
	{ urls, jobId, service, options, ...rest }: FilesOfItem,
): Promise<{ item: INodeExecutionData; errors: FailedDownload[] }> {
	const names = { propertyName: options.binaryPropertyName, jobId };
	const { binary, errors } = await downloadMedia(urls, names, {
		...rest,
		mayBePrivate: isPrivateUrl(service.baseUrl),
		maxBytes: options.maxFileSize * BYTES_OF_MB,
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
