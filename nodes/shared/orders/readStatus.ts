import { pageRequest, pathWithId } from '../request/buildRequest';
import { attempt } from '../clock/attempt';
import { recordIn, type Body } from '../service/bodies';
import type { SendOptions, Service } from '../service/service';
import { ServiceError, unreadable } from '../service/serviceError';
import { COMPLETED } from '../spec/answers';
import { routeNamed } from '../spec/jobs';
import type { JobList } from '../spec/operation';
import { entriesSince, historyEntries, mismatchIn } from './history';
import type { Found, StatusPlace } from './job';
import { identifiersIn, stateIn } from './readRecord';

/** How many entries of a list are asked for, where a request can say that, and how many are looked at. */
const PAGE_SIZE = 100;
const MOST_ENTRIES = 400;

/** An entry this much older than the job is certainly so, ms: clocks differ, and creations take time. */
const OLDER_MS = 60_000;

/**
 * Reads the record of a job once, at the place where its state is read.
 *
 * @throws ServiceError when there is no readable answer, or it is not about the job (status 404)
 */
export async function readStatus(
	service: Service,
	{ path, found }: Pick<StatusPlace, 'path' | 'found'>,
	sendOptions?: SendOptions,
): Promise<Body> {
	const list = found && routeNamed(found.startedWith)?.list;
	if (list) return await readListed(service, list, found, sendOptions);
	const body = await service.send({ method: 'GET', path }, sendOptions);
	const record = recordIn(body);
	if (!record) throw unreadable(200, JSON.stringify(body));
	const why = found && mismatchIn(record, found);
	if (why !== undefined) throw notThere(`The service answered, but ${why}`);
	return record;
}

/** The list's entry of a job; if that is completed but has no result, the job's record is added to it. */
async function readListed(
	service: Service,
	list: JobList,
	found: Found,
	sendOptions?: SendOptions,
): Promise<Body> {
	const entry = await findEntry(service, list, found, sendOptions);
	if (!entry) throw notThere('The service does not list the job');
	const isBare = !Object.entries(entry).some(
		([name, value]) => name !== 'prompt' && String(JSON.stringify(value)).includes('://'),
	);
	const state = stateIn(entry, { set: service.field('stateField') });
	if (state !== COMPLETED || !isBare) return entry;
	return { ...entry, ...(await recordOf(service, list, entry, found)) };
}

/** Reads on until entries are older than the job: newer ones may have pushed it off the first page. */
async function findEntry(
	service: Service,
	{ operation }: JobList,
	found: Found,
	sendOptions?: SendOptions,
): Promise<Body | undefined> {
	const read = async (offset: number) => {
		const request = pageRequest(operation, PAGE_SIZE, offset);
		// The first request has its turn; those after it get in line.
		const options = offset === 0 ? sendOptions : { signal: sendOptions?.signal };
		return historyEntries(await service.send(request, options), MOST_ENTRIES) ?? [];
	};
	const { createdAt = -Infinity } = found;
	for await (const entries of entriesSince(read, createdAt - OLDER_MS)) {
		const own = entries.find(({ record = {} }) => mismatchIn(record, found) === undefined);
		if (own || !operation.paging) return own?.record;
	}
	return undefined;
}

/** The job's record, by an identifier that the entry adds; `{}` if that does not lead to it. */
async function recordOf(
	service: Service,
	{ route }: JobList,
	entry: Body,
	{ identifiers }: Found,
): Promise<Body> {
	const told = identifiersIn(entry);
	const isKnown = (id: string) => identifiers.some(({ value }) => value === id);
	const own = told.find(({ value }) => !isKnown(value)) ?? told[0];
	const path = own && pathWithId(String(route.path), own.value);
	if (path === undefined) return {};
	const read = await attempt(service.send({ method: 'GET', path }));
	const record = 'value' in read ? recordIn(read.value) : undefined;
	const known = { identifiers: [...identifiers, ...told] };
	const isOwn = record && mismatchIn(record, known) === undefined;
	return isOwn ? record : {};
}

const notThere = (message: string): ServiceError =>
	new ServiceError({ message, description: '', outcome: 'refused', status: 404 });
