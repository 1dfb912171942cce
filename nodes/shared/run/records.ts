import type { IDataObject } from 'n8n-workflow';

import { DEFAULT_LIMIT, RETURN_ALL } from '../parameters/names';
import { InvalidValues } from '../request/validate';
import { hint } from './messages';
import { ask, itemOf, type ItemPlan, type Run, type Runner } from './run';
import { listIn, objectIn, unwrap } from '../service/bodies';
import { ServiceError } from '../service/serviceError';
import { sentences } from '../service/shownText';
import { ID_FIELDS } from '../spec/answers';
import type { ListOperation, RecordOperation, Refusal } from '../spec/types';

/** Reads a list, one item for each entry; a body that is no list becomes one item. */
export const runList: Runner<ListOperation> = async (run, operation, plan) => {
	const { paging } = operation;
	const found = paging ? await readPages(run, paging, plan) : await readPage(run, plan, {});
	const items = 'entries' in found ? found.entries.map(entryOutput) : [entryOutput(found.single)];
	return items.map((json) => itemOf(plan, json));
};

export function entryOutput(entry: unknown): IDataObject {
	return typeof entry === 'object' && entry !== null && !Array.isArray(entry)
		? (entry as IDataObject)
		: { value: entry as IDataObject[string] };
}

/** Most entries asked for at once. */
const PAGE_SIZE = 100;

type Paging = NonNullable<ListOperation['paging']>;

async function readPage(run: Run, { request }: ItemPlan, query: Record<string, number>) {
	const page = { ...request, query: { ...request.query, ...query } };
	return listIn(await ask(run, page));
}

/** How many pages are read at most: a service that invents records would go on for ever. */
const MAX_PAGES = 1000;

/**
 * Reads page after page until one has nothing new. How large a page may be, whether `offset` is heeded
 * and in what order the entries come is not documented.
 */
async function readPages(run: Run, { limit, offset }: Paging, plan: ItemPlan) {
	const wanted = plan.read(RETURN_ALL, false) === true ? Infinity : readLimit(plan, limit);
	const start = Number(plan.values[offset] ?? 0);
	const known = new Set<string>();
	const entries: unknown[] = [];
	let received = 0;
	for (let pages = 0; entries.length < wanted; pages++) {
		if (pages === MAX_PAGES) {
			hint(run, `The list was not read further than ${MAX_PAGES} pages`);
			break;
		}
		const page = await readPage(run, plan, {
			[limit]: Math.min(PAGE_SIZE, wanted - entries.length),
			...(start + received > 0 ? { [offset]: start + received } : {}),
		});
		if (!('entries' in page)) return pages === 0 ? page : { entries };
		received += page.entries.length;
		const added = page.entries.filter((entry) => !known.has(nameOf(entry)));
		if (added.length === 0) break;
		for (const entry of added) {
			known.add(nameOf(entry));
			entries.push(entry);
		}
	}
	return { entries: entries.slice(0, wanted) };
}

/**
 * What an entry is recognized by on a later page: all its identifiers together, since several entries may be about one
 * job; its whole content if it has none.
 */
function nameOf(entry: unknown): string {
	const record = objectIn(entry) ?? {};
	const identifiers = ID_FIELDS.map((field) => record[field] ?? null);
	return JSON.stringify(identifiers.some((value) => value !== null) ? identifiers : entry);
}

function readLimit({ read }: ItemPlan, name: string): number {
	const value = read(name, DEFAULT_LIMIT);
	const limit = Number(value);
	if (Number.isInteger(limit) && limit >= 1) return limit;
	const message = `Limit (${name}) must be a whole number of at least 1, but is ${JSON.stringify(value)}`;
	throw new InvalidValues([{ field: name, message }]);
}

export const runRecord: Runner<RecordOperation> = async (run, operation, plan) => {
	const body = await ask(run, plan.request).catch((error: unknown) => {
		if (!(error instanceof ServiceError) || error.status === undefined) throw error;
		if (operation.mayBeEmpty && error.isEmpty) return { status: error.status };
		const refusal = operation.refusals?.[error.status];
		throw refusal ? inWordsOf(refusal, error) : error;
	});
	return [itemOf(plan, entryOutput(unwrap(body) ?? body))];
};

/** The error in the operation's own words; what the service said about it stays. */
function inWordsOf({ message, description }: Refusal, error: ServiceError): ServiceError {
	return error.with({ message, description: sentences(description, error.said) });
}
