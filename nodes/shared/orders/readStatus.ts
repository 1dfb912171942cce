import { pageRequest, pathWithId } from '../request/buildRequest';
import { attempt } from '../service/attempt';
import { jobRecord, type Body } from '../service/bodies';
import type { SendOptions, Service } from '../service/service';
import { ServiceError, unreadable } from '../service/serviceError';
import { COMPLETED, isFinal, NOT_FOUND, PROMPT_FIELD, READ } from '../spec/answers';
import { routeNamed } from '../spec/jobs';
import type { JobList } from '../spec/types';
import { historyEntries, type ListEntry } from './historyEntries';
import type { StatusPlace } from './job';
import { mismatchIn, type JobFacts } from './proof';
import { identifiersIn, stateIn } from './readRecord';

/** How many entries of a list are asked for, where a request can say that, and how many are looked at. */
const PAGE_SIZE = 100;
const MOST_ENTRIES = 400;

/** How many pages are read at most to find the job. */
const MOST_PAGES = 5;

/** An entry this much older, or newer, than the job is certainly so, ms: clocks differ, and creations take time. */
const OLDER_MS = 60_000;
const NEWER_MS = 10_000;

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
	const list = found?.isList && routeNamed(found.startedWith)?.list;
	if (list) return await readListed(service, list, found.facts, sendOptions);
	const body = await service.send({ method: 'GET', path }, sendOptions);
	const record = jobRecord(body);
	if (!record) throw unreadable(READ, JSON.stringify(body));
	const why = found && mismatchIn(record, found.facts);
	if (why !== undefined) throw notThere(`The service answered ${path}, but ${why}`);
	return record;
}

/** The list's entry of a job; if that is completed but has no result, the job's record is added to it. */
async function readListed(
	service: Service,
	list: JobList,
	facts: JobFacts,
	sendOptions?: SendOptions,
): Promise<Body> {
	const { path } = list.operation;
	const entry = await findEntry(service, list, facts, sendOptions);
	if (!entry) throw notThere(`${String(path)} does not list the job`);
	if (entry instanceof WhyNot) throw notThere(`${String(path)} lists the job, but ${entry.reason}`);
	const isBare = !Object.entries(entry).some(
		([name, value]) => name !== PROMPT_FIELD && String(JSON.stringify(value)).includes('://'),
	);
	const state = stateIn(entry, { set: service.field('state') });
	if (state !== COMPLETED || !isBare) return entry;
	return { ...entry, ...(await recordOf(service, list, entry, facts)) };
}

/** Reads on until entries are older than the job: newer ones may have pushed it off the first page. */
async function findEntry(
	service: Service,
	list: JobList,
	facts: JobFacts,
	sendOptions?: SendOptions,
): Promise<Body | WhyNot | undefined> {
	const { paging } = list.operation;
	let offset = 0;
	for (let page = 0; page < MOST_PAGES; page++) {
		const request = pageRequest(list.operation, PAGE_SIZE, offset);
		// The first request has its turn; those after it get in line.
		const options = page === 0 ? sendOptions : { signal: sendOptions?.signal };
		const body = await service.send(request, options);
		const listed = [...(historyEntries(body, MOST_ENTRIES) ?? [])];
		const entry = entryOf(listed, facts);
		offset += listed.length;
		const oldest = Math.min(...listed.map(({ createdAt }) => createdAt ?? Infinity));
		const isOlder = oldest < (facts.createdAt ?? -Infinity) - OLDER_MS;
		if (entry || !paging || listed.length === 0 || isOlder || isYoung(facts, listed)) return entry;
	}
	return undefined;
}

/** Whether no entry is newer than the job: then the job would be at the top, and reading on would not help. */
function isYoung({ createdAt }: JobFacts, listed: readonly ListEntry[]): boolean {
	if (createdAt === undefined) return false;
	return !listed.some((entry) => Number(entry.createdAt) > createdAt + NEWER_MS);
}

/** The list's entry of a job; `undefined` if none has its identifier. */
function entryOf(listed: readonly ListEntry[], facts: JobFacts): Body | WhyNot | undefined {
	const ids = facts.identifiers.map(({ value }) => value);
	const named = listed.flatMap(({ record }) => {
		const isNamed = record && identifiersIn(record).some(({ value }) => ids.includes(value));
		return isNamed ? [{ record, whyNot: mismatchIn(record, facts) }] : [];
	});
	const own = named.flatMap(({ record, whyNot }) => (whyNot === undefined ? [record] : []));
	const names = new Set(own.map((record) => JSON.stringify(identifiersIn(record))));
	if (names.size > 1) return new WhyNot('another entry may be its, too');
	// A job may be listed twice, and have ended in between.
	const entry = own.find((record) => isFinal(stateIn(record) ?? '')) ?? own[0];
	const [first] = named;
	return entry ?? (first?.whyNot === undefined ? undefined : new WhyNot(first.whyNot));
}

/** Why an entry with the identifier of a job is not about it, or may not be. */
class WhyNot {
	constructor(readonly reason: string) {}
}

/** The job's record, by an identifier that the entry adds; `{}` if that does not lead to it. */
async function recordOf(
	service: Service,
	{ route }: JobList,
	entry: Body,
	facts: JobFacts,
): Promise<Body> {
	const identifiers = identifiersIn(entry);
	const isKnown = (id: string) => facts.identifiers.some(({ value }) => value === id);
	const own = identifiers.find(({ value }) => !isKnown(value)) ?? identifiers[0];
	const path = own && pathWithId(String(route.path), own.value);
	if (path === undefined) return {};
	const read = await attempt(service.send({ method: 'GET', path }));
	const record = 'value' in read ? jobRecord(read.value) : undefined;
	const known = { ...facts, identifiers: [...facts.identifiers, ...identifiers] };
	return record && mismatchIn(record, known) === undefined ? record : {};
}

const notThere = (message: string): ServiceError =>
	new ServiceError({ message, description: '', outcome: 'refused', status: NOT_FOUND });
