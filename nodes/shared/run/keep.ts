import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	IRunExecutionData,
	IWorkflowBase,
	IWorkflowSettings,
} from 'n8n-workflow';

import { attempt } from '../clock/clock';
import { keepLatest } from '../orders/order';
import { storedOrders } from '../orders/orders';
import { cleanText } from '../service/shownText';
import { NotRecoverable, type PaidOrder, type Run } from './run';
import { paidJson } from './paidItem';

/*
 * n8n stores nothing of what a stopped node has done. So its orders go to a separate execution, which n8n stores: a person
 * finds it in the list, and *Job > Get Paid Jobs Back* finds the jobs by the number of either execution. For any other
 * node, n8n stores the orders themselves.
 */

/** Field of a kept item: the order, and the workflow whose execution was stopped. */
const KEPT = 'mediaGenKept';

interface KeptOrder extends PaidOrder {
	workflowId: string;
}

/** For each stopped execution, those that keep its orders: several nodes may be stopped at once. Known as long as n8n runs. */
const keepers = new Map<string, readonly string[]>();

const MOST_REMEMBERED = 1000;

const keyOf = (workflowId: string, executionId: string) => `${workflowId}:${executionId}`;

/**
 * Stores the orders of a run that was stopped.
 *
 * @returns the number of the execution that has them; `undefined` if n8n does not let the node start one
 */
export async function keepPaidJobs({
	context,
	executionId,
	orders: { all },
}: Run): Promise<string | undefined> {
	const workflowId = String(context.getWorkflow().id);
	const node = context.getNode().name;
	const key = keyOf(workflowId, executionId);
	const items = all.map((order) => {
		const kept: KeptOrder = { workflowId, node, executionId, order };
		return { json: { ...paidJson(kept), [KEPT]: kept as object as IDataObject } };
	});
	const code = keepingWorkflow(node, { executionId, workflowId });
	const options = { doNotWaitToFinish: true };
	try {
		const started = await context.executeWorkflow({ code }, items, undefined, options);
		const known = keepers.get(key) ?? [];
		keepLatest(keepers, key, [...known, started.executionId], MOST_REMEMBERED);
		return started.executionId;
	} catch {
		return undefined;
	}
}

/** The name of the one node of an execution that keeps orders. */
const KEEPER = /: paid jobs of execution \S+$/;

function keepingWorkflow(
	node: string,
	stopped: { executionId: string; workflowId: string },
): IWorkflowBase {
	const name = `${node}: paid jobs of execution ${stopped.executionId}`;
	const note = noteNode(
		`## Paid jobs of ${linkTo(stopped)}\nIt was stopped while the node **${node}** ran. The node below has its paid jobs, one item each; they go on at the service.\n\nTo get their results, click an empty spot of the canvas of this workflow, add **Job > Get Paid Jobs Back** of the same node, enter ${stopped.executionId} as Execution ID, and press **Execute step**: the node waits for the jobs and gives their results. Nothing may lead from the workflow into it: a node before it would run again, and pay again.\n\nTo make the rest, too, add **Options > Continue Execution** with ${stopped.executionId} to **${node}**, and press **Execute workflow**.`,
		290,
	);
	const nodes = [startNode(name), note];
	const workflow = { name, nodes, connections: {}, settings: HELPER_SETTINGS, active: false };
	// n8n adds the ID of the workflow that starts it.
	return workflow as unknown as IWorkflowBase;
}

/**
 * The orders of an execution of this workflow: one that has ended, was stopped, or waits durably.
 *
 * @param executionId its number, or that of an execution that keeps them or works for it
 * @throws NotRecoverable if this workflow knows none
 */
export async function ordersOf(
	{ context, durable }: Pick<Run, 'context' | 'durable'>,
	executionId: string,
): Promise<PaidOrder[]> {
	const waiting = durable && (await attempt(durable.ordersOf(context, executionId)));
	const parked = waiting && 'value' in waiting ? waiting.value : [];
	// What the workers know of an order is newer than what the execution remembers.
	const known = new Set(parked.map(({ order }) => order.id));
	const own = await keptOrders(context, executionId).catch(() => []);
	const all = [...parked, ...own.filter(({ order }) => !known.has(order.id))];
	if (all.length > 0 || (waiting && 'value' in waiting)) return all;
	throw waiting?.error ?? new NotRecoverable('this workflow knows no paid jobs of it');
}

