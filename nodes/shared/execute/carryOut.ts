import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { catalogEntries } from '../catalog/catalogEntries';
import { itemOf, type ItemPlan, type Run, type Runner } from '../run/run';
import { unwrap } from '../service/bodies';
import { DEFAULT_LANGUAGE } from '../spec/music/catalog';
import type { CatalogOperation } from '../spec/types';
import { runCreate } from './create';
import { runStatus } from './readJob';
import { runList, runRecord } from './records';
import { runRecover } from './recover';

/** Carries out what one item asks for, as a `Runner` does. */
export async function carryOut(
	run: Run,
	item: ItemPlan,
	goOn: () => void,
): Promise<INodeExecutionData[]> {
	const { operation, itemIndex, passesOn } = item;
	if (passesOn) return [{ ...passesOn, pairedItem: { item: itemIndex } }];
	switch (operation.kind) {
		case 'create':
			return await runCreate(run, operation, item, goOn);
		case 'status':
			return await runStatus(run, operation, item);
		case 'list':
			return await runList(run, operation, item);
		case 'record':
			return await runRecord(run, operation, item);
		case 'catalog':
			return await runCatalog(run, operation, item);
		case 'recover':
			return await runRecover(run, operation, item);
	}
}

/** Gives out the music catalog: as the service has it, or the built-in tables in the same form. */
const runCatalog: Runner<CatalogOperation> = async (run, _operation, plan) => {
	const { operations, live } = await run.catalog(String(plan.values.language ?? DEFAULT_LANGUAGE));
	const catalog = unwrap(live) ?? catalogEntries(operations);
	const json = { source: live === undefined ? 'built-in' : 'service', ...catalog } as IDataObject;
	return [itemOf(plan, json)];
};
