import type { IDataObject, IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

import { ordersIn } from '../orders/orders';
import { NotRecoverable, type PaidOrder } from '../run/run';
import { type Handle, HANDLE, HELPER, memoryIn, type Work, workerNamed } from './stored';

/**
 * The orders of the latest durable run of each node of an execution. A helper's number is taken for that of its own work.
 *
 * Refuses executions of other workflows, since n8n lets a node read those of everybody.
 *
 * @throws NotRecoverable if there is no such run, or the execution is of another workflow
 */
export async function ordersOf(
	context: IExecuteFunctions,
	executionId: string,
): Promise<PaidOrder[]> {
	const data = await context.getExecutionDataById(executionId);
	if (!data) throw new NotRecoverable('n8n has no such execution');
	const nodes = Object.keys(data.executionData?.contextData ?? {}).map((key) =>
		key.slice('node:'.length),
	);
	const read = nodes.map(async (node) => await helperMemory(context, data, node));
	const memories = (await Promise.all(read)).filter((memory) => memory[HELPER]);
	const workflowId = String(context.getWorkflow().id);
	const own = memories.filter((memory) => callerIn(memory).workflowId === workflowId);
	if (own.length > 0) return own.flatMap(paidIn);
	throw new NotRecoverable(
		memories.length > 0
			? 'it is of another workflow; put this node into that workflow'
			: `this workflow knows no paid jobs of it. Put this node into the workflow of that execution. If it is there already, and n8n was restarted since a stop, enter the number of the execution that shows "Paid jobs of execution ${executionId}"; if there is none, look in Job > Get History`,
	);
}

/** The memory of the helper that a node of an execution is, or that works for it: what knows its orders best. */
async function helperMemory(
	context: IExecuteFunctions,
	data: IRunExecutionData,
	node: string,
): Promise<IDataObject> {
	const own = memoryIn(data, node);
	const handle = own[HANDLE] as Handle | undefined;
	if (!handle) return own;
	const watcher = await context.getExecutionDataById(handle.watcher);
	const worker = workerNamed(watcher, node) ?? handle.worker;
	const memory = memoryIn(await context.getExecutionDataById(worker), node);
	return memory[HELPER] ? memory : memoryIn(watcher, node);
}

const callerIn = (memory: IDataObject) => (memory[HELPER] as object as Work).caller;

function paidIn(memory: IDataObject): PaidOrder[] {
	const { executionId, node } = callerIn(memory);
	const orders = ordersIn(memory).sort((one, other) => one.row - other.row);
	return orders.map((order) => ({ order, executionId, node }));
}
