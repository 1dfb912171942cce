import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { attempt, type Clock } from '../clock/clock';
import { Batch, type JobSpec } from '../orders/jobContext';
import { runJob } from '../orders/runJob';
import { originOf } from '../output/item';
import { resultUrls } from '../output/resultUrls';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import type { Catalog, CreateOperation, Operation } from '../spec/operation';
import { beginContinued, continuedBy, endContinued, refuseOthers, tellContinued } from './continue';
import { estimateItems, keepGuards } from './costs';
import { nameDoubts, settleDoubts, tellLostByKill } from './doubts';
import { jobItems, withSettings } from './finishedItems';
import { hint } from './messages';
import { areHandedOn, byStatus, cannotBegin, outputOf } from './outputs';
import { planItem, chosenOperation, optionsOf, type ReadOptions } from './planItem';
import { runList, runRecord, runStatus } from './reads';
import { runRecover } from './recover';
import {
	asksOf,
	type Durable,
	FOLLOWED_AT_ONCE,
	isTool,
	type ItemPlan,
	jobSpecOf,
	openRun,
	type Row,
	rowOf,
	type Run,
	type Runner,
	sendable,
} from './run';
import { reportStopped, restText, stopIfWrong, summarize } from './tell';

/** Key of the node's memory: a try of this run has told what is paid for, after Stop. */
const STOP_TOLD = 'mediaGenStopTold';

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
	const { stopCreating, onItemFailed } = batch;
	const shared = { clock, durable, stopCreating, onItemFailed };
	const begun = await attempt(begin(context, catalog, shared));
	if ('error' in begun) return cannotBegin(context, begun.error);
	const { run, operation, options, isEstimate } = begun.value;
	const rows = [...context.getInputData().keys()].map((index) => rowOf(run.orders, index));
	let isParked = false;
	let isHandedOn = false;
	try {
		if (isEstimate) return await estimateItems(run, operation, rows);
		// n8n's database shows what is paid for without the service, too.
		if (run.unusable && operation.kind !== 'recover')
			return cannotBegin(context, run.unusable, rows);
		await prepare(run, operation, rows, options);
		isParked = await durable.start(run, rows);
		if (isParked) return [context.getInputData()];
		await work(run, operation, rows, batch);
		const items = outputOf(run, rows);
		if (operation.kind === 'create') summarize(run, rows);
		// The call of one that was stopped fails, whatever it gives out.
		isHandedOn = areHandedOn(run, rows) && !run.signal?.aborted;
		return byStatus(run, operation, rows, items);
	} finally {
		// n8n stores nothing of a stopped node. It still makes the remaining tries of *Retry On Fail*: one of them tells.
		// The calls of an agent's tool share a memory, and each tells of its own.
		const memory = context.getContext('node');
		if (run.signal?.aborted && !isParked && !memory[STOP_TOLD]) {
			const isTold = await reportStopped(run, rows);
			if (isTold && !isTool(context)) memory[STOP_TOLD] = true;
		}
		run.account.limits.endRun(run);
		run.orders.close(isHandedOn, run.clock.now());
		// One that is parked goes on, and its orders are elsewhere.
		if (!isParked) endContinued(run);
	}
}

/**
 * Finds all that can be wrong with a row before the first charge (money rule 4).
 *
 * @throws NodeError if something is, and the others are not to go on
 */
async function prepare(
	run: Run,
	operation: Operation,
	rows: readonly Row[],
	options: readonly ReadOptions[],
): Promise<void> {
	const { orders, context } = run;
	const stop = () => {
		if (!context.continueOnFail()) stopIfWrong(run, rows);
	};
	for (const [index, row] of rows.entries()) {
		const planned = await attempt(planItem(run, operation, index, options[index]!));
		if ('value' in planned) row.plan = planned.value;
		else row.result = planned;
	}
	const asking = operation.kind === 'create' ? sendable(rows) : [];
	orders.match(
		asking.map(({ itemIndex, plan }) => ({ row: itemIndex, asks: asksOf(plan.request) })),
	);
	const rest = restText(orders.rest);
	if (rest !== '') hint(run, rest);
	stop();
	if (operation.kind !== 'create') return;
	refuseOthers(run, rows);
	await settleDoubts(run, rows);
	await tellLostByKill(run, rows);
	stop();
	await keepGuards(run, rows, options);
	stop();
	tellContinued(run, rows);
}

/** How many rows at a time, where that is not the usual: those that start jobs wait for places in the account's line. */
const AT_ONCE: Partial<Record<Operation['kind'], number>> = {
	create: Infinity,
	status: FOLLOWED_AT_ONCE,
};

/** Carries out what can be sent, as many rows at a time as the service allows. */
async function work(
	run: Run,
	operation: Operation,
	rows: readonly Row[],
	batch: Batch,
): Promise<void> {
	const open = sendable(rows);
	const results = await batch.workOn(
		open,
		async ({ plan }) => await carryOut(run, plan),
		AT_ONCE[operation.kind] ?? CONCURRENT_GENERATIONS,
	);
	for (const [index, row] of open.entries()) row.result = results[index]!;
	await nameDoubts(run, open);
}

async function begin(
	context: IExecuteFunctions,
	catalog: Catalog,
	shared: Parameters<typeof openRun>[1],
) {
	const operation = chosenOperation(context, catalog);
	const options = await optionsOf(context);
	// It is enough if one item asks for it.
	const isEstimate =
		operation.kind === 'create' &&
		options.some((read) => 'value' in read && read.value.estimateOnly);
	const { durable } = shared;
	const isContinuing = durable && operation.kind === 'create' && !isEstimate;
	const continued = isContinuing ? await continuedBy(context, durable, options) : undefined;
	beginContinued(continued, context.getExecutionId());
	const opened = await attempt(openRun(context, { ...shared, continued }));
	if ('value' in opened) return { operation, options, isEstimate, run: opened.value };
	endContinued({ continued });
	throw opened.error;
}

/** Carries out what one item asks for, as a `Runner` does. */
async function carryOut(run: Run, item: ItemPlan): Promise<INodeExecutionData[]> {
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
		case 'recover':
			return await runRecover(run, operation, item);
	}
}

/** Creates the job of one item, unless it has one already, and waits for it if that is asked. */
const runCreate: Runner<CreateOperation> = async (run, operation, plan) => {
	const resultIn = resultInOf(run, operation, plan);
	// Jobs of an earlier try may have ended long ago, and reading many of them takes minutes.
	const since = run.orders.find(plan.itemIndex) && run.startedAt;
	const result = await runJob(run, { ...jobSpecOf(operation, plan), resultIn, since });
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
