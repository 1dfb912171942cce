import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { AGAIN } from './relay';

/** What a role gives out that has come to its end without a result. */
export const NOTHING: INodeExecutionData[][] = [[]];

/**
 * Goes round once more: at once, or after the execution has parked in n8n's database, where it holds
 * no worker and survives a crash. n8n wakes it up at the time given, but looks only once a minute for
 * what is due; the node's input then goes round, not what it has given out.
 *
 * @param till ms since 1970; 0 for at once
 */
export async function again(
	context: IExecuteFunctions,
	till: number,
): Promise<INodeExecutionData[][]> {
	if (till > 0) await context.putExecutionToWait(new Date(till));
	return [[{ json: { [AGAIN]: true } }]];
}
