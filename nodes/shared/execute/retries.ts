import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { keepLatest } from '../jobs/claims';
import type { Order } from '../jobs/order';
import { isTool, type Run } from '../run/run';

/*
 * Every retry of an execution begins with what n8n stored of that execution, which does not know what an earlier retry
 * has paid for. So the orders of retries are remembered as long as n8n runs, and the next one goes on with them: they are
 * the same orders (money rule 6).
 */

/** Key under which a node remembers its last run: index, execution, and whether it was a retry with the same items. */
const LAST_RUN = 'mediaGenLastRun';

/** Key under which all nodes of an execution remember the first one of those that go on with each other's orders. */
const FIRST = 'mediaGenFirstExecution';

/** What is known of the runs that go on with orders of earlier executions. */
const retries = new WeakMap<Run, { first: unknown; isAgain: boolean }>();

/** Of how many runs the orders are remembered, for an account. */
const MOST_REMEMBERED = 1000;

/** The first of the executions that go on with each other's orders. @param known if this one goes on with those of a call */
export const firstOf = (context: IExecuteFunctions, known: unknown = context.getExecutionId()) =>
	(context.getContext('flow')[FIRST] ??= known as string);

/** Call this once, as a run begins. */
export function noteRun(run: Run): void {
	const { context, executionId, isRetry, ledger } = run;
	const memory = context.getContext('node');
	const last = memory[LAST_RUN] as IDataObject | undefined;
	const isSame = last?.index === ledger.runIndex;
	const isAgain = isRetry && isSame && (last.executionId !== executionId || last.isAgain === true);
	memory[LAST_RUN] = { index: ledger.runIndex, executionId, isAgain };
	const first = firstOf(context);
	if (first !== executionId && !isTool(context.getNode())) retries.set(run, { first, isAgain });
}

/** Whether the run retries a run of an earlier execution, with the same items. */
export const isRetryOfRun = (run: Run): boolean => retries.get(run)?.isAgain === true;

/**
 * Takes over what other retries of the same execution have ordered.
 *
 * Later nodes, and later rounds of a loop, may have other rows by now, also because a person has changed a node before
 * them. They take over what belongs to no row, and each row gets what it asks for (`moveOrders`).
 *
 * @returns whether there is anything
 */
export function takeOverFromRetries(run: Run): boolean {
	const { ledger } = run;
	const isAgain = isRetryOfRun(run);
	// After a try by *Retry On Fail*, it has them.
	if (!isAgain && ledger.orders.size > 0) return false;
	const remembered = rememberedFor(run);
	let free = 0;
	for (const [itemIndex, order] of remembered) {
		const place = isAgain ? itemIndex : --free;
		if (isBetter(run, order, ledger.find(place))) ledger.takeOver(place, order);
	}
	return remembered.length > 0;
}

/** Remembers the orders of the run for other retries of the same execution. */
export function leaveToRetries(run: Run): void {
	if (!retries.has(run)) return;
	const { orders } = run.ledger;
	const requests = new Set([...orders.values()].map(({ request }) => request));
	const others = rememberedFor(run).filter(([, { request }]) => !requests.has(request));
	keepLatest(run.account.retried, keyOf(run), [...others, ...orders], MOST_REMEMBERED);
}

const rememberedFor = (run: Run) => (retries.has(run) && run.account.retried.get(keyOf(run))) || [];

/**
 * Whether an order is for what is typed into the node now, and the other is not: the original workflow may be retried
 * after one that was changed. Otherwise, the one of the later execution is better: n8n numbers them.
 */
function isBetter({ parameters }: Run, order: Order, other: Order | undefined): boolean {
	if (!other) return true;
	const isTyped = order.parameters === parameters;
	const isOther = order.request !== other.request && (other.parameters === parameters) !== isTyped;
	return isOther ? isTyped : Number(order.executionId) > Number(other.executionId);
}

function keyOf(run: Run): string {
	const { context, ledger } = run;
	const { id } = context.getWorkflow();
	return JSON.stringify([id, context.getNode().name, retries.get(run)?.first, ledger.runIndex]);
}
