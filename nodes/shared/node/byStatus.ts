import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Settled } from '../jobs/batch';
import { OUTPUT_BY_STATUS, STATUS_OUTPUTS } from '../parameters/names';
import { isTool } from '../run/openRun';
import { typedOptions } from '../run/parameters';
import type { Run } from '../run/run';
import { givesJobs } from '../spec/kinds';
import { COMPLETED, FAILED } from '../spec/states';
import type { Operation } from '../spec/types';

type StatusOutput = (typeof STATUS_OUTPUTS)[number];

/**
 * The items of a run on the outputs of the node: all on one or, with *Output by Status*, each on that
 * of its job's state. An item without a job is on *Failed*: a loop from *In Progress* would never end for it.
 *
 * @param results by item
 */
export function byStatus(
	run: Run,
	operation: Operation,
	results: ReadonlyArray<Settled<unknown>>,
	items: INodeExecutionData[],
): INodeExecutionData[][] {
	if (!givesJobs(operation) || !isByStatus(run.context)) return [items];
	const outputs = items.map((item) => outputOfItem(run, results, item));
	return STATUS_OUTPUTS.map((name) => items.filter((_, index) => outputs[index] === name));
}

/** Items that are errors, where nothing is known of a run. */
export function onFailedOutput(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
): INodeExecutionData[][] {
	if (!isByStatus(context)) return [items];
	return STATUS_OUTPUTS.map((name) => (name === 'Failed' ? items : []));
}

/**
 * As the expression of the node's outputs has it. Not evaluated: the switch takes no expression, and one that
 * stands beside it may fail.
 */
function isByStatus(context: IExecuteFunctions): boolean {
	return !isTool(context.getNode()) && typedOptions(context)[OUTPUT_BY_STATUS] === true;
}

function outputOfItem(
	{ seen }: Run,
	results: ReadonlyArray<Settled<unknown>>,
	{ pairedItem }: INodeExecutionData,
): StatusOutput {
	const { item } = pairedItem as { item: number };
	if ('error' in (results[item] ?? {})) return 'Failed';
	const snapshot = seen.get(item);
	if (!snapshot) return 'Failed';
	const { state } = snapshot;
	if (state === COMPLETED) return 'Completed';
	return state === FAILED ? 'Failed' : 'In Progress';
}
