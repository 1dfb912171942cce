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

interface Opening extends Pick<JobRun, 'clock' | 'closing' | 'over'> {
	/** The run that the jobs belong to, where it is another: a durable one. */
	origin?: Pick<JobRun, 'executionId' | 'isRetry'> & { runIndex: number };
	/** Fires when the jobs are to be left alone, besides Stop. */
	rest?: AbortSignal;
}

/**
 * What all items of one run of the node share.
 *
 * @throws ServiceError when the credential cannot be used
 */
export async function openRun(
	context: IExecuteFunctions,
	operation: Pick<Operation, 'kind'>,
	{ clock, closing, over, origin, rest }: Opening,
): Promise<Run> {
	const service =
		operation.kind === 'estimate' ? NO_SERVICE : await openService(context, { clock });
	const {
		runIndex = Number(context.evaluateExpression('{{ $runIndex }}', 0)),
		executionId = context.getExecutionId(),
		isRetry = context.getMode() === 'retry',
	} = origin ?? {};
	const stop = context.getExecutionCancelSignal();
	const signal = rest ? AbortSignal.any(stop ? [stop, rest] : [rest]) : stop;
	const catalogs = new Map<string, Promise<MusicCatalog>>();
	const jobs: JobRun = {
		service,
		account: accountOf(service.account, clock),
		ledger: new Ledger(context.getContext('node'), runIndex),
		clock,
		executionId,
		isRetry,
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
