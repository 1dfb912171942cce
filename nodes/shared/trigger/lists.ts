import { historyEntries, type EntryHints, type ListEntry } from '../orders/history';
import { fingerprint } from '../orders/order';
import { identifiersIn, timeIn, typeIn } from '../orders/readRecord';
import { stateHints } from '../orders/waitForJob';
import { PAGE_SIZE, pageRequest } from '../request/request';
import { attempt } from '../clock/clock';
import type { Body } from '../spec/values';
import type { Service } from '../service/service';
import { isNotSent, ServiceError, unreadable } from '../service/serviceError';
import { COMPLETED_AT_FIELD, isFinal, NOT_FOUND } from '../spec/answers';
import { JOB_LISTS } from '../spec/jobs';
import type { JobList, MediaType } from '../spec/operation';

export type Wanted = MediaType | 'all';

/** A list of jobs as one trigger asks for it. */
export interface Stream {
	/** Tells it from the same list of another account or of other media. */
	key: string;
	source: JobList;
	/** Query parameters besides those that page. */
	query: Readonly<Record<string, string>>;
	/** What its jobs make, where an entry does not say. */
	mediaType?: MediaType;
}

/** Characters of a key: enough to tell the few streams of a trigger apart. */
const KEY_LENGTH = 8;

/**
 * The lists that have jobs of the wanted media.
 *
 * @param account of the service, as `Service` has it
 */
export function streamsOf(wanted: Wanted, account: string): Stream[] {
	return JOB_LISTS.filter(({ route }) => wanted === 'all' || route.mediaTypes.includes(wanted)).map(
		(source) => {
			const { operation, typeField, route } = source;
			// Asks for one media type, but only by a value that the service's documentation shows.
			const field = operation.fields.find(
				({ name, property }) => name === typeField && property.default === wanted,
			);
			const query = field ? { [field.name]: wanted } : {};
			const [mediaType, ...others] = field ? [wanted as MediaType] : route.mediaTypes;
			const key = fingerprint([account, operation.path, query]).slice(0, KEY_LENGTH);
			return { key, source, query, mediaType: others.length > 0 ? undefined : mediaType };
		},
	);
}

export interface ListedJob {
	/** The identifier by which its status is read. */
	id: string;
	/** Others in its entry, by which a person may know it. */
	otherIds: readonly string[];
	/** One of the service's states, or another text that it gave. */
	state: string;
	/** ms since 1970, by the clock of the service. */
	createdAt?: number;
	endedAt?: number;
	/** Type of its media; a name that we do not know is kept as it is. */
	type?: string;
	record: Body;
	/** Its entry, where the record is what its status shows. */
	entry?: Body;
	stream: Stream;
}

export const hasEnded = ({ state }: Pick<ListedJob, 'state'>): boolean => isFinal(state);

/** When a job ended, ms since 1970; if its list does not say, when it was created; or else 0. */
export const endOf = ({ endedAt, createdAt = 0 }: ListedJob): number => endedAt ?? createdAt;

/** How many pages are read at most. */
const MOST_PAGES = 20;

/**
 * How many entries are read at least: a job that took long may be below many newer ones. A thorough reading has fewer than
 * the first has had, so that no old job comes into view when others are deleted.
 */
const LEAST = { usual: PAGE_SIZE, thorough: 1000 };

export interface Reading {
	service: Pick<Service, 'send' | 'field'>;
	/** Whether the jobs of a page are a reason to read the next one. */
	readsOn: (page: readonly ListedJob[]) => boolean;
	/** Reads further on where they are not. */
	isThorough?: boolean;
	/** Called where no request is left for the rest of a list: whether a part of it will do. */
	leaveOff?: (stream: Stream) => boolean;
	/** Called with what a person may want to know of the list. */
	tell?: (text: string) => void;
}

/**
 * The jobs of a list, each once. If its times show that the newest come first, reading stops where a page is no reason to
 * go on. Any other list is read to its end: neither the order nor the size of a page is documented.
 *
 * @throws ServiceError if a page cannot be read
 */
export async function readList(stream: Stream, reading: Reading): Promise<ListedJob[]> {
	const { readsOn, isThorough = false, tell = () => {} } = reading;
	const { operation, route } = stream.source;
	const jobs = new Map<string, ListedJob>();
	let received = 0;
	let goesOn = true;
	for (let page = 1; page <= MOST_PAGES && goesOn; page++) {
		const entries = [...(await readPage(stream, reading, received))];
		received += entries.length;
		const listed = entries.map((entry) => jobIn(entry, stream));
		for (const lack of listed.filter((one) => typeof one === 'string')) {
			tell(`An entry of the ${route.label} history has no ${lack}: it is left alone`);
		}
		const shown = listed.filter((one) => typeof one !== 'string');
		const before = jobs.size;
		for (const job of shown) {
			const known = jobs.get(job.id);
			// If the list shifts between two pages, perhaps only the second shows that the job has ended.
			if (!known || (!hasEnded(known) && hasEnded(job))) jobs.set(job.id, job);
		}
		const isEnough = received >= LEAST[isThorough ? 'thorough' : 'usual'] && !readsOn(shown);
		const isKnownGround = isEnough && isNewestFirst(jobs);
		goesOn = jobs.size > before && operation.isPaged === true && !isKnownGround;
	}
	return [...jobs.values()];
}

/**
 * A page of a list; none beyond its end.
 *
 * @param offset how many entries come before it
 * @throws ServiceError
 */
async function readPage(
	stream: Stream,
	{ service, leaveOff }: Reading,
	offset: number,
): Promise<Iterable<ListEntry>> {
	const { source, query } = stream;
	const hints: EntryHints = {
		identifier: { documented: source.idFields, set: service.field('identifierField') },
		// The field that the service's documentation shows in a record holds for the entry, too.
		state: stateHints(service, source.route),
	};
	const request = pageRequest(source.operation, PAGE_SIZE, offset);
	const answer = await attempt(service.send({ ...request, query: { ...query, ...request.query } }));
	if ('error' in answer) {
		const mayEnd = isBeyondEnd(answer.error) || (isNotSent(answer.error) && leaveOff?.(stream));
		if (offset > 0 && mayEnd) return [];
		throw answer.error;
	}
	const entries = historyEntries(answer.value, PAGE_SIZE * MOST_PAGES - offset, hints);
	if (!entries && offset === 0) throw unreadable(200, JSON.stringify(answer.value) ?? '');
	return entries ?? [];
}

/** Whether the service may only mean that the offset is beyond the end of the list. */
const isBeyondEnd = (error: unknown) =>
	error instanceof ServiceError && [400, NOT_FOUND].includes(Number(error.status));

type Lack = 'identifier' | 'state';

/** The job that an entry shows, or what it lacks to be one (open points "identifier", "state"). */
function jobIn({ id, state, record, createdAt }: ListEntry, stream: Stream): ListedJob | Lack {
	if (!record || id === undefined) return 'identifier';
	if (state === undefined) return 'state';
	const ids = new Set(identifiersIn(record).map(({ value }) => value));
	return {
		id,
		otherIds: [...ids].filter((other) => other !== id),
		state,
		createdAt,
		endedAt: timeIn(record, COMPLETED_AT_FIELD),
		type: typeIn(record) ?? stream.mediaType,
		record,
		stream,
	};
}

function isNewestFirst(jobs: ReadonlyMap<string, ListedJob>): boolean {
	const times = [...jobs.values()].map(({ createdAt = NaN }) => createdAt);
	const descends = times.every((time, index) => index === 0 || time <= Number(times[index - 1]));
	return descends && Number(times[0]) > Number(times.at(-1));
}
