import type { INodeExecutionData } from 'n8n-workflow';

import { type Clock, attempt } from '../clock/clock';
import { type JobSnapshot, placeAt } from '../orders/job';
import { textIn, isMediaType, typeIn } from '../orders/readRecord';
import { pollJob } from '../orders/waitForJob';
import { arranged, flatWithout, jobOutput, type Origin } from '../output/item';
import { resultUrls, type ResultUrls } from '../output/resultUrls';
import { pathWithId } from '../request/request';
import { type FilesOfItem, withDownloads } from '../run/finishedItems';
import type { Service } from '../service/service';
import { isRefusal } from '../service/serviceError';
import { COMPLETED, ERROR_MESSAGE_FIELD, PROMPT_FIELD } from '../spec/answers';
import type { MediaType } from '../spec/operation';
import type { ListedJob } from './lists';
import type { Wishes } from './wishes';

type Settings = Pick<Service, 'field' | 'baseUrl' | 'uploadMode'>;

function snapshotOf({ id, state, record, entry }: ListedJob): JobSnapshot {
	// Keeps what only the list tells.
	return { id, state, record, creation: entry, waitedMs: 0 };
}

function originOf({ type, stream }: ListedJob, service: Settings): Origin {
	const { route } = stream.source;
	return {
		...(isMediaType(type) && { mediaType: type as MediaType }),
		route,
		startedWith: route.value,
		urlPath: service.field('resultUrlField'),
		baseUrl: service.baseUrl,
	};
}

/** @param resultField path of the result URL in the record; empty where a person has not set it */
export const resultOf = (job: ListedJob, service: Settings, resultField = ''): ResultUrls =>
	resultUrls(snapshotOf(job), originOf(job, service), resultField);

/** Whether its record does not show the result of a job that has ended, or why it failed. */
export function isResultUntold(job: ListedJob, service: Settings, resultField = ''): boolean {
	return job.state === COMPLETED
		? resultOf(job, service, resultField).main.length === 0
		: textIn(job.record, [ERROR_MESSAGE_FIELD]) === null;
}

/**
 * The job as its status endpoint shows it, perhaps in another state than in its list; as its list shows it where the
 * service refuses to tell, and `undefined` where the status cannot be read now, or says nothing.
 */
export async function withStatus(
	job: ListedJob,
	service: Service,
	clock: Clock,
): Promise<ListedJob | undefined> {
	const { id, type, state, record: entry, stream } = job;
	const { route } = stream.source;
	// The service's documentation may not show the path, and an identifier may be no part of one.
	const filled = typeof route.path === 'string' ? pathWithId(route.path, id) : undefined;
	if (filled === undefined) return job;
	const listed = { id, status: placeAt(route, filled), startedAt: 0 };
	const read = await attempt(pollJob(service, listed, clock));
	if ('error' in read) return isRefusal(read.error) ? job : undefined;
	const { state: told, record } = read.value;
	const known = { ...job, state: told ?? state, type: typeIn(record) ?? type, record, entry };
	return told === undefined && isResultUntold(known, service) ? undefined : known;
}

/**
 * The item of a job that has ended, in the shape of the other nodes' items, with its files if they are wanted.
 */
export async function jobItem(
	job: ListedJob,
	making: Pick<FilesOfItem, 'helpers' | 'clock' | 'signal'> & { service: Settings; wishes: Wishes },
): Promise<INodeExecutionData> {
	const { options } = making.wishes;
	const urls = resultOf(job, making.service, options.resultField);
	const output = jobOutput(snapshotOf(job), originOf(job, making.service), options, urls);
	// Nobody waited for it, and the credits that were left then are out of date.
	const news = flatWithout(output, 'waitedMs', 'creditsRemaining');
	const json = options.simplify ? arranged(news, 'job') : output;
	if (!options.downloadMedia || job.state !== COMPLETED) return { json };
	const files = [...urls.main, ...urls.rivals].map(({ url }) => url);
	const prompt = textIn(job.record, [PROMPT_FIELD]) ?? undefined;
	return (await withDownloads(json, { ...making, options, urls: files, jobId: job.id, prompt }))
		.item;
}
