import { attempt, type Clock } from '../clock/clock';
import type { Looker, News } from '../account/looks';
import type { Granted } from '../account/requests';
import { PAGE_SIZE, pageRequest } from '../request/request';
import type { Body } from '../spec/values';
import { recordIn, listIn, type Hints, identifierIn, stateIn, textIn, timeIn } from './readRecord';
import type { ServiceRequest, Service } from '../service/service';
import { isNotSent, isTooMany, unreadable } from '../service/serviceError';
import {
	CREATED_AT_FIELD,
	GENERATION_RECORD_IDS,
	isUnfinished,
	PROMPT_FIELD,
} from '../spec/answers';
import { JOB_HISTORY } from '../spec/jobs';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import type { ListOperation } from '../spec/operation';
import { type Claims, keepLatest } from './order';

/** An entry of a list of jobs, as far as it can be read: what such lists show is not documented. */
export interface ListEntry {
	id?: string;
	/** One of the service's states, or another text that it gave. */
	state?: string;
	/** `undefined` if the entry is not a record. */
	record?: Body;
	/** ms since 1970, by the clock of the service. */
	createdAt?: number;
	prompt?: string;
}

/** Where entries most likely have the identifier and the state of their job. */
export interface EntryHints {
	identifier?: Hints;
	state?: Hints;
}

/** Entries may be generation records (section "Generation record"). */
const GENERATIONS: EntryHints = { identifier: { documented: GENERATION_RECORD_IDS } };

/** How long an identifier may be, in characters; a longer text is not one. */
const MAX_ID = 500;

/**
 * The entries of a history in its order, also those without a record of a job.
 *
 * @param body of the answer
 * @param most how many entries to look at: there may be more than were asked for
 * @returns `undefined` if the body has no list
 */
export function historyEntries(
	body: unknown,
	most: number,
	hints = GENERATIONS,
): ListEntry[] | undefined {
	const listed = listIn(body);
	if (!('entries' in listed)) return undefined;
	return listed.entries.slice(0, most).map((entry) => entryIn(entry, hints));
}

/**
 * The entries of a list, page by page, each once, until a page has nothing new. How large a page may be, whether `offset`
 * is heeded and in what order the entries come is not documented.
 *
 * @param read gives the page that begins at an offset
 * @param nameOf what an entry is recognized by on a later page; one without is left out
 */
export async function* newEntries<T>(
	read: (offset: number) => Promise<readonly T[]>,
	nameOf: (entry: T) => string | undefined,
	start = 0,
): AsyncGenerator<T[]> {
	const known = new Set<string | undefined>([undefined]);
	for (let offset = start; ; ) {
		const page = await read(offset);
		const added = page.filter((entry) => !known.has(nameOf(entry)));
		if (added.length === 0) return;
		for (const entry of added) known.add(nameOf(entry));
		yield added;
		offset += page.length;
	}
}

/** How many entries of a page are read, if there are more than were asked for. */
const MOST_ENTRIES = 400;

/** Gives the answer to a request. */
type Send = (request: ServiceRequest) => Promise<unknown>;

/** A page of a list of jobs. @throws ServiceError if it cannot be read */
export async function readPage(
	send: Send,
	list: ListOperation,
	offset: number,
): Promise<ListEntry[]> {
	const body = await send(pageRequest(list, PAGE_SIZE, offset));
	const entries = historyEntries(body, MOST_ENTRIES);
	if (!entries) throw unreadable(200, JSON.stringify(body));
	return entries;
}

/** How many pages are read at most to find jobs of a time. */
const MOST_PAGES = 5;

/**
 * The entries of a list of jobs, page by page, until one that has the newest first reaches back to before a time, in ms
 * since 1970. The order of a list is not documented: one that has the oldest first is read on.
 *
 * @throws ServiceError if a page cannot be read
 */
export async function* entriesSince(
	send: Send,
	list: ListOperation,
	since: number,
): AsyncGenerator<ListEntry[]> {
	const read = async (offset: number) => await readPage(send, list, offset);
	let pages = 0;
	for await (const entries of newEntries(read, ({ id }) => id)) {
		yield entries;
		const [first = since, last = since] = [entries[0]?.createdAt, entries.at(-1)?.createdAt];
		const isFarEnough = first >= last && last < since;
		if (isFarEnough || ++pages === MOST_PAGES || !list.isPaged) return;
	}
}

function entryIn(raw: unknown, hints: EntryHints): ListEntry {
	// An array is not an entry; `recordIn` would take one of a single record for that record.
	const record = Array.isArray(raw) ? undefined : recordIn(raw);
	if (!record) return {};
	const id = identifierIn(record, hints.identifier)?.value;
	return {
		id: Number(id?.length) <= MAX_ID ? id : undefined,
		state: stateIn(record, hints.state),
		record,
		createdAt: timeIn(record, CREATED_AT_FIELD),
		prompt: textIn(record, [PROMPT_FIELD]) ?? undefined,
	};
}

