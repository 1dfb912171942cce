import {
	type IConnections,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type IRunExecutionData,
	type IWorkflowBase,
} from 'n8n-workflow';

import { memoryOf, ordersIn } from '../orders/orders';
import { ROLE_PARAMETER } from '../parameters/names';
import { HELPER_SETTINGS, linkTo, node, noteNode, startNode, to } from '../run/helperWorkflow';
import { jsonCopy } from '../service/bodies';
import { type Caller, parkedTill, WATCH, type Watch, WORK, type Work } from './stored';

/** What a node of this package does in the executions that work for a durable run. */
export type Role = 'worker' | 'watcher';

/** Field of the item that leads a helper's node to itself. */
export const AGAIN = 'mediaGenAgain';

/** What a helper gives out when it ends without a result. */
export const NOTHING: INodeExecutionData[][] = [[]];

/**
 * The workflow of a helper: the user's node in a role, which leads to itself. n8n stores its memory each time (*Save
 * execution progress*), so what one round has done is in the database before the next begins.
 *
 * @param handsOver whether the node gives out a result in the end, which leaves the loop
 */
function helperWorkflow(
	user: INode,
	role: Role,
	caller: Caller,
	handsOver: boolean,
): IWorkflowBase {
	const name = (part: string) => `${user.name}: ${part}`;
	const helper = handsOver ? 'hand-over' : role;
	const start = startNode(name(`${helper} for execution ${caller.executionId}`));
	const note = noteNode(
		`## The ${helper} for ${linkTo(caller)}\nThere, the node **${user.name}** waits durably. The worker creates the jobs and has their files: do not stop or delete it. The watcher starts another worker if n8n ends while the worker is awake. The hand-over gives the items, or the error, to the node. All end by themselves.\n\nA red one needs nothing: n8n ended while it was at work, or it has handed over an error. Only if execution ${caller.executionId} still waits after 15 minutes, open its newest red worker, and choose **Retry with original workflow**.`,
		300,
	);
	const { type, typeVersion, credentials, parameters } = user;
	// The others send nothing: they still run where n8n no longer lets the credential be used.
	const isSender = role === 'worker' && !handsOver;
	const own = node({
		...{ name: user.name, type, typeVersion, ...(isSender && { credentials }) },
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
	const workflow = { name: name(helper), nodes, connections, settings, active: false };
	return workflow as unknown as IWorkflowBase;
}

/**
 * Starts a helper, and does not wait for it. It is in n8n's database when this returns.
 *
 * @param json the item that it begins with
 * @param handsOver whether its end, once it has parked, lets the caller go on with what it gives out, or with its error
 * @returns its execution ID
 */
async function start(
	context: IExecuteFunctions,
	user: INode,
	role: Role,
	caller: Caller,
	json: IDataObject,
	handsOver = false,
): Promise<string> {
	const { executionId, workflowId } = caller;
	const { executionId: id } = await context.executeWorkflow(
		{ code: helperWorkflow(user, role, caller, handsOver) },
		[{ json }],
		undefined,
		{
			doNotWaitToFinish: true,
			parentExecution: { executionId, workflowId, shouldResume: handsOver },
		},
	);
	return id;
}

/**
 * Starts a worker; one that hands over lets the caller go on.
 *
 * @param memory that of a node with orders in it
 * @param credentials which credential it uses
 * @returns its execution ID
 */
export async function startWorker(
	context: IExecuteFunctions,
	caller: Caller,
	work: Partial<Work>,
	memory: IDataObject,
	credentials = context.getNode().credentials,
): Promise<string> {
	const json = {
		[WORK]: work as object as IDataObject,
		...memoryOf(caller.workflowId, ordersIn(memory)),
	};
	const node = { ...context.getNode(), credentials };
	return await start(context, node, 'worker', caller, jsonCopy(json), work.handsOver);
}

/**
 * Starts a watcher.
 *
 * @param rows how many items the run has
 * @param worker the one to look after; without it, the one that the caller names
 * @returns its execution ID
 */
export async function startWatcher(
	context: IExecuteFunctions,
	caller: Caller,
	rows: number,
	worker?: string,
): Promise<string> {
	const node = context.getNode();
	const { credentials } = node;
	const watch: Watch = { caller, credentials, rows, jobs: {}, worker, inVain: 0 };
	return await start(context, node, 'watcher', caller, jsonCopy({ [WATCH]: watch as object }));
}

/**
 * Lets a helper's node run once more: at once, or after the execution has parked in n8n's database, where it needs no
 * process and survives a crash.
 *
 * @param at ms since 1970; 0 for at once
 */
export async function runAgain(
	context: IExecuteFunctions,
	at = 0,
): Promise<INodeExecutionData[][]> {
	if (at > 0) await context.putExecutionToWait(new Date(at));
	return [[{ json: { [AGAIN]: true } }]];
}

/** A watcher that is parked until a time so long ago, in ms, is dead or stopped. */
const OVERDUE_MS = 180_000;

/** Whether a watcher is alive, as far as what n8n has stored of it shows. @param now ms since 1970 */
export const isWatching = (data: IRunExecutionData | undefined, now: number): boolean =>
	!data?.resultData.error && parkedTill(data) > now - OVERDUE_MS;
