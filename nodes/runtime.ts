import type { IExecuteFunctions, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { executeCatalog } from './shared/durable/execute';
import {
	ACCOUNT_CATALOG,
	IMAGE_CATALOG,
	JOB_TRIGGER,
	MUSIC_CATALOG,
	VIDEO_CATALOG,
} from './shared/spec/catalogs';
import type { Catalog } from './shared/spec/operation';
import { pollTrigger } from './shared/trigger/pollTrigger';

/*
 * Everything that the nodes and the credential do. It exports only functions: the build puts this module
 * and its imports into one file, which is loaded when one of the functions is first called.
 */

export { searchJobs } from './shared/run/searchJobs';
export { authenticate } from './shared/service/credential';

/** What a node with a catalog does with its items. */
type Execute = (context: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

const executeOf =
	(catalog: Catalog): Execute =>
	async (context) =>
		await executeCatalog(context, catalog);

export const executeImage = executeOf(IMAGE_CATALOG);
export const executeVideo = executeOf(VIDEO_CATALOG);
export const executeMusic = executeOf(MUSIC_CATALOG);
export const executeAccount = executeOf(ACCOUNT_CATALOG);

/** The jobs that have ended since the trigger's last poll; null when there are none. */
export const pollJobs = async (context: IPollFunctions): Promise<INodeExecutionData[][] | null> =>
	await pollTrigger(context, JOB_TRIGGER);
