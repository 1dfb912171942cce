import { randomUUID } from 'crypto';
import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeOperationError,
	WAIT_INDEFINITELY,
} from 'n8n-workflow';

import { attempt, type Clock, systemClock } from '../clock/clock';
import { ROLE_PARAMETER } from '../form/names';
import { ordersIn } from '../orders/orders';
import { executeItems } from '../run/execute';
import { hint } from '../run/messages';
import { onErrorOf } from '../run/outputs';
import {
	type Durable,
	isTool,
	type ItemPlan,
	type Row,
	type Run,
	sendable,
	sourcesOf,
} from '../run/run';
import { jsonCopy } from '../spec/values';
import { carriesFiles } from '../service/service';
import type { Catalog } from '../spec/operation';
import { AGAIN, NOTHING, runAgain, startHelper, startWatcher } from './helper';
import {
	ordersOf,
	type Caller,
	type Handle,
	HANDLE,
	HELPER,
	isSoon,
	PARKED_VERSION,
	parkedTill,
	storedError,
	storedPlan,
	type Work,
} from './stored';
import { watch } from './watch';
import { handOver, work } from './work';

const DURABLE: Durable = { start: startDurable, ordersOf };

/**
 * What n8n runs: a user's node over its items, or a helper of a durable run.
 *
 * @throws NodeApiError, NodeOperationError unless the user chose *Continue* for errors
 */
export async function executeCatalog(
	context: IExecuteFunctions,
	catalog: Catalog,
	clock: Clock = systemClock,
): Promise<INodeExecutionData[][]> {
	const role = context.getNodeParameter(ROLE_PARAMETER, 0, '');
	if (role === '')
		return refusedItem(context) ?? (await executeItems(context, catalog, clock, DURABLE));
	const memory = context.getContext('node');
	if (memory[HELPER] === undefined) {
		// A copy: what n8n stores as the input of a node must not change with its memory.
		Object.assign(memory, jsonCopy(context.getInputData()[0]?.json ?? {}));
		// n8n stores what there is to do before anything is done, and a node that parks at first would pass on its input.
		return await runAgain(context);
	}
	const runner = role === 'watcher' ? watch : role === 'hand-over' ? handOver : work;
	return await runner(context, clock);
}

/**
 * What a user's own node gives out if it gets the item of a helper, since a person has retried that with the saved workflow.
 * Under *Continue*, no items: an error would go on as an item, even to nodes that order something.
 *
 * @throws NodeOperationError under *Stop*
 */
function refusedItem(context: IExecuteFunctions): INodeExecutionData[][] | undefined {
	if (!context.getInputData().some(({ json }) => HELPER in json || AGAIN in json)) return undefined;
	const message =
		'Nothing was ordered: this is the item of a helper of a durable run. To let a red worker go on, open it again, not this retry, and choose Retry with original workflow.';
	if (!context.continueOnFail()) throw new NodeOperationError(context.getNode(), message);
	context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
	return NOTHING;
}

/**
 * Parks the execution of a run that is to wait durably, and lets a worker create its jobs. None is created before it is
 * parked, so that a crash of n8n cannot lose what is paid for. If that is impossible, the run waits in process, and a
 * hint says why.
 *
 * @returns whether the execution parks
 */
async function startDurable(run: Run, rows: readonly Row[]): Promise<boolean> {
	const valid = sendable(rows).map(({ plan }) => plan);
	if (!valid.some(isDurable)) return false;
	const parked = await attempt(park(run, rows, valid));
	if ('value' in parked) return true;
	hint(run, `Waited in process, not durably: ${(parked.error as Error).message}.`);
	return false;
}

const isDurable = ({ operation, options }: ItemPlan) =>
	operation.kind === 'create' && options.waitMode === 'durable' && options.waitForCompletion;

/** @throws Error if the run cannot wait durably; the message says why */
async function park(run: Run, rows: readonly Row[], valid: readonly ItemPlan[]): Promise<void> {
	const { context, clock, executionId, isRetry } = run;
	const reason = durableBlocker(context, valid);
	if (reason !== undefined) throw new Error(reason);
	const memory = context.getContext('node');
	const caller: Caller = {
		executionId,
		workflowId: String(context.getWorkflow().id),
		node: context.getNode().name,
		runId: randomUUID(),
	};
	const watcher = await startWatcher(context, caller);
	// If n8n ended before the watcher has parked, nobody would look after the worker.
	if (!(await isSoon(clock, async () => await hasParked(context, watcher)))) {
		throw new Error(
			'n8n has not begun a helper within a minute: it is too busy, or does not let the node start executions',
		);
	}
	const done: Work['done'] = {};
	for (const { itemIndex, result } of rows) {
		if ('error' in result) done[itemIndex] = { error: storedError(result.error) };
	}
	const work: Work = {
		version: PARKED_VERSION,
		caller,
		watcher,
		...onErrorOf(context),
		owner: { execution: executionId, run: run.orders.run, isRetry, sources: sourcesOf(context) },
		plans: rows.map(({ plan, result }) => (plan && 'skipped' in result ? storedPlan(plan) : null)),
		done,
		newsAt: clock.now(),
	};
	const worker = await startHelper(context, 'worker', work, ordersIn(memory));
	memory[HANDLE] = { runId: caller.runId, worker, watcher } satisfies Handle;
	await context.putExecutionToWait(WAIT_INDEFINITELY);
}

