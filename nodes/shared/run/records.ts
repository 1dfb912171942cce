import type { IDataObject } from 'n8n-workflow';

import { newEntries } from '../orders/history';
import { isAccepted } from '../orders/order';
import { ask, itemOf, type ItemPlan, type Run, type Runner } from './run';
import { listIn, objectIn, unwrap } from '../service/bodies';
import { ServiceError } from '../service/serviceError';
import { ID_FIELDS } from '../spec/answers';
import type { ListOperation, RecordOperation } from '../spec/operation';

/** Reads a list, one item for each entry; a body that is no list becomes one item. */
export const runList: Runner<ListOperation> = async (run, operation, plan) => {
	const { paging } = operation;
	if (paging) return await readPages(run, paging, plan);
	const page = await readPage(run, plan);
	const entries = 'entries' in page ? page.entries : [page.single];
	return entries.map((entry) => itemOf(plan, entryOutput(entry)));
};

export function entryOutput(entry: unknown): IDataObject {
	return typeof entry === 'object' && entry !== null && !Array.isArray(entry)
		? (entry as IDataObject)
		: { value: entry as IDataObject[string] };
}

/** Most entries asked for at once. */
const PAGE_SIZE = 100;

type Paging = NonNullable<ListOperation['paging']>;

async function readPage(run: Run, { request }: ItemPlan, query: Record<string, number> = {}) {
	const page = { ...request, query: { ...request.query, ...query } };
	return listIn(await ask(run, page));
}

async function readPages(run: Run, { limit, offset }: Paging, plan: ItemPlan) {
	// The form has none with *Return All*.
	const wanted = Number(plan.values[limit] ?? Infinity);
	const start = Number(plan.values[offset] ?? 0);
	const entries: unknown[] = [];
	let isList = true;
	const read = async (from: number) => {
		const page = await readPage(run, plan, {
			[limit]: Math.min(PAGE_SIZE, wanted - entries.length),
			...(from > 0 ? { [offset]: from } : {}),
		});
		isList = 'entries' in page;
		if ('entries' in page) return page.entries;
		return from === start ? [page.single] : [];
	};
	for await (const added of newEntries(read, nameOf, start)) {
		entries.push(...added);
		if (!isList || entries.length >= wanted) break;
	}
	return entries.slice(0, wanted).map((entry) => itemOf(plan, entryOutput(entry)));
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

export const runRecord: Runner<RecordOperation> = async (run, operation, plan) => {
	const body = await ask(run, plan.request).catch((error: unknown) => {
		const isEmpty =
			error instanceof ServiceError && isAccepted(error) && error.answer?.trim() === '';
		if (isEmpty && operation.mayBeEmpty) return { status: error.status };
		throw error;
	});
	return [itemOf(plan, entryOutput(unwrap(body) ?? body))];
};
