import type { IDataObject } from 'n8n-workflow';

import { keepLatest } from '../jobs/claims';
import type { Order } from '../jobs/order';
import { isTool, type Run } from '../run/run';

/*
 * Every retry of an execution begins with what n8n stored of that execution, which does not know what an earlier retry
 * has paid for. So the orders of retries are remembered as long as n8n runs, and the next one goes on with them: it has
 * the same items, so they are the same orders (money rule 6).
 */

/** Key under which a node remembers its last run: index, execution, first execution, and whether it was a retry. */
const LAST_RUN = 'mediaGenLastRun';

/** The first execution, for each run that retries one of an earlier execution. Later nodes of a retry do not. */
const firstOf = new WeakMap<Run, string>();

/** Of how many runs the orders are remembered, for an account. */
const MOST_REMEMBERED = 100;

/** Call this once, as a run begins. */
export function noteRun(run: Run): void {
	const { context, executionId, isRetry, ledger } = run;
	const memory = context.getContext('node');
	const last = memory[LAST_RUN] as IDataObject | undefined;
	const isSame = last?.index === ledger.runIndex;
	const isAgain = isRetry && isSame && (last.executionId !== executionId || last.isAgain === true);
	const first = isAgain ? String(last.first ?? last.executionId) : executionId;
	memory[LAST_RUN] = { index: ledger.runIndex, executionId, first, isAgain };
	if (isAgain && !isTool(context.getNode())) firstOf.set(run, first);
}

/** Whether the run retries a run of an earlier execution, with the same items. */
export const isRetryOfRun = (run: Run): boolean => firstOf.has(run);

/**
 * Takes over what other retries of the same execution have ordered. A row may have been ordered in several ways: what is
 * typed into the node now counts, as the original workflow may be retried after one that was changed.
 */
export function takeOverFromRetries(run: Run): void {
	for (const [itemIndex, orders] of rememberedFor(run)) {
		const own = run.ledger.find(itemIndex);
		const all = [...(own ? [own] : []), ...orders].sort(lastFirst);
		const asked = all.find(({ parameters }) => parameters === run.parameters) ?? all[0];
		const order = all.find(({ request }) => request === asked?.request);
		if (order) run.ledger.takeOver(itemIndex, order);
	}
}

/** Remembers the orders of the run for other retries of the same execution. */
export function leaveToRetries(run: Run): void {
	if (!isRetryOfRun(run)) return;
	const all = new Map(rememberedFor(run));
	for (const [itemIndex, order] of run.ledger.orders) {
		const others = (all.get(itemIndex) ?? []).filter(({ request }) => request !== order.request);
		all.set(itemIndex, [...others, order]);
	}
	keepLatest(run.account.retried, keyOf(run), all, MOST_REMEMBERED);
}

const rememberedFor = (run: Run) =>
	(isRetryOfRun(run) && run.account.retried.get(keyOf(run))) || new Map<number, Order[]>();

/** By execution: n8n numbers them. */
const lastFirst = (one: Order, other: Order) => Number(other.executionId) - Number(one.executionId);

function keyOf(run: Run): string {
	const { context, ledger } = run;
	const { id } = context.getWorkflow();
	return JSON.stringify([id, context.getNode().name, firstOf.get(run), ledger.runIndex]);
}
