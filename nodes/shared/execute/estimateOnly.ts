import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { Batch } from '../jobs/batch';
import { startsJob } from '../spec/jobs';
import { plannedName, priceOf } from '../spec/price';
import { InvalidValues } from '../request/validate';
import { totalInWords, totalOf, type ItemEstimate } from '../run/estimate';
import { failedAs } from '../run/failedItem';
import { info } from '../run/hint';
import { outputOf } from '../run/outputs';
import { OPTIONS } from '../parameters/options';
import { givenOptions, parameterReader } from '../run/readOptions';
import type { Run } from '../run/run';
import { counted, itemsInWords } from '../run/words';
import type { Operation } from '../spec/types';
import { readItem } from './planItem';

/** Whether the run is to say what it would cost, and to create nothing; where one item asks for it. */
export function isEstimateOnly(context: IExecuteFunctions, operation: Operation): boolean {
	if (!startsJob(operation)) return false;
	return context.getInputData().some((_, itemIndex) => {
		try {
			const given = givenOptions(parameterReader(context, itemIndex));
			return OPTIONS.estimateOnly.value.safeParse(given.estimateOnly).data === true;
		} catch {
			// What is wrong with the item is told where it is planned.
			return false;
		}
	});
}

/**
 * What the items of a run would cost, one item for each. Needs no path and no file, and reads nothing
 * but the music catalog, for an operation that stands there.
 *
 * @throws NodeError where an item is invalid and is not to become an item
 */
export async function estimateItems(
	run: Run,
	chosen: Operation,
	continueOnFail: boolean,
): Promise<INodeExecutionData[][]> {
	const estimates: ItemEstimate[] = [];
	const results = await new Batch(true).settle(
		[...run.context.getInputData().keys()],
		async (itemIndex): Promise<INodeExecutionData[]> => {
			const { operation, values, problems } = await readItem(run, chosen, itemIndex);
			if (problems.length > 0) throw new InvalidValues(problems);
			if (operation.kind !== 'create') return [];
			const estimate = priceOf(operation, values);
			estimates.push({ itemIndex, ...estimate });
			const json = { operation: plannedName(operation), ...estimate, estimateOnly: true };
			return [{ json, pairedItem: { item: itemIndex } }];
		},
		1,
	);
	const outputs = outputOf(run, {
		plans: [],
		results,
		continueOnFail,
		failedAs: failedAs(run.context),
	});
	info(run, estimateText(estimates));
	return outputs;
}

function estimateText(estimates: readonly ItemEstimate[]): string {
	const total = totalOf(estimates);
	const unknown = total.unknown.map(({ itemIndex }) => itemIndex);
	const items = counted(estimates.length - unknown.length, 'item');
	const rest = unknown.length > 0 ? `; not known: what ${itemsInWords(unknown)} would cost` : '';
	return `Estimate only, no job was created: ${items}, ${totalInWords(total)}${rest}`;
}
