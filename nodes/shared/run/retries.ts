import type { IExecuteFunctions } from 'n8n-workflow';

import { entriesIn } from '../orders/ledger';
import { doubtIn, jobOf, type Order } from '../orders/order';
import { isTool, runIndexOf, type Run } from './run';

/*
 * Every retry of an execution begins with what n8n stored of that execution, which does not know what an earlier retry
 * has paid for. So the orders of retries are remembered as long as n8n runs, and the next one goes on with them: they are
 * the same orders (money rule 6).
 */

/** Key under which a node remembers its last run: its index, and the first execution that ran it with the same rows. */
const LAST_RUN = 'mediaGenLastRun';

/** Key under which all nodes of an execution remember the first one of those that go on with each other's orders. */
const FIRST = 'mediaGenFirstExecution';

/**
 * Runs that go on with orders of earlier executions: the key of these orders, and the first execution with the same rows.
 */
const retriedRuns = new WeakMap<IExecuteFunctions, { key: string; rowsOf: string }>();

/** How many orders are remembered for an account; those of the latest run in any case. */
const MOST_ORDERS = 5000;

/**
 * The first execution of those that go on with each other's orders; noted if it is not known yet.
 *
 * @param first that of an earlier call whose orders this execution goes on with
 */
export const noteFirst = (context: IExecuteFunctions, first = context.getExecutionId()): string =>
	String((context.getContext('flow')[FIRST] ??= first));

/** Call this once, before anything can fail: a run that could not even begin is retried, too. */
export function noteRun(context: IExecuteFunctions): void {
	const executionId = context.getExecutionId();
	// Each call of an agent's tool is a run, and finds its order in those of all calls.
	const index = isTool(context) ? -1 : runIndexOf(context);
	const memory = context.getContext('node');
	const last = memory[LAST_RUN] as { index: number; rowsOf: string } | undefined;
	const isSame = !isTool(context) && context.getMode() === 'retry' && last?.index === index;
	const rowsOf = isSame ? last.rowsOf : executionId;
	memory[LAST_RUN] = { index, rowsOf };
	const first = noteFirst(context);
	if (first === executionId) return;
	const key = JSON.stringify([context.getWorkflow().id, context.getNode().name, first, index]);
	retriedRuns.set(context, { key, rowsOf });
}

/** Whether the run retries a run of an earlier execution, with the same items. */
export const isRetryOfRun = (run: Run): boolean =>
	(retriedRuns.get(run.context)?.rowsOf ?? run.executionId) !== run.executionId;

/**
 * Takes over what other retries of the same execution have ordered.
 *
 * Later nodes, and later rounds of a loop, may have other rows each time, also because a person has changed a node before
 * them. What was ordered for other rows belongs to no row at first, and each row gets what it asks for (`moveOrders`).
 *
 * @returns whether orders may have to move to other rows
 */
export function takeOverFromRetries(run: Run): boolean {
	const { context, ledger } = run;
	const remembered = rememberedFor(run);
	const isOfTool = isTool(context);
	const entries = entriesIn(context.getContext('node'));
	for (const { place, order, rowsOf } of remembered) {
		const isInPlace = isOfTool || rowsOf === retriedRuns.get(context)?.rowsOf;
		if (isInPlace && isBetter(run, order, entries[place])) entries[place] = order;
	}
	if (isOfTool) return false;
	const known = new Set(Object.values(entries).map(creationOf));
	let free = Math.min(0, ...ledger.orders.keys());
	for (const { order } of remembered) {
		if (!known.has(creationOf(order))) ledger.takeOver(--free, order);
	}
	return remembered.length > 0;
}

/** Remembers the orders of the run for other retries of the same execution. */
export function leaveToRetries(run: Run): void {
	const retry = retriedRuns.get(run.context);
	if (!retry) return;
	const { key, rowsOf } = retry;
	const orders = Object.entries(entriesIn(run.context.getContext('node')));
	const requests = new Set(orders.map(([, { request }]) => request));
	const others = rememberedFor(run).filter(({ order }) => !requests.has(order.request));
	const own = orders.map(([place, order]) => ({ place, order, rowsOf }));
	if (own.length === 0) return;
	const { retried } = run.account;
	retried.delete(key);
	retried.set(key, [...others, ...own]);
	let count = [...retried.values()].flat().length;
	for (const [oldest, { length }] of retried) {
		if (count <= MOST_ORDERS || oldest === key) break;
		retried.delete(oldest);
		count -= length;
	}
}

const rememberedFor = ({ account, context }: Run) =>
	account.retried.get(retriedRuns.get(context)?.key ?? '') ?? [];

/** Tells which creation an order is about, whatever its state. */
const creationOf = (order: Order) =>
	JSON.stringify([order.request, jobOf(order)?.id ?? doubtIn(order)?.sent]);

/**
 * Whether an order is to replace the other: it is for what is typed into the node now, and the other is not (the original
 * workflow may be retried after one that was changed); or else it is of the later execution. n8n numbers them.
 */
function isBetter({ parameters }: Run, order: Order, other: Order | undefined): boolean {
	if (!other) return true;
	const isTyped = order.parameters === parameters;
	const isOther = order.request !== other.request && (other.parameters === parameters) !== isTyped;
	return isOther ? isTyped : Number(order.executionId) > Number(other.executionId);
}
