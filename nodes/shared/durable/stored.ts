import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	IRunExecutionData,
} from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { ordersIn } from '../orders/orders';
import type { FailedAs } from '../run/outputs';
import { type ItemPlan, NotRecoverable, type Owner, type PaidOrder } from '../run/run';
import { jsonCopy } from '../spec/values';
import type { Advice, ErrorText } from '../service/serviceError';
import { creationNamed } from '../spec/catalogs';

/**
 * The version of what the helpers of a durable run store in n8n's database. Once a version of the package is published,
 * raise this whenever the shape or the meaning of `Work` changes, or an operation is renamed: a worker leaves the work
 * of another version alone, and its watcher names the jobs. What that reads must stay the same in all versions: `version`, `caller`,
 * `watcher` and the orders.
 */
export const PARKED_VERSION = 1;

/** The run of a node that waits for its results. */
export interface Caller {
	executionId: string;
	workflowId: string;
	node: string;
	/** Names this wait only: in a loop, the node may wait again in the same execution. */
	runId: string;
}

/** What the worker remembers besides its orders. n8n stores it after each round. */
export interface Work {
	version: number;
	caller: Caller;
	/** The execution that replaces this one if it dies. */
	watcher: string;
	/** Whether items are begun after one has failed (*Continue*), and how a failed item leaves the node then. */
	continueOnFail: boolean;
	failedAs: FailedAs;
	/** The caller's run: that of the orders. */
	owner: Owner;
	/** By item; none where it has failed before anything was sent, and so is done. */
	plans: Array<StoredPlan | null>;
	/** By item: what has become of it. */
	done: Record<number, Done>;
	/** When something was last new, ms since 1970. */
	newsAt: number;
	/** The execution that last worked on it. */
	worker?: string;
}

/** What a hand-over remembers: the work, or why nobody can go on with it. */
export type HandOver = (Work | { caller: Caller; lost: string }) & { hasParked?: boolean };

/** What has become of an item: what it gives out, or what it fails with. */
type Done = { value: INodeExecutionData[] } | { error: StoredError };

/** What is stored of an error: its words, and what it says about ordering again. */
interface StoredError extends ErrorText {
	retry?: Advice['retry'];
}

/** What the watcher remembers, besides the orders as the last check has seen them. */
export interface Watch {
	caller: Caller;
	/** The credential that workers use: the watcher has none itself. */
	credentials: INode['credentials'];
	/** The worker; at first the one that the caller names. */
	worker?: string;
	/** What the last check has seen of a worker that is late; absent before the first. */
	silent?: string;
	/** How many workers in a row it has replaced that never parked. */
	inVain: number;
}

/** What the caller's node remembers: for which run it waits, and who works for it. */
export interface Handle {
	runId: string;
	worker: string;
	watcher: string;
}

/** Keys of what a helper remembers, and a caller. */
export const HELPER = 'mediaGenHelper';
export const HANDLE = 'mediaGenDurable';

/** An item, checked and ready to be sent; the table of its operation is looked up again. */
interface StoredPlan extends Pick<ItemPlan, 'values' | 'options' | 'request'> {
	resource: string;
	operation: string;
}

/** The plan of an item as n8n's database has it. */
export function storedPlan({ operation, values, options, request }: ItemPlan): StoredPlan {
	const { resource, operation: name } = operation;
	return jsonCopy({ resource, operation: name, values, options, request }) as StoredPlan;
}

/** The plan of an item that has one: that of a creation. */
export function planAt({ plans }: Work, itemIndex: number) {
	const { resource, operation: name, values, options, request } = plans[itemIndex]!;
	const operation = creationNamed(resource, name)!;
	return { itemIndex, operation, values, options, request } satisfies ItemPlan;
}

export function storedError(error: unknown): StoredError {
	const { message, description = '', retry } = error as StoredError;
	return { message, description, ...(retry && { retry }) };
}

/** What a node remembers in another execution; one that has not ended its first node has only its input. */
export function memoryIn(data: IRunExecutionData | undefined, node: string): IDataObject {
	const started = data?.executionData?.nodeExecutionStack[0]?.data.main?.[0]?.[0]?.json;
	return { ...started, ...data?.executionData?.contextData[`node:${node}`] };
}

/** The worker that a watcher names, as n8n has stored it. */
export const workerNamed = (watcher: IRunExecutionData | undefined, node: string) =>
	(memoryIn(watcher, node)[HELPER] as Watch | undefined)?.worker;

/** Until when an execution is parked, ms since 1970; 0 if it is not. */
export const parkedTill = (data: IRunExecutionData | undefined): number =>
	data?.waitTill ? new Date(data.waitTill).getTime() : 0;

/** Whether a caller waits for its run, waits for something else by now, or does not wait any more. */
export function callerState(
	data: IRunExecutionData | undefined,
	{ node, runId }: Caller,
): 'here' | 'elsewhere' | 'gone' {
	const [entry] = data?.executionData?.nodeExecutionStack ?? [];
	// One that was killed as it was about to wait has nothing to go on with.
	if (!data?.waitTill || !entry || data.resultData.error) return 'gone';
	const handle = memoryIn(data, node)[HANDLE] as Handle | undefined;
	return entry.node.name === node && handle?.runId === runId ? 'here' : 'elsewhere';
}

/** How long a busy n8n may take to store what an execution does now, and how often to look, in ms. */
const STORED_MS = 60_000;
const LOOK_MS = 50;

/** Waits until something that n8n stores is so. @returns whether it came to be so in time */
export async function isSoon(clock: Clock, isSo: () => Promise<boolean>): Promise<boolean> {
	const deadline = clock.now() + STORED_MS;
	while (!(await isSo())) {
		if (clock.now() >= deadline) return false;
		await clock.sleep(LOOK_MS);
	}
	return true;
}

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
