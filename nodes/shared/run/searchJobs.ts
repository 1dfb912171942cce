import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { systemClock } from '../clock/clock';
import { type ListEntry, readPage } from '../orders/history';
import { nodeError } from './messages';
import { type ServiceRequest, openService } from '../service/service';
import { sendInTime } from '../service/retry';
import { cleanText } from '../service/shownText';
import { JOB_HISTORY } from '../spec/jobs';

/** Most characters shown of a prompt and of a state: a line of the panel has room for both, and for the time. */
const MAX_PROMPT = 28;
const MAX_STATE = 16;

/** How long a request waits for its turn, in ms, while a person waits for the list. */
const TURN_MS = 30_000;

/**
 * The jobs of the generation history, for the list of *Job ID*: page by page, the newest of a page first.
 *
 * @param filter what a person has typed to find one
 * @param token where the next page begins
 * @throws NodeApiError
 */
export async function searchJobs(
	this: ILoadOptionsFunctions,
	filter = '',
	token = '0',
): Promise<INodeListSearchResult> {
	try {
		const sought = filter.trim().toLowerCase();
		const service = await openService(this);
		const send = async (request: ServiceRequest) =>
			await sendInTime(service, request, { clock: systemClock, turnMs: TURN_MS });
		const entries = await readPage(send, JOB_HISTORY, Number(token));
		const results = newestFirst(entries).flatMap((entry) => {
			const { id } = entry;
			const isFound = isPickable(id) && textOf(entry).includes(sought);
			return isFound ? [{ name: shownAs(entry, this.getTimezone()), value: id }] : [];
		});
		const next = entries.length > 0 ? String(Number(token) + entries.length) : undefined;
		return { results, paginationToken: next };
	} catch (error) {
		throw nodeError(this, error);
	}
}

/** n8n takes a text that begins like this for an expression: the author of a prompt could run code. */
const EXPRESSION = /^[=\s]+/;

/** Whether there is an identifier, and n8n takes it literally. */
const isPickable = (id: string | undefined): id is string => !!id && !EXPRESSION.test(id);

const newestFirst = (entries: readonly ListEntry[]) =>
	[...entries].sort((one, other) => (other.createdAt ?? 0) - (one.createdAt ?? 0));

/** The text of an entry that a search goes through, in lower case. */
const textOf = ({ prompt, state, id }: ListEntry) => [prompt, state, id].join(' ').toLowerCase();

/** `A red fox… · 2026-11-25 08:45 · completed` */
function shownAs(entry: ListEntry, timeZone: string): string {
	const { id = '', state = '', createdAt, prompt = '' } = entry;
	const time = createdAt === undefined ? '' : timeOf(createdAt, timeZone);
	const name = [cleanText(prompt, MAX_PROMPT) || id, time, cleanText(state, MAX_STATE)]
		.filter(Boolean)
		.join(' · ');
	return name.replace(EXPRESSION, '');
}

/** A time in ms since 1970 as Swedes write it: they begin with the year. */
const timeOf = (ms: number, timeZone: string) =>
	new Date(ms).toLocaleString('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' });