/** @throws Error if the execution has failed: n8n lets none be started, as by a policy or for want of a credential */
async function hasParked(context: IExecuteFunctions, id: string): Promise<boolean> {
	const data = await context.getExecutionDataById(id);
	const { error } = data?.resultData ?? {};
	if (error) throw new Error(error.message);
	return parkedTill(data) > 0;
}

const CALLED_BY_WORKFLOW = 'n8n-nodes-base.executeWorkflowTrigger';

/** Triggers that may answer with the workflow's output, and how they answer by default. */
const CALLED: Record<string, string> = {
	'n8n-nodes-base.webhook': 'onReceived',
	'n8n-nodes-base.formTrigger': 'onReceived',
	'@n8n/n8n-nodes-langchain.chatTrigger': 'lastNode',
	[CALLED_BY_WORKFLOW]: 'byWorkflow',
};

/** With these response modes, n8n answers as soon as an execution parks, with what it has by then. */
const TOO_EARLY = ['lastNode', 'streaming'];

/**
 * Whether n8n hands a child's error on to a parked parent. A node is not told so, and the version in
 * n8n-workflow may be that of another copy, installed beside this package. So we look for
 * `onExecutionFinish`, which n8n got later. From the sources of n8n-core:
 *
 * | n8n              | the child's items | its error | `onExecutionFinish` |
 * | ---------------- | ----------------- | --------- | ------------------- |
 * | 1.123.81         | dropped           | dropped   | no                  |
 * | 2.0.3 to 2.24.0  | handed on         | dropped   | no                  |
 * | 2.27.3 to 2.32   | handed on         | handed on | no                  |
 * | from 2.33.0      | handed on         | handed on | yes                 |
 */
const handsOnErrors = ({ onExecutionFinish }: Partial<IExecuteFunctions>) =>
	onExecutionFinish !== undefined;

/** Why a run cannot wait durably, as a sentence; `undefined` when it can. */
function durableBlocker(
	context: IExecuteFunctions,
	plans: readonly ItemPlan[],
): string | undefined {
	const { id } = context.getWorkflow();
	const mode = context.getMode();
	const triggers = triggersOf(context);
	const reasons: Record<string, boolean> = {
		'This version of n8n would lose results; durable waiting needs n8n 2.33 or later':
			!handsOnErrors(context),
		'An agent waits for its tools in process': isTool(context),
		'The workflow is not saved': !id || !context.getExecutionId(),
		'The items send files with their requests': plans.some(({ request }) => carriesFiles(request)),
		'Output by Status has three outputs, and an execution that was parked goes on by the first':
			plans.some(({ options }) => options.outputByStatus),
		'The trigger of the workflow answers when that has ended':
			mode !== 'retry' && triggers.some(isAwaited),
		'The workflow was called with one item; if it is called once for each of several, n8n takes the results of the first call for all':
			triggers.some((trigger) => isCalledWithOne(context, trigger)),
		'A workflow run from the command line ends with its process': mode === 'cli',
		'An evaluation waits for its workflow in process': mode === 'evaluation',
	};
	return Object.keys(reasons).find((reason) => reasons[reason]);
}

/** The triggers that may answer so, of those that have run: a workflow may have several. */
const triggersOf = (context: IExecuteFunctions) =>
	context
		.getParentNodes(context.getNode().name, { includeNodeParameters: true })
		.filter(({ name, type }) => type in CALLED && isTrue(context, name, '.isExecuted'));

type Trigger = ReturnType<typeof triggersOf>[number];

/** Whether whatever has called the workflow gets an answer only when it ends. */
function isAwaited({ type, parameters = {} }: Trigger): boolean {
	const given = { ...(parameters.options as IDataObject), ...parameters };
	return TOO_EARLY.includes(String(given.responseMode ?? CALLED[type]));
}

/** Whether another workflow has called this one with one item, and so may call it again for others. */
const isCalledWithOne = (context: IExecuteFunctions, { name, type }: Trigger) =>
	type === CALLED_BY_WORKFLOW && isTrue(context, name, '.all().length === 1');

function isTrue(context: IExecuteFunctions, node: string, what: string): boolean {
	// A closing brace could end the expression.
	const quoted = JSON.stringify(node).replaceAll('}', '\\u007d');
	return context.evaluateExpression(`{{ $(${quoted})${what} }}`, 0) === true;
}