/**
 * The orders of an execution of this workflow that was stopped, has failed or has ended: n8n lets a node read those of
 * everybody.
 *
 * @param executionId its number, or that of the execution that keeps them
 */
async function keptOrders(context: IExecuteFunctions, executionId: string): Promise<PaidOrder[]> {
	const workflowId = String(context.getWorkflow().id);
	const ids = keepers.get(keyOf(workflowId, executionId)) ?? [executionId];
	const found: PaidOrder[] = [];
	for (const id of ids) {
		const data = await context.getExecutionDataById(id);
		found.push(
			...keptIn(data, workflowId),
			...storedOrders(data, workflowId).map((one) => ({ ...one, executionId: id })),
		);
	}
	return found;
}

/** Leaves out what n8n's database says about a fault: that belongs only in n8n's log. */
export const whyUnknown = (error: unknown): string =>
	error instanceof NotRecoverable ? error.message : 'n8n could not read it';

/** An execution's number as n8n's editor shows it: `231`, `#231` or `ID#231`; no database goes beyond 15 digits. */
const NUMBER = /^(?:(?:ID)? ?#)? ?(\d{1,15})$/i;

/** The number of an execution, as a person has typed it. @param refused the error where it is none */
export function executionNumber(given: unknown, refused: (rule: string) => Error): string {
	const number = NUMBER.exec(String(given).trim())?.[1];
	if (number !== undefined) return number;
	throw refused(`must be a number, such as 231, but is "${cleanText(String(given), 100)}"`);
}

/** The orders that were kept for a stopped run, if it was of the workflow that asks. */
function keptIn(data: IRunExecutionData | undefined, workflowId: string): PaidOrder[] {
	// Only from the node that keeps them: an item of any other may have such a field by chance.
	const runs = Object.entries(data?.resultData.runData ?? {}).flatMap(([name, one]) =>
		KEEPER.test(name) ? one : [],
	);
	const items = runs.flatMap((one) => one.data?.main?.[0] ?? []);
	return items.flatMap(({ json }) => {
		const kept = json[KEPT] as object as KeptOrder | undefined;
		return kept?.workflowId === workflowId ? [kept] : [];
	});
}

/* Parts of the helper workflows that this package runs besides the user's own, as a person sees them. */

/** The node that such an execution starts with; it passes its input on as it is. */
export function startNode(name: string): INode {
	return {
		id: 'start',
		name,
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		position: [0, 0],
		parameters: { inputSource: 'passthrough' },
	};
}

/** A note above the nodes, for a person who opens the execution: n8n's list names only the user's workflow. */
export function noteNode(content: string, height: number): INode {
	return {
		id: 'note',
		name: 'Note',
		type: 'n8n-nodes-base.stickyNote',
		typeVersion: 1,
		position: [-40, -40 - height],
		parameters: { content, width: 560, height },
	};
}

interface NamedExecution {
	executionId: string;
	workflowId: string;
}

/** A link to an execution, in the Markdown of a note. */
export function linkTo({ executionId, workflowId }: NamedExecution): string {
	return `[execution ${executionId}](/workflow/${workflowId}/executions/${executionId})`;
}

/** Settings that do not depend on those of the user's workflow. */
export const HELPER_SETTINGS: IWorkflowSettings = {
	executionOrder: 'v1',
	saveExecutionProgress: true,
	saveDataErrorExecution: 'all',
	saveDataSuccessExecution: 'all',
	// The user's time-out applies to the execution that waits, not to the helpers that serve it.
	executionTimeout: -1,
	// 'any' is safe: a helper has no ID of its own by which another workflow could call it.
	callerPolicy: 'any',
};
