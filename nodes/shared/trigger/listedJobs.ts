import { fingerprint } from '../jobs/ledger';
import { historyEntries, type EntryHints, type ListEntry } from '../jobs/historyEntries';
import { identifiersIn, timeIn, typeIn } from '../jobs/readRecord';
import { stateHints } from '../jobs/waitForJob';
import { pageRequest } from '../request/buildRequest';
import { attempt } from '../service/attempt';
import type { Body } from '../service/bodies';
import type { ServiceRequest } from '../service/request';
import type { Service } from '../service/service';
import { isNotSent, ServiceError, unreadable } from '../service/serviceError';
import { COMPLETED_AT_FIELD, isFinal, BAD_REQUEST, NOT_FOUND, READ } from '../spec/answers';
import type { JobList, MediaType } from '../spec/types';
import type { TriggerService } from './triggerService';

/** A list of jobs as one trigger asks for it. */
export interface Stream {
	/** Tells the stream from the same list of another account or of other media. */
	key: string;
	source: JobList;
	/** Query parameters besides those that page. */
	query: Readonly<Record<string, string>>;
	/** What its jobs make, where an entry does not say. */
	mediaType?: MediaType;
}

export type Wanted = MediaType | 'all';

/** Characters of a key: enough to tell the few streams of a trigger apart. */
const KEY_LENGTH = 8;

/** The lists that have jobs of the wanted media. */
export function streamsOf(
	sources: readonly JobList[],
	wanted: Wanted,
	{ account }: Pick<Service, 'account'>,
): Stream[] {
	return sources
		.filter(({ route }) => wanted === 'all' || route.mediaTypes.includes(wanted))
		.map((source) => {
			const query = queryOf(source, wanted);
			const key = fingerprint([account, source.operation.path, query]).slice(0, KEY_LENGTH);
			const isAsked = Object.keys(query).length > 0;
			return {
				key,
				source,
				query,
				mediaType: isAsked ? (wanted as MediaType) : onlyTypeOf(source),
			};
		});
}

/** What all jobs of a source make; `undefined` where they make different things. */
export const onlyTypeOf = ({ route: { mediaTypes } }: JobList): MediaType | undefined =>
	mediaTypes.length === 1 ? mediaTypes[0] : undefined;

/** Asks for one media type, but only by a value that the service's documentation shows. */
function queryOf({ operation, typeField }: JobList, wanted: Wanted): Record<string, string> {
	const field = operation.fields.find(({ name }) => name === typeField);
	return field?.start === wanted ? { [field.name]: wanted } : {};
}

/** The request for the page of the stream that begins after `offset` entries. */
function requestOf({ source, query }: Stream, offset: number): ServiceRequest {
	const page = pageRequest(source.operation, PAGE_SIZE, offset);
	return { ...page, query: { ...query, ...page.query } };
}

/** Where the entries of the stream have a job's identifier and state. */
export function entryHints(
	{ source: { idFields, route } }: Pick<Stream, 'source'>,
	service: Pick<Service, 'field'>,
): EntryHints {
	return {
		identifier: { documented: idFields, set: service.field('identifier') },
		// The field that the service's documentation shows in a record holds for the entry, too.
		state: stateHints(service, route.route),
	};
}

export interface ListedJob {
	/** The identifier by which its status is read. */
	id: string;
	/** Other identifiers that the entry has: another list, or a later entry, may know the job by them. */
	otherIds: readonly string[];
	/** One of the service's states, or another text that it gave. */
	state: string;
	/** ms since 1970, by the clock of the service. */
	createdAt?: number;
	endedAt?: number;
	/** Type of its media; a name that we do not know is kept as it is. */
	type?: string;
	record: Body;
	/** The record that another list has of it. */
	elsewhere?: Body;
	source: JobList;
}

/** What an entry lacks to be a job. */
type Lack = 'identifier' | 'state';

/** The job that an entry of a list shows, or what it lacks to be one (open points "identifier", "state"). */
export function listedJob(
	{ id, state, record, createdAt }: ListEntry,
	{ source, mediaType }: Stream,
): ListedJob | Lack {
	if (!record || id === undefined) return 'identifier';
	if (state === undefined) return 'state';
	return {
		id,
		otherIds: [...new Set(otherIdsIn(record, id))].slice(0, MOST_OTHER_IDS),
		state,
		createdAt,
		endedAt: timeIn(record, COMPLETED_AT_FIELD),
		type: typeIn(record) ?? mediaType,
		record,
		source,
	};
}

/** How many other identifiers of one entry are looked at. */
export const MOST_OTHER_IDS = 2;

/** Identifiers in a record of a job, besides the one by which the job is known. */
export const otherIdsIn = (record: Body, id: string): string[] =>
	identifiersIn(record)
		.map(({ value }) => value)
		.filter((other) => other !== id);

/** When a job ended, ms since 1970; if its list does not say, when it was created; or else 0. */
export const endOf = ({ endedAt, createdAt = 0 }: ListedJob): number => endedAt ?? createdAt;

export const hasEnded = ({ state }: Pick<ListedJob, 'state'>) => isFinal(state);

/** How many entries are asked for at once, and how many times at most. */
const PAGE_SIZE = 100;
const MOST_PAGES = 20;

/** How many times on an account with few requests. */
const MOST_PAGES_IF_SCARCE = 1;

/** How many entries of all pages together are looked at. */
export const MOST_ENTRIES = PAGE_SIZE * MOST_PAGES;

/** How far to read beyond known ground, in ms: an entry may come late into a list, and not to its top. */
const LATE_MS = 600_000;

