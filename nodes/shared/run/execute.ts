import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { Batch, type Settled } from '../orders/batch';
import { doubtOf, orderOf } from '../orders/itemOrder';
import type { JobSpec } from '../orders/jobContext';
import { reconcileOrders, type Taken } from '../orders/reconcile';
import { carryOut } from './carryOut';
import { chosenOperation } from './readParameters';
import { failure, failureToBegin, reportStopped } from './errors';
import { byStatus, failedRun, outputOf } from './outputs';
import { hint } from './messages';
import { leavePaidJobs, takeUpPaidJobs } from './paidJobs';
import { rowFirst } from './rows';
import {
	jobSpecOf,
	openRun,
	planIn,
	plannedIn,
	type Durable,
	type ItemPlan,
	type Plans,
	type Run,
} from './run';
import { attempt } from '../service/attempt';
import { startsJob } from '../spec/jobs';
import { CONCURRENT_GENERATIONS, REQUESTS_PER_WINDOW } from '../spec/limits';
import type { Catalog, Operation } from '../spec/types';
import {
	errorOfCall,
	hasTakenOver,
	leaveJobs,
	moveOrders,
	takeOverJobs,
	warnOfUnasked,
} from './calledAgain';
import { confirm } from './create';
import { estimateItems, isEstimateOnly, keepGuards } from './costs';
import { passOnWithoutJob, planItem } from './planItem';
import { leaveToRetries, noteRun, takeOverFromRetries } from './retries';
import { paidBefore, summarize } from './summary';

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
	const runDone = new AbortController();
	const call = await takeOverJobs(context);
	const begun = await attempt(
		begin(context, catalog, {
			clock,
			stopCreating: batch.stopCreating,
			onItemFailed: batch.onItemFailed,
			runDone: runDone.signal,
			durable,
		}),
	);
	if ('error' in begun) {
		if (!context.continueOnFail()) {
			throw errorOfCall(context, call, failureToBegin(context, begun.error));
		}
		return failedRun(context, begun.error);
	}
	const { run, operation, isEstimate } = begun.value;
	try {
		if (isEstimate) return await estimateItems(run, operation);
		const given = await executeWith(run, operation, batch);
		// The call of one that was stopped fails, whatever it gives out.
		if (run.signal?.aborted) leaveJobs(context, call);
		return given;
	} catch (error) {
		throw errorOfCall(context, call, error);
	} finally {
		// Even after an error, nothing must look at the history for this run any more.
		runDone.abort();
		run.account.loop.leave(run);
		run.ledger.leave();
		if (!isEstimate && startsJob(operation)) leaveToRetries(run);
	}
}

async function executeWith(
	run: Run,
	operation: Operation,
	batch: Batch,
): Promise<INodeExecutionData[][]> {
	const mayMove = startsJob(operation) && (takeOverFromRetries(run) || hasTakenOver(run));
	// Money rule 4: all that can be wrong with an item is found here, before the first charge.
	const read = await planItems(run, operation, mayMove);
	if (mayMove) moveOrders(run, read);
	warnOfUnasked(run);
	// Planned anew, since the file of an item that has a job is not read: it may be gone.
	const plans = mayMove ? await planItems(run, operation) : read;
	const planned = passOnWithoutJob(run, plans);
	takeUpPaidJobs(run);
	return await carryOutAll(run, operation, planned, batch).catch((error: unknown) => {
		if (!run.signal?.aborted) leavePaidJobs(run, planned);
		throw error;
	});
}

async function planItems(run: Run, operation: Operation, mayMove = false): Promise<Plans> {
	const plans: Array<Settled<ItemPlan>> = [];
	for (const itemIndex of run.context.getInputData().keys()) {
		plans.push(await attempt(planItem(run, operation, itemIndex, mayMove)));
	}
	return plans;
}

