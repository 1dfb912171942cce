import {
	type IConnections,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type IWorkflowBase,
} from 'n8n-workflow';

import type { Order } from '../orders/order';
import { memoryOf } from '../orders/orders';
import { ROLE_PARAMETER } from '../form/names';
import { HELPER_SETTINGS, linkTo, noteNode, startNode } from '../run/keep';
import { jsonCopy } from '../spec/values';
import { type Caller, HELPER, type HandOver, type Watch, type Work } from './stored';

/** What a node of this package does in the executions that work for a durable run. */
export type Role = 'worker' | 'watcher' | 'hand-over';

/** Field of the item that leads a helper's node to itself. */
export const AGAIN = 'mediaGenAgain';

/** What a helper gives out when it ends without a result. */
export const NOTHING: INodeExecutionData[][] = [[]];

/**
 * The workflow of a helper: the user's node in a role, which leads to itself. n8n stores its memory each time (*Save
 * execution progress*), so what one round has done is in the database before the next begins. Only the results of a
 * hand-over leave the loop.
 */
function helperWorkflow(user: INode, role: Role, caller: Caller): IWorkflowBase {
	const name = (part: string) => `${user.name}: ${part}`;
	const handsOver = role === 'hand-over';
	const start = startNode(name(`${role} for execution ${caller.executionId}`));
	const note = noteNode(
		`## The ${role} for ${linkTo(caller)}\nThere, the node **${user.name}** waits durably. The worker creates the jobs and has their files: do not stop or delete it. The watcher starts another worker if n8n ends while the worker is awake. The hand-over gives the items, or the error, to the node. All end by themselves.\n\nA red one needs nothing: n8n ended while it was at work, or it has handed over an error. Only if execution ${caller.executionId} still waits after 15 minutes, open its newest red worker, and choose **Retry with original workflow**.`,
		300,
	);
	const { type, typeVersion, credentials, parameters } = user;
	const own = node({
		...{ name: user.name, type, typeVersion },
		// The others send nothing: they still run where n8n no longer lets the credential be used.
		...(role === 'worker' && { credentials }),
		parameters: { ...parameters, [ROLE_PARAMETER]: role },
	});
	const isOver = { value1: `={{ $json.${AGAIN} !== true }}`, value2: true };
	const over = node({
		...{ name: name('over?'), type: 'n8n-nodes-base.if', typeVersion: 1, position: [400, 0] },
		parameters: { conditions: { boolean: [isOver] } },
	});
	const noOp = { type: 'n8n-nodes-base.noOp', typeVersion: 1 };
	const results = node({ ...noOp, name: name('results'), position: [600, 0] });
	const connections: IConnections = {
		[start.name]: to(own),
		[own.name]: handsOver ? to(over) : to(own),
		...(handsOver && { [over.name]: to(results, own) }),
	};
	const nodes = [start, own, ...(handsOver ? [over, results] : []), note];
	// The worker has the jobs and the files, and a worker that has taken its place is found through the watcher.
	const settings = { ...HELPER_SETTINGS, saveDataSuccessExecution: handsOver ? 'none' : 'all' };
	// n8n adds the ID of the workflow that starts it.
	const workflow = { name: name(role), nodes, connections, settings, active: false };
	return workflow as unknown as IWorkflowBase;
}

/** A node beside the start. */
const node = (one: Partial<INode> & Pick<INode, 'name' | 'type' | 'typeVersion'>): INode => ({
	...{ id: one.name, position: [200, 0], parameters: {} },
	...one,
});

/** From the outputs of a node, in their order, to one node each. */
const to = (...targets: INode[]) => ({
	main: targets.map(({ name }) => [{ node: name, type: 'main' as const, index: 0 }]),
});

/**
 * Starts a helper, and does not wait for it. It is in n8n's database when this returns. The end of a hand-over, once that
 * has parked, lets the caller go on with what it gives out, or with its error. That of the others does not: n8n fails what
 * it cannot wake up, or what ran on a machine that died (queue mode), and lets the parent go on with that error.
 *
 * @param state what it remembers at first, besides the orders
 * @param credentials which credential it uses
 * @returns its execution ID
 */
export async function startHelper(
	context: IExecuteFunctions,
	role: Role,
	state: Work | Watch | HandOver,
	orders: Order[] = [],
	credentials = context.getNode().credentials,
): Promise<string> {
	const { executionId, workflowId } = state.caller;
	const json = { [HELPER]: state as object as IDataObject, ...memoryOf(workflowId, orders) };
	const shouldResume = role === 'hand-over';
	const { executionId: id } = await context.executeWorkflow(
		{ code: helperWorkflow({ ...context.getNode(), credentials }, role, state.caller) },
		[{ json: jsonCopy(json) }],
		undefined,
		{ doNotWaitToFinish: true, parentExecution: { executionId, workflowId, shouldResume } },
	);
	return id;
}

/** Starts a watcher. @param worker the one to look after; without it, the one that the caller names */
export async function startWatcher(
	context: IExecuteFunctions,
	caller: Caller,
	worker?: string,
): Promise<string> {
	const { credentials } = context.getNode();
	return await startHelper(context, 'watcher', { caller, credentials, worker, inVain: 0 });
}

/**
 * Lets a helper's node run once more: at once, or after the execution has parked in n8n's database, where it needs no
 * process and survives a crash.
 *
 * @param at ms since 1970; 0 for at once
 */
export async function runAgain(context: IExecuteFunctions, at = 0) {
	if (at > 0) await context.putExecutionToWait(new Date(at));
	return [[{ json: { [AGAIN]: true } }]] satisfies INodeExecutionData[][];
}
