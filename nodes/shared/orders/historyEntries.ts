import { jobRecord, listIn, type Body } from '../service/bodies';
import { CREATED_AT_FIELD, GENERATION_RECORD_IDS } from '../spec/answers';
import { identifierIn, stateIn, timeIn, type Hints } from './readRecord';

/** An entry of a list of jobs, as far as it can be read: what such lists show is not documented. */
export interface ListEntry {
	id?: string;
	/** One of the service's states, or another text that it gave. */
	state?: string;
	/** `undefined` if the entry is not a record. */
	record?: Body;
	/** ms since 1970, by the clock of the service. */
	createdAt?: number;
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

/** How many pages are read at most to find jobs of a time. */
const MOST_PAGES = 5;

/**
 * The entries of a list of jobs, page by page, until one that has the newest first reaches back to before a time, in ms
 * since 1970. The order of a list is not documented: one that has the oldest first is read on.
 */
export async function* entriesSince(
	read: (offset: number) => Promise<ListEntry[]>,
	since: number,
): AsyncGenerator<ListEntry[]> {
	let pages = 0;
	for await (const entries of newEntries(read, ({ id }) => id)) {
		yield entries;
		const [first = since, last = since] = [entries[0]?.createdAt, entries.at(-1)?.createdAt];
		const isFarEnough = first >= last && last < since;
		if (isFarEnough || ++pages === MOST_PAGES) return;
	}
}

function entryIn(raw: unknown, hints: EntryHints): ListEntry {
	// An array is not an entry; `jobRecord` would take one of a single record for that record.
	const record = Array.isArray(raw) ? undefined : jobRecord(raw);
	if (!record) return {};
	const id = identifierIn(record, hints.identifier)?.value;
	return {
		id: Number(id?.length) <= MAX_ID ? id : undefined,
		state: stateIn(record, hints.state),
		record,
		createdAt: timeIn(record, CREATED_AT_FIELD),
	};
}
