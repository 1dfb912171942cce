import type { Job } from '../jobs/job';
import { identifierIn, textIn } from '../jobs/readRecord';
import type { Run } from '../node/run';
import { listIn } from '../output/listOutput';
import { fillWithId } from '../request/buildRequest';
import { attempt } from '../service/attempt';
import { objectSchema, type Body } from '../service/bodies';
import { sendPatiently } from '../service/patience';
import { ServiceError } from '../service/serviceError';
import { GENERATION_STATUS, JOB_HISTORY } from '../spec/jobs';
import { CREATED_AT_FIELD, PROMPT_FIELD } from '../spec/records';
import type { CreateOperation } from '../spec/types';
import { claimsOf } from './neighbours';
import type { OpenItem } from './stretch';

/** Entries of the history that are asked for at once, and how many times at most. */
const PAGE_SIZE = 100;
const PAGES = 20;

/** The service's clock may be so far from ours, ms. */
const SKEW_MS = 10_000;

/** So long after it was about to be sent, a creation has been, or never will be, ms. */
const SENT_WITHIN_MS = 60_000;

/** A creation with the same prompt so near in time may still be ours, if clocks differ more, ms. */
const NEAR_MS = 600_000;

/**
 * What became of a creation whose answer was lost in a crash:
 * - the job, where the history has one that nobody else has claimed
 * - `none`, where the history shows that there is none: it can be created
 * - the error, where that cannot be told
 */
export type Clarified = Job | 'none' | ServiceError;

/**
 * Looks into the generation history for jobs whose creation is in doubt. What the history shows is
 * not documented, so it is believed only where its entries have the fields of a generation record
 * (section "Generation record"), and cover the time in question.
 *
 * @param at when the creations were about to be sent, ms since 1970
 */
export async function clarify(
	run: Run,
	items: readonly OpenItem[],
	at: number,
): Promise<Map<number, Clarified>> {
	const claimed = claimsOf(run.service.account, run.clock);
	const { entries, isComplete } = await readHistory(run, at);
	const fateOf = ({ order }: OpenItem): Clarified => {
		if (!isListed(order.operation)) return inDoubt();
		const prompt = order.request.body?.[PROMPT_FIELD];
		const alike = entries.filter((entry) => entry.prompt === prompt && !claimed.has(entry.id));
		const own = alike.find(
			({ createdAt }) => createdAt >= at - SKEW_MS && createdAt <= at + SENT_WITHIN_MS,
		);
		if (own) claimed.add(own.id);
		if (own) return jobOf(own);
		const isNear = alike.some(({ createdAt }) => Math.abs(createdAt - at) < NEAR_MS);
		return isNear || !isComplete ? inDoubt() : 'none';
	};
	return new Map(items.map((item) => [item.itemIndex, fateOf(item)]));
}

/** Whether the history lists such jobs. */
function isListed({ status }: CreateOperation): boolean {
	return 'route' in status ? status.route.isInHistory === true : !status.only;
}

interface Entry {
	id: string;
	prompt: string;
	/** ms since 1970. */
	createdAt: number;
	record: Body;
}

interface History {
	entries: Entry[];
	/** What it does not show has not been made. */
	isComplete: boolean;
}

/**
 * Page after page until one is empty or, the newest coming first, older than the time in question:
 * neither the order nor how many entries a page may have is documented, so a short page proves
 * nothing.
 */
async function readHistory(run: Run, at: number): Promise<History> {
	const entries: Entry[] = [];
	for (let page = 0; page < PAGES; page++) {
		const read = await readPage(run, entries.length);
		const isNew = read?.every(({ id }) => entries.every((known) => known.id !== id));
		if (!read || !isNew) return { entries, isComplete: false };
		entries.push(...read);
		// One without any entry shows nothing of how it lists them.
		if (read.length === 0) return { entries, isComplete: entries.length > 0 };
		if (reachesBack(entries, at)) return { entries, isComplete: true };
	}
	return { entries, isComplete: false };
}

function reachesBack(entries: readonly Entry[], at: number): boolean {
	const times = entries.map(({ createdAt }) => createdAt);
	const isNewestFirst = times.every(
		(time, index) => index === 0 || time <= Number(times[index - 1]),
	);
	const [newest = 0, oldest = 0] = [times[0], times.at(-1)];
	return isNewestFirst && newest > oldest && oldest < at - SKEW_MS;
}

/** `undefined` where it cannot be read. */
async function readPage(run: Run, offset: number): Promise<Entry[] | undefined> {
	const { method, path, paging } = JOB_HISTORY;
	const query = paging && {
		[paging.limit]: PAGE_SIZE,
		...(offset > 0 && { [paging.offset]: offset }),
	};
	const request = { method, path: String(path), query };
	const read = await attempt(sendPatiently(run.service, request, run.clock, run));
	const listed = 'value' in read ? listIn(read.value) : { single: undefined };
	if (!('entries' in listed)) return undefined;
	const entries = listed.entries.map(entryIn);
	return entries.every((entry) => entry !== undefined) ? entries : undefined;
}

function entryIn(entry: unknown): Entry | undefined {
	const { data: record } = objectSchema.safeParse(entry);
	const id = record && identifierIn(record)?.value;
	const prompt = textIn(record, [PROMPT_FIELD]);
	const createdAt = Date.parse(textIn(record, [CREATED_AT_FIELD]) ?? '');
	if (!record || id === undefined || prompt === null || Number.isNaN(createdAt)) return undefined;
	return { id, prompt, createdAt, record };
}

function jobOf({ id, createdAt, record }: Entry): Job {
	const { path, urlFields, isInHistory } = GENERATION_STATUS;
	const status = { path: fillWithId(path, id), urlFields, isInHistory };
	return { id, status, creation: record, startedAt: createdAt };
}

function inDoubt(): ServiceError {
	return new ServiceError({
		message: 'n8n ended while this job was being created; it may exist, and may have been paid for',
		description:
			'The generation history does not tell. Look into it (Job > Get History), and run the workflow again for this item if the job is not there.',
		outcome: 'unknown',
	});
}
