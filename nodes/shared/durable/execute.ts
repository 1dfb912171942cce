import { randomUUID } from 'crypto';
import {
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeOperationError,
	WAIT_INDEFINITELY,
} from 'n8n-workflow';

import { attempt } from '../clock/attempt';
import { type Clock, systemClock } from '../clock/clock';
import { ROLE_PARAMETER } from '../form/names';
import { ordersIn } from '../orders/orders';
import { executeItems } from '../run/execute';
import { hint } from '../run/messages';
import { onErrorOf } from '../run/outputs';
import { type Durable, type ItemPlan, type Row, type Run, sendable, sourcesOf } from '../run/run';
import { jsonCopy } from '../service/bodies';
import type { Catalog } from '../spec/operation';
import { durableBlocker } from './blockers';
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
