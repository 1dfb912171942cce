import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { DEFAULT_LIMIT, RETURN_ALL } from '../form/operationProperties';
import { entryOutput, listIn } from '../output/listOutput';
import { sendPatiently } from '../service/patience';
import type { ListOperation } from '../spec/types';
import { InvalidValues } from './errors';
import type { Plan, Run, Runner } from './run';

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

async function readPage(run: Run, { request }: Plan, query: Record<string, number>) {
	const page = { ...request, query: { ...request.query, ...query } };
	return listIn(await sendPatiently(run.service, page, run.clock, { signal: run.signal }));
}

/**
 * Reads page after page until one is empty or says nothing new: how large a page may be, and
 * whether `offset` is heeded, is not shown.
 */
async function readPages(run: Run, { limit, offset }: Paging, plan: Plan) {
	const wanted = plan.read(RETURN_ALL, false) === true ? Infinity : readLimit(plan, limit);
	const start = Number(plan.values[offset] ?? 0);
	const entries: unknown[] = [];
	let previous = '';
	while (entries.length < wanted) {
		const page = await readPage(run, plan, {
			[limit]: Math.min(PAGE_SIZE, wanted - entries.length),
			...(start + entries.length > 0 ? { [offset]: start + entries.length } : {}),
		});
		if (!('entries' in page)) return entries.length === 0 ? page : { entries };
		const text = JSON.stringify(page.entries);
		if (page.entries.length === 0 || text === previous) break;
		previous = text;
		// One by one: a page may have more entries than a call can have arguments.
		for (const entry of page.entries) entries.push(entry);
	}
	return { entries: entries.slice(0, wanted) };
}

function readLimit({ read }: Plan, name: string): number {
	const value = read(name, DEFAULT_LIMIT);
	const limit = Number(value);
	if (Number.isInteger(limit) && limit >= 1) return limit;
	const message = `Limit (${name}) must be a whole number of at least 1, but is ${JSON.stringify(value)}`;
	throw new InvalidValues([{ field: name, message }]);
}
