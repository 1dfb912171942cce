import { pageRequest } from '../request/buildRequest';
import { attempt } from '../service/attempt';
import type { Body } from '../service/bodies';
import { sendWithRetry } from '../service/retry';
import { CREATED_AT_FIELD, PROMPT_FIELD } from '../spec/answers';
import { JOB_HISTORY } from '../spec/jobs';
import { historyEntries, type ListEntry } from './historyEntries';
import type { JobContext } from './jobContext';
import { plainPrompt } from './proof';
import { textIn, typeIn } from './readRecord';

/** How many entries one request asks for, and how many requests are made at most. */
const PAGE_SIZE = 100;
const PAGES = 20;

/** How many entries are looked at if the history gives more than it is asked for. */
const MOST_ENTRIES = PAGE_SIZE * PAGES;

/** An entry of the generation history, as far as it has the fields of a generation record. */
export interface HistoryEntry {
	id: string;
	prompt: string;
	/** ms since 1970; `undefined` if it comes without a time zone. */
	createdAt?: number;
	state?: string;
	/** The prompt in the form that is compared (`plainPrompt`). */
	plain: string;
	/** Its media type, or the service's own name for one that we do not know. */
	type?: string;
	record: Body;
}

type Reader = Pick<JobContext, 'service' | 'clock' | 'signal'>;

/**
 * Reads the generation history page by page, until a page is empty or, if the newest entries come first, older than the
 * time in question. Neither the order nor the size of a page is documented, so a short page proves nothing.
 *
 * @param since the time in question, ms since 1970
 */
export async function readHistory(run: Reader, since: number): Promise<HistoryEntry[]> {
	const entries: HistoryEntry[] = [];
	const known = new Set<string>();
	for (let page = 0; page < PAGES && entries.length < MOST_ENTRIES; page++) {
		const read = await readPage(run, entries.length);
		const isNew = read?.every(({ id }) => !known.has(id));
		if (!read || !isNew || read.length === 0) return entries;
		for (const entry of read) {
			entries.push(entry);
			known.add(entry.id);
		}
		if (reachesBack(entries, since)) return entries;
	}
	return entries;
}

function reachesBack(entries: readonly HistoryEntry[], since: number): boolean {
	const times = entries.map(({ createdAt = NaN }) => createdAt);
	const isNewestFirst = times.every(
		(time, index) => index === 0 || time <= Number(times[index - 1]),
	);
	const [newest = 0, oldest = 0] = [times[0], times.at(-1)];
	return isNewestFirst && newest > oldest && oldest < since;
}

/** The entries of a page; `undefined` if any of it cannot be read. */
async function readPage(run: Reader, offset: number): Promise<HistoryEntry[] | undefined> {
	const request = pageRequest(JOB_HISTORY, PAGE_SIZE, offset);
	const { service, clock, signal } = run;
	const read = await attempt(sendWithRetry(service, request, clock, { signal }));
	const listed = 'value' in read ? historyEntries(read.value, MOST_ENTRIES) : undefined;
	const entries = listed && Array.from(listed, entryIn);
	return entries?.every((entry) => entry !== undefined) ? entries : undefined;
}

/** An entry proves something only if it has the form of the documented generation record. */
function entryIn({ id, state, record, isBare, createdAt }: ListEntry): HistoryEntry | undefined {
	const prompt = textIn(record, [PROMPT_FIELD]);
	if (!record || !isBare || id === undefined || prompt === null || createdAt === undefined)
		return undefined;
	return {
		id,
		prompt,
		...(HAS_ZONE.test(textIn(record, [CREATED_AT_FIELD]) ?? '') && { createdAt }),
		state,
		plain: plainPrompt(prompt),
		type: typeIn(record),
		record,
	};
}

/** Without a zone, a time may be off by many hours. */
const HAS_ZONE = /(?:z|[+-]\d\d:?\d\d)\s*$/i;