async function carryOutAll(
	run: Run,
	operation: Operation,
	planned: Plans,
	batch: Batch,
): Promise<INodeExecutionData[][]> {
	const { context, account } = run;
	const plans = await cleared(run, planned).catch(async (error: unknown) => {
		// Reports what an earlier try has paid for, too: n8n stores nothing of a stopped node.
		if (run.signal?.aborted) await reportStopped(run, planned);
		throw error;
	});
	if (await run.durable?.start(run, plans)) return [context.getInputData()];

	const before = paidBefore(run, plans);
	if (startsJob(operation)) account.loop.expect(run, () => batch.left);
	const results = await batch.settle(
		plans,
		async (entry, goOn) => {
			if ('value' in entry) return await carryOut(run, entry.value, goOn);
			throw 'error' in entry ? entry.error : undefined;
		},
		// An item that starts a job counts until it has a place, any other until it is done.
		operation.kind === 'status' ? REQUESTS_PER_WINDOW : CONCURRENT_GENERATIONS,
		new Set(plans.filter((plan) => needsNoPlace(run, planIn(plan)))),
	);
	await confirm(run, plans, results);
	if (run.signal?.aborted) await reportStopped(run, planned, results);
	const items = outputOf(run, { plans: planned, results });
	if (startsJob(operation)) summarize(run, plans, results, before);
	return byStatus(run, operation, results, items);
}

/** The plans, with an error in place of each that must not be sent. */
async function cleared(run: Run, planned: Plans): Promise<Plans> {
	const unlessWrong = (plans: Plans): Plans => {
		if (!run.context.continueOnFail() && plans.some((plan) => 'error' in plan)) {
			throw failure(run, plans);
		}
		return plans;
	};
	unlessWrong(planned);
	const reconciled = await attempt(reconcileOrders(run, planned.flatMap(jobSpecsIn)));
	if ('value' in reconciled) for (const taken of reconciled.value) hint(run, takenText(taken));
	else {
		// Orders in doubt stay in doubt.
		const { logger } = run.context;
		logger.warn(`The generation history could not be compared: ${String(reconciled.error)}`);
	}
	const sendable = unlessWrong(planned.map((plan) => unlessInDoubt(run, plan)));
	const plans = await keepGuards(run, sendable);
	warn(run, plans);
	return plans;
}

const takenText = ({ itemIndex, jobId }: Taken) =>
	`${rowFirst({ itemIndex })}: its first creation seemed to be lost. Its answer names job ${jobId}, which is taken for it, and not paid for again.`;

function jobSpecsIn(settled: Settled<ItemPlan>): JobSpec[] {
	const plan = planIn(settled);
	return plan?.operation.kind === 'create' ? [jobSpecOf(plan.operation, plan)] : [];
}

/** An item that an earlier try has left in doubt is not ordered again: this is found before anything is charged. */
function unlessInDoubt(run: Run, plan: Settled<ItemPlan>): Settled<ItemPlan> {
	const [jobSpec] = jobSpecsIn(plan);
	const doubt = jobSpec && doubtOf(run, jobSpec);
	return doubt ? { error: doubt } : plan;
}

function warn(run: Run, plans: Plans): void {
	for (const plan of plannedIn(plans)) {
		for (const warning of plan.warnings ?? []) hint(run, warning);
	}
}

/** Whether the item creates no job. A job that it already has may be running: that has to be known before creations. */
function needsNoPlace(run: Run, plan?: ItemPlan): boolean {
	if (!plan) return true;
	return plan.operation.kind === 'create' && orderOf(run, plan) !== undefined;
}

async function begin(
	context: IExecuteFunctions,
	catalog: Catalog,
	shared: Parameters<typeof openRun>[2],
) {
	noteRun(context);
	const operation = chosenOperation(context, catalog);
	const isEstimate = isEstimateOnly(context, operation);
	const kind = isEstimate ? 'estimate' : operation.kind;
	return { operation, isEstimate, run: await openRun(context, kind, shared) };
}
