import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { Batch, type Settled } from '../jobs/batch';
import { systemClock, type Clock } from '../jobs/clock';
import { jobOutput } from '../output/jobOutput';
import { CONCURRENT_GENERATIONS, REQUESTS_PER_WINDOW } from '../spec/limits';
import type { Catalog, Operation } from '../spec/types';
import { jobOf, nodeError } from './errors';
import { failure, reportStopped } from './failure';
import { openRun } from './openRun';
import { chosenOperation } from './parameters';
import { planItem } from './planItem';
import type { Plan, Run } from './run';
import { runCatalog } from './runCatalog';
import { runCreate } from './runCreate';
import { runEstimate } from './runEstimate';
import { runList } from './runList';
import { runRecord } from './runRecord';
import { runStatus } from './runStatus';

/**
 * Runs a node over all its items: reads and checks every item before anything is sent, works on
 * them as many at a time as the service allows, and gives the results in input order, each
 * paired with its item.
 *
 * @throws NodeApiError, NodeOperationError unless the user chose *Continue* for errors
 */
export async function executeCatalog(
	context: IExecuteFunctions,
	catalog: Catalog,
	clock: Clock = systemClock,
): Promise<INodeExecutionData[][]> {
	const goOn = context.continueOnFail();
	const batch = new Batch(goOn);
	const over = new AbortController();
	const { run, operation } = await begin(context, catalog, {
		clock,
		closing: batch.closing,
		over: over.signal,
	}).catch((error: unknown) => {
		throw nodeError(context, error);
	});
	// Money rule 4: all that can be wrong with an item is found here, before the first charge.
	const plans = await new Batch(true).settle(
		context.getInputData().map((_, itemIndex) => itemIndex),
		async (itemIndex) => await planItem(run, operation, itemIndex),
		1,
	);

	const invalid = plans.filter((entry) => 'error' in entry);
	if (invalid.length > 0 && !goOn) throw failure(run, plans);

	const results = await batch.settle(
		plans,
		async (entry) => {
			if ('value' in entry) return await carryOut(run, entry.value);
			throw 'error' in entry ? entry.error : undefined;
		},
		AT_ONCE[operation.kind] ?? CONCURRENT_GENERATIONS,
	);
	over.abort();
	if (run.signal?.aborted) reportStopped(run, plans, results);
	if (results.some((result) => 'error' in result) && !goOn) throw failure(run, plans, results);
	if (results.every((result) => 'value' in result)) run.jobs.ledger.close();
	return [results.flatMap((result, itemIndex) => outputOf(context, result, itemIndex))];
}

/**
 * Items worked on at the same time. Those that start a job all wait for a slot, so that the
 * scheduler knows what is still to come.
 */
const AT_ONCE: Partial<Record<Operation['kind'], number>> = {
	create: Infinity,
	any: Infinity,
	status: REQUESTS_PER_WINDOW,
};

async function begin(
	context: IExecuteFunctions,
	catalog: Catalog,
	shared: Parameters<typeof openRun>[2],
) {
	const operation = chosenOperation(context, catalog);
	return { operation, run: await openRun(context, operation, shared) };
}

async function carryOut(run: Run, item: Plan): Promise<INodeExecutionData[]> {
	const { operation } = item;
	switch (operation.kind) {
		case 'create':
			return await runCreate(run, operation, item);
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
		case 'any':
			throw new Error('An operation of the catalog is resolved before it is carried out');
	}
}

/** The items of one result: under *Continue* a failed one becomes an item that says why. */
function outputOf(
	context: IExecuteFunctions,
	result: Settled<INodeExecutionData[]>,
	itemIndex: number,
): INodeExecutionData[] {
	if ('value' in result) return result.value;
	if ('skipped' in result) return [];
	// Just these keys: n8n takes the item for an error by them, and keeps no others of one that has
	// an `error` beside its json.
	const { message, description } = nodeError(context, result.error, itemIndex);
	const details = { description, ...seenJob(result.error) } as IDataObject;
	return [{ json: { error: message, details }, pairedItem: { item: itemIndex } }];
}

function seenJob(error: unknown): IDataObject {
	const job = jobOf(error);
	return job ? jobOutput(job, {}, { simplify: true, resultField: '' }) : {};
}
