import type { INodeExecutionData } from 'n8n-workflow';

import type { ItemPlan, Run } from './run';
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
		case 'recover':
			return await runRecover(run, operation, item);
	}
}
