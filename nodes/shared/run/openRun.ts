import type { IExecuteFunctions, INode } from 'n8n-workflow';

import { loadCatalog, type MusicCatalog } from '../catalog/liveCatalog';
import { accountOf } from '../jobs/account';
import { fingerprint } from '../jobs/fingerprint';
import type { JobContext } from '../jobs/jobContext';
import { Ledger } from '../jobs/ledger';
import { DOWNLOAD_MEDIA, ROLE_PARAMETER, TOOL_DESCRIPTION } from '../parameters/names';
import { callLimit } from '../service/callLimit';
import { openService, type Service } from '../service/service';
import { ServiceError } from '../service/serviceError';
import { UPLOAD_MODES } from '../spec/music/fields';
import type { Operation } from '../spec/types';
import type { Run } from './run';

/** Items whose files are downloaded at the same time. */
const ITEMS_DOWNLOADING = 10;

/** Kinds of operation that send nothing. */
const LOCAL: ReadonlyArray<Operation['kind']> = ['estimate', 'recover'];

interface Opening extends Pick<JobContext, 'clock' | 'stopCreating' | 'onItemFailed' | 'runDone'> {
	/** The run that the jobs belong to, where it is another: a durable one. */
	origin?: Pick<JobContext, 'executionId' | 'isRetry' | 'parameters'> & { runIndex: number };
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
	{ clock, stopCreating, onItemFailed, runDone, origin, rest }: Opening,
): Promise<Run> {
	const isLocal = LOCAL.includes(operation.kind);
	const service = isLocal ? NO_SERVICE : await openService(context, { clock });
	const {
		runIndex = Number(context.evaluateExpression('{{ $runIndex }}', 0)),
		executionId = context.getExecutionId(),
		isRetry = context.getMode() === 'retry',
		parameters = orderFingerprint(context.getNode()),
	} = origin ?? {};
	const stop = context.getExecutionCancelSignal();
	const signal = rest ? AbortSignal.any(stop ? [stop, rest] : [rest]) : stop;
	const catalogs = new Map<string, Promise<MusicCatalog>>();
	return {
		context,
		service,
		account: accountOf(service.account, clock),
		ledger: new Ledger(context.getContext('node'), {
			index: runIndex,
			isTool: isTool(context.getNode()),
		}),
		clock,
		executionId,
		isRetry,
		parameters,
		stopCreating,
		onItemFailed,
		signal,
		runDone,
		downloads: callLimit(ITEMS_DOWNLOADING),
		seen: new Map(),
		withoutUrl: new Set(),
		catalog: async (language) => {
			const known = catalogs.get(language) ?? loadCatalog(service, language, clock);
			catalogs.set(language, known);
			return await known;
		},
	};
}

/** Parameters that do not change what is ordered. */
const NOT_ORDERED = [
	'options',
	'waitForCompletion',
	DOWNLOAD_MEDIA,
	ROLE_PARAMETER,
	TOOL_DESCRIPTION,
];

/** Tells what a person has typed into the node, expressions as they stand, from something else. */
function orderFingerprint({ parameters }: INode): string {
	const ordered = Object.entries(parameters).filter(([name]) => !NOT_ORDERED.includes(name));
	return fingerprint(Object.fromEntries(ordered));
}

/** Whether an agent calls the node as its tool: n8n gives it a type of its own. */
export const isTool = ({ type }: INode) => type.endsWith('Tool');

/** Stands in for the service where nothing is sent, so that no credential is needed. */
const NO_SERVICE: Service = {
	baseUrl: '',
	account: '',
	uploadMode: UPLOAD_MODES[0].value,
	path: () => undefined,
	field: () => undefined,
	send: async () => {
		throw new ServiceError({
			message: 'This operation sends nothing',
			description: 'It needs no credential and has no service to ask.',
			outcome: 'notSent',
		});
	},
};
