import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { Batch, NotStarted, type Settled } from '../orders/batch';
import type { JobSpec } from '../orders/jobContext';
import type { End } from '../orders/orders';
import { attempt } from '../service/attempt';
import { startsJob } from '../spec/jobs';
import { CONCURRENT_GENERATIONS, REQUESTS_PER_WINDOW } from '../spec/limits';
import type { Catalog, Operation } from '../spec/types';
import { carryOut } from './carryOut';
import {
	beginContinued,
	continuedBy,
	endContinued,
	tellContinued,
	unlessNoneFits,
} from './continue';
import { estimateItems, isEstimateOnly, keepGuards } from './costs';
import { nameDoubts, settleDoubts, type Told, withTold } from './doubts';
import { hint } from './messages';
import { byStatus, failedRun, isHandedOn, outputOf } from './outputs';
import { passOnWithoutJob, planItem } from './planItem';
import { chosenOperation } from './readParameters';
import {
	type Durable,
	type ItemPlan,
	jobSpecOf,
	openRun,
	planIn,
	plannedIn,
	type Plans,
	type Run,
} from './run';
import { summarize } from './summary';
import { restText, rowsOf } from './table';
import { errorOfCall, failure, failureToBegin, reportStopped } from './tell';

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
	let end: End = 'failed';
	let isParked = false;
	try {
		if (isEstimate) return await estimateItems(run, operation);
		const executed = await executeWith(run, operation, batch);
		const { given, isAll } = executed;
		isParked = executed.isParked === true;
		// The call of one that was stopped fails, whatever it gives out.
		if (!run.signal?.aborted) end = isAll ? 'handedOn' : 'given';
		return given;
	} catch (error) {
		throw errorOfCall(run, error);
	} finally {
		run.account.limits.leave(run);
		run.orders.close(end);
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
	// Money rule 4: all that can be wrong with an item is found here, before the first charge.
	const planned = passOnWithoutJob(run, await planItems(run, operation));
	run.orders.match(
		planned
			.flatMap(jobSpecsIn)
			.map(({ itemIndex, noted }) => ({ row: itemIndex, asks: noted.asks })),
	);
	const rest = restText(run.orders.rest);
	if (rest !== '') hint(run, rest);
	return await carryOutAll(run, operation, planned, batch);
}

async function planItems(run: Run, operation: Operation): Promise<Plans> {
	const plans: Array<Settled<ItemPlan>> = [];
	for (const itemIndex of run.context.getInputData().keys()) {
		plans.push(await attempt(planItem(run, operation, itemIndex)));
	}
	return plans;
}

async function carryOutAll(
	run: Run,
	operation: Operation,
	planned: Plans,
	batch: Batch,
): Promise<Executed> {
	const { context, account } = run;
	const { plans, told } = await cleared(run, operation, planned).catch(async (error: unknown) => {
		// Reports what an earlier try has paid for, too: n8n stores nothing of a stopped node.
		if (run.signal?.aborted) await reportStopped(run, planned);
		throw error;
	});
	if (await run.durable?.start(run, withTold(plans, told)))
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
		new Set(plans.filter((plan) => needsNoPlace(run, planIn(plan)))),
	);
	const results = withTold(settled, told);
	await nameDoubts(run, plans, results);
	if (run.signal?.aborted) await reportStopped(run, planned, results);
	const items = outputOf(run, { plans: planned, results });
	if (startsJob(operation)) summarize(run, rowsOf(run, plans, results));
	const isAll = isHandedOn(run, { plans: planned, results });
	return { given: byStatus(run, operation, results, items), isAll };
}

/** The plans, with an error in place of each that must not be sent, and what is told of rows that are not sent yet. */
async function cleared(
	run: Run,
	operation: Operation,
	planned: Plans,
): Promise<{ plans: Plans; told: Told }> {
	const unlessWrong = (plans: Plans): Plans => {
		if (!run.context.continueOnFail() && plans.some((plan) => 'error' in plan)) {
			throw failure(run, plans);
		}
		return plans;
	};
	const fitting = unlessWrong(unlessNoneFits(run, unlessWrong(planned)));
	const { plans: sendable, told } = await settleDoubts(run, fitting);
	const plans = await keepGuards(run, unlessWrong(sendable));
	if (startsJob(operation)) tellContinued(run, plans);
	for (const warning of plannedIn(plans).flatMap(({ warnings = [] }) => warnings))
		hint(run, warning);
	return { plans, told };
}

function jobSpecsIn(settled: Settled<ItemPlan>): JobSpec[] {
	const plan = planIn(settled);
	return plan?.operation.kind === 'create' ? [jobSpecOf(plan.operation, plan)] : [];
}

/** Whether the item creates no job. A job that it already has may be running: that has to be known before creations. */
function needsNoPlace(run: Run, plan?: ItemPlan): boolean {
	if (!plan) return true;
	return plan.operation.kind === 'create' && run.orders.find(plan.itemIndex) !== undefined;
}

async function begin(
	context: IExecuteFunctions,
	catalog: Catalog,
	shared: Parameters<typeof openRun>[2],
) {
	const operation = chosenOperation(context, catalog);
	const isEstimate = isEstimateOnly(context, operation);
	const kind = isEstimate ? 'estimate' : operation.kind;
	const { durable } = shared;
	const isContinuing = durable && kind === 'create';
	const continued = isContinuing ? await continuedBy(context, durable) : undefined;
	const run = await openRun(context, kind, { ...shared, continued });
	beginContinued(run);
	return { operation, isEstimate, run };
}
