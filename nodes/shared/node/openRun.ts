import type { IExecuteFunctions } from 'n8n-workflow';
import pLimit from 'p-limit';

import { loadCatalog, type MusicCatalog } from '../catalog/liveCatalog';
import { accountOf } from '../jobs/account';
import { Ledger } from '../jobs/ledger';
import type { JobRun } from '../jobs/runJob';
import { openService } from '../service/service';
import type { Operation } from '../spec/types';
import { NO_SERVICE } from './noService';
import type { Run } from './run';

/** Items whose files are downloaded at the same time. */
const ITEMS_DOWNLOADING = 10;

/**
 * What all items of one run of the node share.
 *
 * @throws ServiceError when the credential cannot be used
 */
export async function openRun(
	context: IExecuteFunctions,
	operation: Operation,
	{ clock, closing, over }: Pick<JobRun, 'clock' | 'closing' | 'over'>,
): Promise<Run> {
	const service =
		operation.kind === 'estimate' ? NO_SERVICE : await openService(context, { clock });
	const runIndex = Number(context.evaluateExpression('{{ $runIndex }}', 0));
	const signal = context.getExecutionCancelSignal();
	const catalogs = new Map<string, Promise<MusicCatalog>>();
	const jobs: JobRun = {
		service,
		account: accountOf(service.account, clock),
		ledger: new Ledger(context.getContext('node'), runIndex),
		clock,
		executionId: context.getExecutionId(),
		isRetry: context.getMode() === 'retry',
		closing,
		signal,
		over,
	};
	return {
		context,
		service,
		jobs,
		clock,
		signal,
		downloads: pLimit(ITEMS_DOWNLOADING),
		catalog: async (language) => {
			const known = catalogs.get(language) ?? loadCatalog(service, language, clock);
			catalogs.set(language, known);
			return await known;
		},
	};
}
