import type { IDataObject } from 'n8n-workflow';

import { catalogEntries } from '../catalog/catalogEntries';
import { DEFAULT_LANGUAGE } from '../spec/music/catalog';
import { unwrap } from '../service/bodies';
import type { CatalogOperation } from '../spec/types';
import type { Runner } from '../run/run';

/** Gives out the music catalog: as the service has it, or the built-in tables in the same form. */
export const runCatalog: Runner<CatalogOperation> = async (run, _operation, plan) => {
	const { operations, live } = await run.catalog(String(plan.values.language ?? DEFAULT_LANGUAGE));
	const catalog = unwrap(live) ?? catalogEntries(operations);
	const json = { source: live === undefined ? 'built-in' : 'service', ...catalog } as IDataObject;
	return [{ json, pairedItem: { item: plan.itemIndex } }];
};
