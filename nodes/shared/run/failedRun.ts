import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { nodeError } from './errors';
import { failedAs, failedItem } from './failedItem';

/**
 * The items of a run that cannot begin, under *Continue*: each has failed. Thrown, the error would let n8n
 * pass on what came in, which the next node takes for results.
 */
export function failedRun(context: IExecuteFunctions, error: unknown): INodeExecutionData[] {
	return context.getInputData().map((_, item) => ({
		json: failedItem(nodeError(context, error, item), {}, failedAs(context)),
		pairedItem: { item },
	}));
}