/** How many entries of the history are asked for, and read if there are more. */
const ASKED = 20;
const MOST_READ = 200;

/** A job of others that has not ended this long after its creation takes no place any more, in ms. */
const FORGOTTEN_MS = 900_000;

/** Asks the generation history about all jobs with one request (`Looker`). What it shows is not documented. */
export async function readHistory(
	service: Service,
	granted: Granted,
	{ claims, clock, signal }: { claims: Claims; clock: Clock; signal?: AbortSignal },
): ReturnType<Looker['readHistory']> {
	const answer = await attempt(service.send(pageRequest(JOB_HISTORY, ASKED), { granted }));
	if ('error' in answer) {
		const { error } = answer;
		return isTooMany(error) || isNotSent(error) || signal?.aborted ? 'unknown' : 'useless';
	}
	const entries = historyEntries(answer.value, MOST_READ);
	if (!entries) return 'useless';
	const now = clock.now();
	const news = new Map<string, News>();
	const others = new Set<string>();
	for (const { id, state, record, createdAt = now } of entries) {
		if (!record || id === undefined || state === undefined) continue;
		if (!news.has(id)) news.set(id, { state, record });
		if (isUnfinished(state) && now - createdAt < FORGOTTEN_MS && !claims.has(id)) others.add(id);
	}
	return { news, others: Math.min(others.size, CONCURRENT_GENERATIONS) };
}

/** A prompt in a form that can be compared: a service may trim it, or change its case and white space. */
export function plainPrompt(prompt: unknown): string {
	return typeof prompt === 'string' ? prompt.trim().split(/\s+/).join(' ').toLowerCase() : '';
}

/** Whether one prompt may be the other, cut or extended. */
export function isAlike(told: string, sent: string): boolean {
	return told.startsWith(sent) || sent.startsWith(told.replace(/(?:…|\.\.\.)$/, ''));
}

/** For how many jobs their result URLs are remembered. */
const REMEMBERED = 1000;

/** The result of a job, as its record or an entry of the history shows it. */
export interface ShownResult {
	/** Where its URL is in the record. */
	path: string;
	url: string;
}

/** Reads the result from what is shown of a job; `undefined` where that has none. */
type ResultIn = (record: Body) => ShownResult | undefined;

/** A job whose result may be taken from the history. */
export interface ShownJob {
	id: string;
	/** Jobs of one kind are listed alike. */
	kind: string;
	/** The prompt that was sent, where there is one. */
	prompt: unknown;
	resultIn: ResultIn;
}

/** How results of a kind of jobs are shown. */
interface Shape {
	path: string;
	fields: readonly string[];
}

/**
 * When an entry of the history stands for the record of its job, which saves a request. For the first job of a kind,
 * the entry is compared with the record: if both have the same URL in the same place, later entries of that kind stand
 * for records that have a URL there, which no other job had, and all fields of the first record.
 */
export class ShownResults {
	/** By kind; `undefined` where the first entry was not like its record. */
	private readonly shapes = new Map<string, Shape | undefined>();

	/** The job that each result URL belongs to. */
	private readonly owners = new Map<string, string>();

	/** Compares the first entry of a kind with the record of the same job, both of which say that it is completed. */
	compare(job: ShownJob, entry: Body, record: Body): void {
		const { kind, resultIn } = job;
		const own = resultIn(record);
		if (own) this.note(job, own.url);
		if (this.shapes.has(kind)) return;
		const shown = resultIn(entry);
		const isSame = own && own.path === shown?.path && own.url === shown.url;
		const fields = Object.keys(record);
		this.shapes.set(kind, isSame ? { path: own.path, fields } : undefined);
	}

	/** Whether the entry of a completed job stands for its record. */
	standsFor(job: ShownJob, entry: Body): boolean {
		const shape = this.shapes.get(job.kind);
		const shown = shape && job.resultIn(entry);
		if (!shown || shown.path !== shape.path) return false;
		const isComplete = shape.fields.every((field) => field in entry);
		const isOwn = (this.owners.get(shown.url) ?? job.id) === job.id;
		const isSameText = plainPrompt(textIn(entry, [PROMPT_FIELD])) === plainPrompt(job.prompt);
		this.note(job, shown.url);
		return isComplete && isOwn && isSameText;
	}

	private note({ id }: ShownJob, url: string): void {
		if (!this.owners.has(url)) keepLatest(this.owners, url, id, REMEMBERED);
	}
}
