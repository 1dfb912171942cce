import { pollJob } from '../jobs/waitForJob';
import type { JobSnapshot } from '../jobs/job';
import { identifiersIn, textIn } from '../jobs/readRecord';
import { isMediaType, typeIn } from '../jobs/recordType';
import type { Origin } from '../output/jobOutput';
import { resultUrls } from '../output/resultUrls';
import { fillWithId } from '../request/buildRequest';
import type { Clock } from '../clock/clock';
import { unreadable } from '../service/failures';
import type { Body } from '../service/bodies';
import type { Service } from '../service/service';
import { COMPLETED, ERROR_MESSAGE_FIELD, isFinal, READ } from '../spec/answers';
import type { JobRoute, MediaType } from '../spec/types';
import type { ListedJob } from './listedJob';

/** A job that has ended, with all that is known of its result. */
export interface EndedJob {
	job: ListedJob;
	snapshot: JobSnapshot;
	origin: Origin;
}

/** The job as its list tells of it. */
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

/** Whether the list leaves open what has come of the job. */
export function isResultUntold({ snapshot, origin }: EndedJob, resultField: string): boolean {
	return snapshot.state === COMPLETED
		? resultUrls(snapshot, origin, resultField).main.length === 0
		: textIn(snapshot.record, [ERROR_MESSAGE_FIELD]) === null;
}

/** The request path of a job's status; none where the document does not show it. */
function statusPathOf({ path }: JobRoute, id: string): string | undefined {
	return typeof path === 'string' ? fillWithId(path, id) : undefined;
}

/**
 * The job as its own status tells of it, in a state that may be another.
 *
 * @throws ServiceError when there is no readable answer, and when it tells neither state nor result
 */
export async function asItsStatusTells(
	job: ListedJob,
	service: Service,
	clock: Clock,
): Promise<EndedJob> {
	const { id, source } = job;
	const path = statusPathOf(source.route, id);
	if (path === undefined) return asListed(job, service);
	const { stateField } = source.route.route;
	const snapshot = await pollJob(service, { id, path, stateField, startedAt: 0 }, clock);
	const told = {
		...job,
		otherIds: [...job.otherIds, ...othersIn(snapshot.record, id)],
		state: snapshot.state ?? job.state,
		type: typeIn(snapshot.record) ?? job.type,
	};
	const ended: EndedJob = {
		job: told,
		// What the lists tell, and the status does not, is not lost.
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

/** By which a list may know the job that had no such identifier before. */
const othersIn = (record: Body, id: string) =>
	identifiersIn(record)
		.map(({ value }) => value)
		.filter((other) => other !== id);

/** Whether it stays in the state that it has. */
export const isOver = ({ snapshot }: EndedJob) => isFinal(snapshot.state ?? '');
