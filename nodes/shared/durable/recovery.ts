import type { IDataObject, IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

import { ordersIn } from '../orders/orders';
import { NotRecoverable, type PaidOrder } from '../run/run';
import { type Handle, HANDLE, memoryIn, WATCH, type Watch, WORK, type Work } from './stored';

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
	const found = nodes.map(async (node) => await worksOf(context, data, node));
	const works = (await Promise.all(found)).flat();
	const workflowId = String(context.getWorkflow().id);
	const own = works.filter(({ work: { caller } }) => caller.workflowId === workflowId);
	if (own.length > 0) return own.flatMap(rowsOf);
	throw new NotRecoverable(
		works.length > 0
			? 'it is of another workflow; put this node into that workflow'
			: `this workflow knows no paid jobs of it. Put this node into the workflow of that execution. If it is there already, and n8n was restarted since a stop, enter the number of the execution that shows "Paid jobs of execution ${executionId}"; if there is none, look in Job > Get History`,
	);
}

interface Known {
	work: Work;
	/** What else the worker remembers: its orders. */
	memory: IDataObject;
}

/** The work that a node of an execution does itself, or waits for: that of the worker which its watcher names last. */
async function worksOf(
	context: IExecuteFunctions,
	data: IRunExecutionData,
	node: string,
): Promise<Known[]> {
	const own = memoryIn(data, node);
	const handle = own[HANDLE] as Handle | undefined;
	if (own[WORK]) return [{ work: own[WORK] as object as Work, memory: own }];
	if (!handle) return [];
	const watched = memoryIn(await context.getExecutionDataById(handle.watcher), node);
	const { worker = handle.worker } = (watched[WATCH] ?? {}) as Partial<Watch>;
	const memory = memoryIn(await context.getExecutionDataById(worker), node);
	return memory[WORK] ? [{ work: memory[WORK] as object as Work, memory }] : [];
}

const rowsOf = ({ work: { caller }, memory }: Known): PaidOrder[] =>
	ordersIn(memory)
		.sort((one, other) => one.row - other.row)
		.map((order) => ({ order, executionId: caller.executionId, node: caller.node }));
