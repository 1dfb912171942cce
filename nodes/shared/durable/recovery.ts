import type { IDataObject, IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

import { isStillWanted, orderOf } from '../jobs/itemOrder';
import { nameOf } from '../jobs/job';
import { Ledger, ledgerOf } from '../jobs/ledger';
import { jobOf, type Order, type OrderFacts } from '../jobs/order';
import { paidJob } from '../run/paidJobs';
import { planIn } from '../run/run';
import type { Body } from '../service/bodies';
import {
	type Caller,
	callerState,
	isDropped,
	isOwnVersion,
	isStopped,
	RUN_HANDLE,
	type RunHandle,
} from './executions';
import {
	firstCopyOf,
	keptIn,
	KILLED_WHILE_SENT,
	latestOf,
	plansIn,
	SUPERVISOR,
	supervisorStateIn,
	type Work,
	WORK,
	workIn,
	workOfCopy,
	type WorkState,
} from './state';
import { ordersOf } from './workOnItems';

/** An execution cannot be recovered; the message tells the person who asked why. */
export class NotRecoverable extends Error {}

/** A durable run, as n8n has stored it. */
export interface DurableRun {
	caller: Caller;
	/** Whether the caller still waits for the run. */
	isWaiting: boolean;
	/** The executions that work or have worked for it, oldest first. */
	helpers: Helper[];
}

/**
 * The durable runs whose jobs an execution has not handed on: the one that it waits for, or, if it waits
 * for none, the latest that each of its nodes has started.
 *
 * Refuses executions of other workflows, since n8n lets a node read those of everybody.
 *
 * @throws NotRecoverable if there is no such run, or the execution is of another workflow or a helper
 */
export async function durableRunsOf(
	context: IExecuteFunctions,
	executionId: string,
): Promise<DurableRun[]> {
	const data = await context.getExecutionDataById(executionId);
	if (!data) throw new NotRecoverable('n8n has no such execution');
	const workflowId = String(context.getWorkflow().id);
	const waiting = callerOf(data);
	if (waiting?.workflowId === workflowId && waiting.executionId !== executionId) {
		const other = waiting.executionId;
		throw new NotRecoverable(`${executionId} works for execution ${other}; enter ${other}`);
	}
	const runs: DurableRun[] = [];
	for (const memory of memoriesIn(data)) {
		const { caller } = firstCopyOf(memory).work.state;
		// *Retry execution* copies a node's memory into the new execution.
		if (caller.executionId !== executionId) continue;
		const helpers = await helpersOf(context, memory);
		const isWaiting = callerState(data, caller) === 'here';
		if (helpers.length > 0) runs.push({ caller, isWaiting, helpers });
	}
	const own = runs.filter(({ caller }) => caller.workflowId === workflowId);
	if (runs.length > own.length) {
		throw new NotRecoverable('it is of another workflow; put this node into that workflow');
	}
	if (own.length === 0 && isStopped(data)) {
		throw new NotRecoverable(
			`it was stopped, and this workflow knows none of its paid jobs. Put this node into the workflow of that execution; if it is there already, enter the number of the execution that shows "Paid jobs of execution ${executionId}"`,
		);
	}
	if (own.length === 0) {
		throw new NotRecoverable(
			'it has not waited durably, and this workflow knows no paid jobs of it. Put this node into the workflow of that execution; n8n may also have deleted what it had stored',
		);
	}
	const open = own.filter(({ isWaiting }) => isWaiting);
	return open.length > 0 ? open : own;
}

/** The memories of those nodes of an execution that have waited durably. */
const memoriesIn = ({ executionData }: IRunExecutionData): IDataObject[] =>
	Object.values(executionData?.contextData ?? {}).filter((memory) => memory[RUN_HANDLE]);

type Known = Pick<DurableRun, 'helpers' | 'isWaiting'>;

/** All that is known of the work on a run: the latest worker's state, and the orders that all workers know. */
export function workOf({ helpers, isWaiting }: Known): Work | undefined {
	const works = helpers.flatMap(({ work }) => work ?? []);
	const worker = helpers.filter(({ work }) => work).at(-1);
	const state = worker?.work?.state;
	const entries: Record<string, Order> = {};
	for (const { entries: known } of works) {
		for (const [key, order] of Object.entries(known)) {
			if (!doubtsJobOf(entries[key], order)) entries[key] = order;
		}
	}
	if (!state) return undefined;
	const { supervisor: id } = state;
	const supervisor = helpers.find((helper) => helper.id === id)?.data;
	// n8n also deletes a supervisor that ended properly, as nobody waits any more or a person stopped the worker.
	const hasEnded = !isWaiting || (worker?.data && isStopped(worker.data));
	const isGone = supervisor ? isDropped(supervisor) : !hasEnded;
	// A supervisor that is gone may have started another worker that nobody knows of.
	return isGone && isOwnVersion(state) ? workOfCopy({ state, entries }) : { state, entries };
}

/** Whether a worker doubts an order whose job the worker before it knows, from an answer that came late. */
function doubtsJobOf(before: Order | undefined, order: Order): boolean {
	const job = jobOf(before);
	if (!job || jobOf(order)) return false;
	// Unless a person has ordered anew since.
	return !order.replaced?.some((one) => 'job' in one && one.job === nameOf(job));
}

/**
 * The jobs that a durable run has paid for, or may have paid for: the JSON of one item each, in input
 * order. If another version has parked the run, only those in its ledger.
 */
export function paidJobsOf({ caller, helpers, isWaiting }: DurableRun): IDataObject[] {
	const work = workOf({ helpers, isWaiting });
	const entries = work?.entries ?? {};
	const state = isOwnVersion(work?.state) ? work?.state : undefined;
	const { intents } = state ?? {};
	const ledger = new Ledger(ledgerOf(entries), { index: caller.runIndex });
	const told = new Set<OrderFacts>();
	const plans = state ? plansIn(state.plans) : [];
	const planned = plans.flatMap((settled, itemIndex): IDataObject[] => {
		const plan = planIn(settled);
		if (!plan || !state) return [];
		const kept = ledger.find(itemIndex, plan.request);
		const known = ordersOf(state, ledger);
		const isUnderWay = intents?.items.includes(itemIndex) && !orderOf(known, plan);
		const orders = [kept, isUnderWay ? KILLED_WHILE_SENT : undefined];
		const record = recordIn(state, itemIndex);
		return orders.flatMap((order) => {
			if (!order) return [];
			told.add(order);
			if (order !== kept) return [paidJob(order, caller, { itemIndex, plan })];
			const isOwn = isStillWanted(known, plan, order);
			return [paidJob(order, caller, { itemIndex, record, ...(isOwn && { plan }) })];
		});
	});
	const others = Object.values(entries).filter((order) => !told.has(order));
	return [...planned, ...others.map((order) => paidJob(order, caller))];
}

/** The record of a done item's job, as last read. */
function recordIn({ results }: WorkState, itemIndex: number): Body | undefined {
	const result = results[itemIndex];
	return result && 'value' in result ? result.value.snapshot.record : undefined;
}

/** How many executions of one durable run are read at most. */
const MOST_HELPERS = 200;

/** An execution that works for a durable run, or has worked for it. */
interface Helper {
	id: string;
	/** Absent if a person or n8n has deleted the execution. */
	data?: IRunExecutionData;
	/** Of a worker. */
	work?: Work;
}

/**
 * All executions that have worked for a durable run, oldest first, if n8n or a copy still has their data:
 * those that the run handle names, and those that each of these names in turn.
 */
export async function helpersOf(
	context: IExecuteFunctions,
	memory: IDataObject,
): Promise<Helper[]> {
	const { worker, supervisor, standby } = memory[RUN_HANDLE] as object as RunHandle;
	const first = firstCopyOf(memory);
	const { node } = first.work.state.caller;
	const helpers: Helper[] = [];
	const copies = new Map([[worker, first]]);
	const ids = new Set([worker, supervisor, ...(standby === undefined ? [] : [standby])]);
	// The loop also reaches what it adds to the set.
	for (const id of ids) {
		const data = await context.getExecutionDataById(id);
		const work = workIn(data, node);
		const supervise = supervisorStateIn(data, node);
		helpers.push({ id, data, work });
		const { copy } = supervise;
		if (copy) copies.set(copy.worker, latestOf(copies.get(copy.worker), copy));
		const named = [
			work?.state.supervisor,
			work?.state.resuming,
			supervise.worker,
			supervise.standby,
			copy?.work.state.supervisor,
		];
		for (const other of named) {
			if (typeof other === 'string' && ids.size < MOST_HELPERS) ids.add(other);
		}
	}
	if (!helpers.some(({ data }) => data)) return [];
	for (const helper of helpers) {
		const copy = copies.get(helper.id);
		const isLost = !helper.data || isDropped(helper.data);
		if (!copy || !isLost) continue;
		helper.work ??= isOwnVersion(copy.work.state) ? workOfCopy(copy.work) : copy.work;
	}
	const known = helpers.filter(({ data, work }) => data ?? work);
	// n8n numbers executions as they begin.
	return known.sort((a, b) => Number(a.id) - Number(b.id));
}

/** The caller that an execution works for; `undefined` if it is no helper. */
function callerOf(data: IRunExecutionData): Partial<Caller> | undefined {
	// A helper that has not begun yet remembers nothing, but its input names the caller.
	const memories = Object.values(data.executionData?.contextData ?? {});
	const states = [...memories, keptIn(data, '')].map(
		({ [WORK]: work, [SUPERVISOR]: supervise }) => work ?? supervise,
	);
	return (states.find(Boolean) as Partial<WorkState> | undefined)?.caller;
}
