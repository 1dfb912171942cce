import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { entryOutput, NewEntries } from '../output/listEntries';
import { DEFAULT_LIMIT, RETURN_ALL } from '../parameters/names';
import { listIn } from '../service/listIn';
import { sendWithRetry } from '../service/retry';
import type { ListOperation } from '../spec/types';
import { InvalidValues } from '../request/validate';
import { hint } from '../run/hint';
import type { ItemPlan, Run, Runner } from '../run/run';

/** Reads a list, one item for each entry; a body that is no list becomes one item. */
export const runList: Runner<ListOperation> = async (run, operation, plan) => {
	const { paging } = operation;
	const found = paging ? await readPages(run, paging, plan) : await readPage(run, plan, {});
	const items = 'entries' in found ? found.entries.map(entryOutput) : [entryOutput(found.single)];
	return items.map(
		(json: IDataObject): INodeExecutionData => ({ json, pairedItem: { item: plan.itemIndex } }),
	);
};

/** Entries asked for at once when all are wanted. */
const PAGE_SIZE = 100;

type Paging = NonNullable<ListOperation['paging']>;

async function readPage(run: Run, { request }: ItemPlan, query: Record<string, number>) {
	const page = { ...request, query: { ...request.query, ...query } };
	return listIn(await sendWithRetry(run.service, page, run.clock, { signal: run.signal }));
}

/** Pages that are read at most: a service that invents records would never come to an end. */
const MAX_PAGES = 1000;

/**
 * Reads page after page until one is empty or says nothing new, and gives each entry once: how large
 * a page may be, whether `offset` is heeded and in what order the entries come is not shown.
 */
async function readPages(run: Run, { limit, offset }: Paging, plan: ItemPlan) {
	const wanted = plan.read(RETURN_ALL, false) === true ? Infinity : readLimit(plan, limit);
	const start = Number(plan.values[offset] ?? 0);
	const unseen = new NewEntries();
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
		const added = unseen.of(page.entries);
		if (added.length === 0) break;
		// One by one: a page may have more entries than a call can have arguments.
		for (const entry of added) entries.push(entry);
	}
	return { entries: entries.slice(0, wanted) };
}

function readLimit({ read }: ItemPlan, name: string): number {
	const value = read(name, DEFAULT_LIMIT);
	const limit = Number(value);
	if (Number.isInteger(limit) && limit >= 1) return limit;
	const message = `Limit (${name}) must be a whole number of at least 1, but is ${JSON.stringify(value)}`;
	throw new InvalidValues([{ field: name, message }]);
}
