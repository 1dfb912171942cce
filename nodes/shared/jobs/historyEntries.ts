import { jobRecord, listIn, type Body } from '../service/bodies';
import { CREATED_AT_FIELD, ENVELOPE, GENERATION_RECORD_IDS } from '../spec/answers';
import { identifierIn, stateIn, timeIn, type Hints } from './readRecord';

/** An entry of a history of jobs, as far as it can be read: what they show is not documented. */
export interface ListEntry {
	id?: string;
	/** One of the service's states, or another text that it gave. */
	state?: string;
	/** `undefined` where it is none. */
	record?: Body;
	/** The entry is the record, and not an envelope around it. */
	isBare: boolean;
	/** ms since 1970, by the clock of the service. */
	createdAt?: number;
	/** As it came. */
	raw: unknown;
}

/** Where entries are likeliest to have what tells the job. */
export interface EntryHints {
	identifier?: Hints;
	state?: Hints;
}

/** They may be generation records (section "Generation record"). */
const GENERATIONS: EntryHints = { identifier: { documented: GENERATION_RECORD_IDS } };

/** Characters of an identifier; a longer one is none. */
const MAX_ID = 500;

/**
 * The entries of a history, in its order, those too that tell of no job; each is read when it is taken.
 *
 * @param body of the answer
 * @param most entries that are looked at: there may be more than were asked for
 * @returns `undefined` where it has no list
 */
export function historyEntries(
	body: unknown,
	most: number,
	hints = GENERATIONS,
): Iterable<ListEntry> | undefined {
	const listed = listIn(body);
	if (!('entries' in listed)) return undefined;
	return entriesIn(listed.entries.slice(0, most), hints);
}

function* entriesIn(entries: readonly unknown[], hints: EntryHints): Iterable<ListEntry> {
	for (const entry of entries) yield entryIn(entry, hints);
}

function entryIn(raw: unknown, hints: EntryHints): ListEntry {
	// A list is no entry, nor does one of one record stand for that here.
	const record = Array.isArray(raw) ? undefined : jobRecord(raw);
	if (!record) return { isBare: false, raw };
	const { [ENVELOPE.data]: inner } = raw as Body;
	const id = identifierIn(record, hints.identifier)?.value;
	return {
		id: Number(id?.length) <= MAX_ID ? id : undefined,
		state: stateIn(record, hints.state),
		record,
		isBare: typeof (inner ?? '') !== 'object',
		createdAt: timeIn(record, CREATED_AT_FIELD),
		raw,
	};
}
