import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import type { JobSnapshot } from '../jobs/job';
import { textIn, isMediaType, typeIn } from '../jobs/readRecord';
import { pollJob } from '../jobs/waitForJob';
import { arranged, flatWithout } from '../output/itemFields';
import { jobOutput, type Origin } from '../output/jobOutput';
import { resultUrls } from '../output/resultUrls';
import { fillWithId } from '../request/buildRequest';
import { type FilesOfItem, withFiles } from '../run/downloads';
import { jsonCopy } from '../service/bodies';
import type { Service } from '../service/service';
import { unreadable } from '../service/serviceError';
import { ERROR_MESSAGE_FIELD, PROMPT_FIELD, COMPLETED, READ } from '../spec/answers';
import type { MediaType } from '../spec/types';
import { otherIdsIn, type ListedJob } from './listedJobs';
import type { Wishes } from './wishes';

/** A job with all that is known of its result; its snapshot has the state of the job. */
export interface EndedJob {
	job: ListedJob;
	snapshot: JobSnapshot;
	origin: Origin;
}

export function asListed(job: ListedJob, service: Pick<Service, 'field' | 'baseUrl'>): EndedJob {
	const { id, state, record, elsewhere: creation } = job;
	return {
		job,
		snapshot: { id, state, record, ...(creation && { creation }), waitedMs: 0 },
		origin: originOf(job, service),
	};
}

function originOf(
	{ type, source }: ListedJob,
	service: Pick<Service, 'field' | 'baseUrl'>,
): Origin {
	return {
		...(isMediaType(type) ? { mediaType: type as MediaType } : {}),
		route: source.route.route,
		startedWith: source.route.value,
		urlPath: service.field('resultUrls'),
		baseUrl: service.baseUrl,
	};
}

/** Whether the list does not show the job's result, or why it failed. */
export function isResultUntold({ snapshot, origin }: EndedJob, resultField: string): boolean {
	return snapshot.state === COMPLETED
		? resultUrls(snapshot, origin, resultField).main.length === 0
		: textIn(snapshot.record, [ERROR_MESSAGE_FIELD]) === null;
}

/**
 * The job as its status endpoint shows it, perhaps in another state than in the list.
 *
 * @throws ServiceError if there is no readable answer, or it has neither state nor result
 */
export async function asItsStatusTells(
	job: ListedJob,
	service: Service,
	clock: Clock,
): Promise<EndedJob> {
	const { id, source } = job;
	const { path, route } = source.route;
	// The service's documentation does not show the path.
	if (typeof path !== 'string') return asListed(job, service);
	const awaited = { id, path: fillWithId(path, id), stateField: route.stateField, startedAt: 0 };
	const snapshot = await pollJob(service, awaited, clock);
	const told = {
		...job,
		// A list may know the job by an identifier that its entry did not have.
		otherIds: [...job.otherIds, ...otherIdsIn(snapshot.record, id)],
		state: snapshot.state ?? job.state,
		type: typeIn(snapshot.record) ?? job.type,
	};
	const ended: EndedJob = {
		job: told,
		// Keeps what only the lists tell.
		snapshot: {
			...snapshot,
			state: told.state,
			creation: { ...job.elsewhere, ...job.record },
			waitedMs: 0,
		},
		origin: originOf(told, service),
	};
	if (snapshot.state === undefined && isResultUntold(ended, '')) {
		throw unreadable(READ, JSON.stringify(snapshot.record));
	}
	return ended;
}

/** Leaves out the waiting time, since nobody waited, and the credits that were left then, which are out of date. */
const asNews = (output: IDataObject): IDataObject =>
	arranged(flatWithout(output, 'waitedMs', 'creditsRemaining'), 'job');

type Making = Pick<FilesOfItem, 'helpers' | 'service' | 'clock' | 'signal'> &
	Pick<Wishes, 'options'>;

/**
 * The item of a job that has ended, in the shape of the other nodes' items, with its files if they are wanted.
 */
export async function jobItem(
	{ snapshot, origin }: EndedJob,
	making: Making,
): Promise<INodeExecutionData> {
	const { options } = making;
	const urls = resultUrls(snapshot, origin, options.resultField);
	const output = jobOutput(snapshot, origin, options, urls);
	// Copied, since other triggers share what was read, and a workflow may change its items.
	const json = jsonCopy(options.simplify ? asNews(output) : output);
	if (!options.downloadMedia || snapshot.state !== COMPLETED) return { json };
	const files = [...urls.main, ...urls.rivals.map(({ url }) => url)];
	const prompt = textIn(snapshot.record, [PROMPT_FIELD]) ?? undefined;
	const { item } = await withFiles(json, { ...making, urls: files, jobId: snapshot.id, prompt });
	return item;
}
