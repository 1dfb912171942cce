import type { INodeExecutionData } from 'n8n-workflow';

import type { ItemPlan, Run } from '../run/run';
import { runCreate } from '../run/runCreate';
import { runCatalog } from './catalog';
import { runEstimate } from './estimate';
import { runList } from './list';
import { runRecord } from './record';
import { runRecover } from './recover';
import { runStatus } from './status';

/**
 * Carries out what one item asks for.
 *
 * @param goOn to be called when the next item may be begun, where that is before this one has ended
 */
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
		case 'estimate':
			return await runEstimate(run, operation, item);
		case 'catalog':
			return await runCatalog(run, operation, item);
		case 'recover':
			return await runRecover(run, operation, item);
		case 'any':
			throw new Error('An operation of the catalog is resolved before it is carried out');
	}
}