export interface Listing {
	/** Each once, in the order of the list. */
	jobs: ListedJob[];
	/** What entries lack that are not jobs. */
	lacks: ReadonlySet<Lack>;
	/** The list is seen to have the newest first. */
	isNewestFirst: boolean;
	/** It may go on beyond what was read: reading stopped before its end was seen. */
	isCut: boolean;
	/** What was read will do, but there is more, for which no request was free: a later poll reads on. */
	hasMore: boolean;
}

interface Reading {
	/** `sendSpare` reads on once what was read will do. */
	service: Pick<TriggerService, 'field' | 'isScarce' | 'send' | 'sendSpare'>;
	/** Where known ground begins; `undefined` if the list was not watched before. */
	ground?: {
		/** Whether the trigger knows the job, whatever its state. */
		isKnown: (job: ListedJob) => boolean;
		/** The newest job that the last reading has shown, ms since 1970 by the clock of the service. */
		newest?: number;
	};
	/** Reads on to the end, as far as there are requests. */
	isThorough: boolean;
	mostPages?: number;
}

/**
 * Reads a list page after page to known ground: jobs that are known, and older than what the last reading showed,
 * in a list that is seen to have the newest first. Of such a list that was not watched before, the newest jobs will
 * do if each says when it ended: later, that tells news from what was there. Any other list is read to its end,
 * since its order, and how many entries a page may have, are not documented.
 *
 * @throws ServiceError if a page cannot be read: a part of a list says nothing about the rest
 */
export async function readStream(stream: Stream, reading: Reading): Promise<Listing> {
	const listing = new ListingSoFar();
	const { service } = reading;
	const { mostPages = service.isScarce ? MOST_PAGES_IF_SCARCE : MOST_PAGES } = reading;
	const hints = entryHints(stream, service);
	let willDo = false;
	for (let page = 0; page < mostPages && listing.received < MOST_ENTRIES; page++) {
		const request = requestOf(stream, listing.received);
		const answer = await attempt(willDo ? service.sendSpare(request) : service.send(request));
		if ('error' in answer) {
			if (page > 0 && isBeyondEnd(answer.error)) return listing.cut();
			if (willDo && isNotSent(answer.error)) return listing.leftOff();
			throw answer.error;
		}
		const body = answer.value;
		const entries = historyEntries(body, MOST_ENTRIES - listing.received, hints);
		if (!entries) {
			if (page > 0) return listing.cut();
			throw unreadable(READ, JSON.stringify(body) ?? '');
		}
		const added = listing.add(entries, stream);
		if (added === 0 || !stream.source.operation.paging) return listing.ended();
		willDo ||= listing.willDo(reading);
		if (willDo && !reading.isThorough) return listing.ended();
	}
	return listing.cut();
}

/** Whether the service may only mean that the offset is beyond the end of the list. */
const isBeyondEnd = (error: unknown) =>
	error instanceof ServiceError && [BAD_REQUEST, NOT_FOUND].includes(Number(error.status));

class ListingSoFar {
	/** How many entries were read, repeated ones included. */
	received = 0;

	private readonly jobs: ListedJob[] = [];
	private readonly byId = new Map<string, ListedJob>();
	private readonly lacks = new Set<Lack>();
	private readonly others = new Set<string>();
	/** When jobs were created, as far as entries say, in the order of the list. */
	private readonly times: number[] = [];
	private hasUntimed = false;

	/** @returns how many of the entries are new */
	add(entries: Iterable<ListEntry>, stream: Stream): number {
		let added = 0;
		for (const entry of entries) {
			this.received++;
			const job = listedJob(entry, stream);
			if (typeof job === 'string' ? this.addOther(entry, job) : this.addJob(job)) added++;
		}
		return added;
	}

	private addOther({ raw }: ListEntry, lack: Lack): boolean {
		this.lacks.add(lack);
		const text = JSON.stringify(raw) ?? '';
		const isNew = !this.others.has(text);
		this.others.add(text);
		return isNew;
	}

	private addJob(job: ListedJob): boolean {
		const known = this.byId.get(job.id);
		if (known) {
			const otherIds = [...new Set([...known.otherIds, ...job.otherIds])];
			// If the list shifts between two pages, perhaps only the second shows that the job has ended.
			Object.assign(known, !hasEnded(known) && hasEnded(job) ? job : {}, { otherIds });
			return false;
		}
		this.jobs.push(job);
		this.byId.set(job.id, job);
		if (job.createdAt === undefined) this.hasUntimed = true;
		else this.times.push(job.createdAt);
		return true;
	}

	/** Whether what was read will do: a trigger needs nothing that is further down. */
	willDo({ ground }: Reading): boolean {
		const last = this.jobs.at(-1);
		if (!last || !this.isNewestFirst) return false;
		if (!ground) return this.jobs.length >= PAGE_SIZE && this.tellsEnds;
		const { isKnown, newest = Infinity } = ground;
		return isKnown(last) && Number(last.createdAt) < newest - LATE_MS;
	}

	private get tellsEnds(): boolean {
		const ended = this.jobs.filter(hasEnded);
		return ended.length > 0 && ended.every(({ endedAt }) => endedAt !== undefined);
	}

	private get isNewestFirst(): boolean {
		const { times } = this;
		const descends = times.every((time, index) => index === 0 || time <= Number(times[index - 1]));
		return !this.hasUntimed && descends && Number(times[0]) > Number(times.at(-1));
	}

	/** The list may go on. */
	cut = (): Listing => ({ ...this.ended(), isCut: true });

	leftOff = (): Listing => ({ ...this.ended(), hasMore: true });

	ended(): Listing {
		const { jobs, lacks, isNewestFirst } = this;
		return { jobs, lacks, isNewestFirst, isCut: false, hasMore: false };
	}
}
