import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { attempt } from '../account/backoff';
import type { Clock } from '../clock/clock';
import { Batch, NotStarted, type Settled } from '../orders/batch';
import type { JobSpec } from '../orders/jobContext';
import { runJob } from '../orders/runJob';
import { originOf } from '../output/jobOutput';
import { resultUrls } from '../output/resultUrls';
import { startsJob } from '../spec/jobs';
import { CONCURRENT_GENERATIONS, REQUESTS_PER_WINDOW } from '../spec/limits';
import type { Catalog, CreateOperation, Operation } from '../spec/operation';
import {
	beginContinued,
	continuedBy,
	endContinued,
	tellContinued,
	unlessNoneFits,
} from './continue';
import { estimateItems, isEstimateOnly, keepGuards } from './costs';
import { nameDoubts, settleDoubts, withTold } from './doubts';
import { jobItems, withSettings } from './finishedItems';
import { hint } from './messages';
import { areHandedOn, byStatus, failedRun, outputOf } from './outputs';
import { planItem } from './planItem';
import { runStatus } from './readJob';
import { chosenOperation } from './readParameters';
import { runList, runRecord } from './records';
import { runRecover } from './recover';
import {
	asksOf,
	type Durable,
	type ItemPlan,
	jobSpecOf,
	openRun,
	plannedIn,
	type Plans,
	type Run,
	type Runner,
} from './run';
import { summarize, errorOfCall, failure, failureToBegin, reportStopped } from './tell';
import { restText, rowsOf } from './table';

/**
 * Runs a node over all its items: reads and checks every item before anything is sent, works on
 * as many at a time as the service allows, and gives the results in input order, each paired
 * with its item.
 *
 * @throws NodeApiError, NodeOperationError unless the user chose *Continue* for errors
 */
export async function executeItems(
	context: IExecuteFunctions,
	catalog: Catalog,
	clock: Clock,
	durable: Durable,
): Promise<INodeExecutionData[][]> {
	const batch = new Batch(context.continueOnFail());
	const begun = await attempt(
		begin(context, catalog, {
			clock,
			stopCreating: batch.stopCreating,
			onItemFailed: batch.onItemFailed,
			durable,
		}),
	);
	if ('error' in begun) {
		if (!context.continueOnFail()) throw failureToBegin(context, begun.error);
		return failedRun(context, begun.error);
	}
	const { run, operation, isEstimate } = begun.value;
	let isHandedOn = false;
	let isParked = false;
	try {
		if (isEstimate) return await estimateItems(run, operation);
		const executed = await executeWith(run, operation, batch);
		isParked = executed.isParked === true;
		// The call of one that was stopped fails, whatever it gives out.
		isHandedOn = executed.isAll && !run.signal?.aborted;
		return executed.given;
	} catch (error) {
		throw errorOfCall(run, error);
	} finally {
		run.account.limits.leave(run);
		run.orders.close(isHandedOn);
		// One that is parked goes on, and its orders are elsewhere.
		if (!isParked) endContinued(run);
	}
}

interface Executed {
	given: INodeExecutionData[][];
	/** Whether all results have been handed on. */
	isAll: boolean;
	/** The execution waits durably. */
	isParked?: true;
}

async function executeWith(run: Run, operation: Operation, batch: Batch): Promise<Executed> {
	const { context, account, orders } = run;
	// Money rule 4: all that can be wrong with an item is found here, before the first charge.
	const planned = await planItems(run, operation);
	const asking = plannedIn(planned).filter((plan) => plan.operation.kind === 'create');
	orders.match(asking.map(({ itemIndex, request }) => ({ row: itemIndex, asks: asksOf(request) })));
	const rest = restText(orders.rest);
	if (rest !== '') hint(run, rest);
	const plans = await cleared(run, operation, planned).catch(async (error: unknown) => {
		// Reports what an earlier try has paid for, too: n8n stores nothing of a stopped node.
		if (run.signal?.aborted) await reportStopped(run, planned);
		throw error;
	});
	if (await run.durable?.start(run, withTold(run, plans)))
		return { given: [context.getInputData()], isAll: false, isParked: true };

	if (startsJob(operation)) account.limits.expect(run, () => batch.left);
	const settled = await batch.settle(
		plans,
		async (entry, goOn) => {
			if ('value' in entry) return await carryOut(run, entry.value, goOn);
			throw 'error' in entry ? entry.error : new NotStarted();
		},
		// An item that starts a job counts until it has a place, any other until it is done.
		operation.kind === 'status' ? REQUESTS_PER_WINDOW : CONCURRENT_GENERATIONS,
	);
	const results = withTold(run, settled);
	await nameDoubts(run, plans, results);
	if (run.signal?.aborted) await reportStopped(run, planned, results);
	const items = outputOf(run, { plans: planned, results });
	if (startsJob(operation)) summarize(run, rowsOf(run, plans, results));
	const isAll = areHandedOn(run, { plans: planned, results });
	return { given: byStatus(run, operation, results, items), isAll };
}

/** The plans of the rows that are sent. */
async function cleared(run: Run, operation: Operation, planned: Plans): Promise<Plans> {
	const unlessWrong = (plans: Plans): Plans => {
		if (!run.context.continueOnFail() && plans.some((plan) => 'error' in plan)) {
			throw failure(run, plans);
		}
		return plans;
	};
	const fitting = unlessWrong(unlessNoneFits(run, unlessWrong(planned)));
	const sendable = unlessWrong(await settleDoubts(run, fitting));
	const plans = unlessWrong(await keepGuards(run, sendable));
	if (startsJob(operation)) tellContinued(run, plans);
	return plans;
}

async function planItems(run: Run, operation: Operation): Promise<Plans> {
	const plans: Array<Settled<ItemPlan>> = [];
	for (const itemIndex of run.context.getInputData().keys()) {
		plans.push(await attempt(planItem(run, operation, itemIndex)));
	}
	return plans;
}

async function begin(
	context: IExecuteFunctions,
	catalog: Catalog,
	shared: Parameters<typeof openRun>[2],
) {
	const operation = chosenOperation(context, catalog);
	const isEstimate = isEstimateOnly(context, operation);
	const { durable } = shared;
	const isContinuing = durable && startsJob(operation) && !isEstimate;
	const continued = isContinuing ? await continuedBy(context, durable) : undefined;
	const run = await openRun(context, isEstimate ? 'estimate' : operation.kind, {
		...shared,
		continued,
	});
	beginContinued(run);
	return { operation, isEstimate, run };
}

/** Carries out what one item asks for, as a `Runner` does. */
async function carryOut(run: Run, item: ItemPlan, goOn: () => void): Promise<INodeExecutionData[]> {
	const { operation } = item;
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

/** Creates the job of one item, unless it has one already, and waits for it if that is asked. */
const runCreate: Runner<CreateOperation> = async (run, operation, plan, onPlace) => {
	const resultIn = resultInOf(run, operation, plan);
	const result = await runJob(run, { ...jobSpecOf(operation, plan), resultIn, onPlace });
	return await jobItems(run, operation, plan, result);
};

/** Reads the result of such jobs; with *Simplify* off, a person wants the service's own record. */
function resultInOf(
	run: Run,
	operation: CreateOperation,
	{ values, options }: ItemPlan,
): JobSpec['resultIn'] {
	if (!options.simplify) return undefined;
	return (job, seen) => {
		const origin = withSettings(run, originOf(operation, values, job));
		const [first] = resultUrls(seen, origin, options.resultField).main;
		return first && { path: first.path, url: first.url };
	};
}
