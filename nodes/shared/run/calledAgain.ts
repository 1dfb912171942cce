import type { IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

import { keepLatest } from '../orders/claims';
import { nameOf } from '../orders/job';
import { fingerprint, entriesIn, ledgerOf, unaskedIn } from '../orders/ledger';
import { doubtIn, isGood, jobOf, type Order } from '../orders/order';
import { hint } from './messages';
import { withDetailsBelow } from './nodeError';
import { isTool, planIn, runIndexOf, type Plans, type Run } from './run';
import { identityOf } from '../service/request';
import { isRetryOfRun, noteFirst } from './retries';

/*
 * If a node of a sub-workflow fails, so does the call of the sub-workflow. If the calling node has *Retry
 * On Fail*, n8n calls again, in a new execution whose ledger is empty. So the jobs of a failed call are left
 * to the next call by the same execution with the same input: n8n does not show whether that is a retry, so
 * it counts as the same order (money rule 6).
 */

/** Ledgers that failed calls have left, by call, as long as n8n runs: it retries a node only while it does. */
const left = new Map<string, Array<Record<string, Order>>>();

/** The first execution of those that have worked on the orders of a ledger. */
const firstCall = new WeakMap<Record<string, Order>, string>();

const MOST_CALLS = 100;

/**
 * Takes over the jobs of an earlier call that failed.
 *
 * @returns a key for this call; `undefined` if no other workflow has called this one
 */
export async function takeOverJobs(context: IExecuteFunctions): Promise<string | undefined> {
	if (context.getMode() !== 'integrated') return undefined;
	const call = await callOf(context).catch(() => undefined);
	if (call === undefined) return undefined;
	const ledgers = left.get(call) ?? [];
	const memory = context.getContext('node');
	const own = entriesIn(memory);
	// If several such calls run at once, each goes on with its own.
	const taken = ledgers.includes(own) ? own : ledgers[0];
	if (taken === undefined) return call;
	// A copy, since the call that has left them may try again.
	if (taken !== own) Object.assign(memory, ledgerOf({ ...taken }));
	noteFirst(context, firstCall.get(taken));
	const others = leftBesides(call, taken);
	if (others.length > 0) left.set(call, others);
	else left.delete(call);
	return call;
}

const leftBesides = (call: string, ledger: Record<string, Order>) =>
	(left.get(call) ?? []).filter((one) => one !== ledger);

/** Leaves the jobs to the next call, if there are any. */
export function leaveJobs(context: IExecuteFunctions, call: string | undefined): boolean {
	const ordered = entriesIn(context.getContext('node'));
	if (call === undefined || Object.keys(ordered).length === 0) return false;
	const all = [...leftBesides(call, ordered), ordered];
	left.delete(call);
	keepLatest(left, call, all, MOST_CALLS);
	firstCall.set(ordered, noteFirst(context));
	return true;
}

/**
 * The error of a call that has left its jobs: it says what to retry, as n8n also offers to retry the calling execution,
 * and then nothing shows that the order is the same.
 */
export function errorOfCall<E>(context: IExecuteFunctions, call: string | undefined, error: E): E {
	// n8n offers no retry of what was stopped.
	if (!leaveJobs(context, call) || context.getExecutionCancelSignal()?.aborted) return error;
	const own = context.getExecutionId();
	const advice = `Another workflow has called this one. Retry execution ${own}, which is this one: it pays only for what is missing. Retry execution of the calling workflow pays for all items again.`;
	const unasked = unaskedText(context);
	const told = withDetailsBelow(error) as { description?: string | null };
	const texts = [advice, unasked && `${unasked}.`, told.description];
	told.description = texts.filter(Boolean).join(' ');
	return error;
}

/** Whether this run has taken over orders of a failed call. */
export function hasTakenOver({ isRetry, context, ledger, executionId }: Run): boolean {
	if (isRetry || isTool(context)) return false;
	return [...ledger.orders.values()].some((order) => order.executionId !== executionId);
}

/**
 * Moves orders that were taken over to the rows that ask for the same: the nodes before this one have run again, too, so
 * rows may have come or gone. An order that no row asks for stays in its place: its row may have been reworded. One that
 * is in doubt or has failed makes room for one that has not.
 *
 * @param plans made with the files of all rows
 */
export function moveOrders(run: Run, plans: Plans): void {
	const { orders } = run.ledger;
	const asked = plans.map((settled) => {
		const plan = planIn(settled);
		return plan && fingerprint(identityOf(plan.request));
	});
	const isInPlace = (itemIndex: number) => {
		const order = orders.get(itemIndex);
		if (!isGood(order) || plans[itemIndex] === undefined) return false;
		return order?.request === asked[itemIndex] || isOfSameRow(run, order);
	};
	const others = [...orders]
		.filter(([itemIndex]) => !isInPlace(itemIndex))
		.sort(([, one], [, other]) => Number(isGood(other)) - Number(isGood(one)));
	const places = new Map<number, number>();
	for (const [to, request] of asked.entries()) {
		const [from] = others.find((one) => one[1].request === request && !places.has(one[0])) ?? [];
		if (from !== undefined && !isInPlace(to)) places.set(from, to);
	}
	run.ledger.move(places);
}

/**
 * Whether an order is of the row at its place, though the row asks for something else by itself (`$now`, a random word):
 * this execution has made it, or it is retried with the same parameters (money rule 6).
 */
const isOfSameRow = (run: Run, order?: Order): boolean =>
	order?.executionId === run.executionId ||
	(isRetryOfRun(run) && order?.parameters === run.parameters);

/** Names in a hint what an earlier run has ordered, and no row of this one asks for. */
export function warnOfUnasked(run: Run): void {
	const unasked = unaskedText(run.context);
	if (unasked !== '') hint(run, unasked);
}

/** What an earlier run has paid for, or may have, that no row of this one asks for; empty if there is nothing. */
function unaskedText(context: IExecuteFunctions): string {
	const rows = context.getInputData().length;
	const told = unaskedIn(entriesIn(context.getContext('node')), rows).map((order) => {
		const job = jobOf(order);
		return job ? `job ${nameOf(job)}` : doubtIn(order)?.unknownOutcome;
	});
	return told.length > 0 ? `Ordered by an earlier try, and by no row now: ${told.join(', ')}` : '';
}

/** @returns the same for calls of the same node, by the same execution, with the same items */
async function callOf(context: IExecuteFunctions): Promise<string | undefined> {
	const data = await context.getExecutionDataById(context.getExecutionId());
	const caller = data?.parentExecution?.executionId;
	if (!data || caller === undefined) return undefined;
	return fingerprint({
		caller,
		workflow: context.getWorkflow().id,
		node: context.getNode().name,
		run: runIndexOf(context),
		input: inputOf(data),
	});
}

/** What the execution was started with: what its first node has given out, or will run with. */
function inputOf({ resultData, executionData }: IRunExecutionData): unknown {
	const [first] = Object.values(resultData.runData).flat();
	const [main = []] = first?.data?.main ?? executionData?.nodeExecutionStack[0]?.data.main ?? [];
	return main?.map(({ json, binary }) => [json, binary]);
}
