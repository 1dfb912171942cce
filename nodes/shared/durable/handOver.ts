import { randomUUID } from 'crypto';
import { WAIT_INDEFINITELY, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import type { Settled } from '../jobs/batch';
import type { Clock } from '../clock/clock';
import { entriesIn } from '../jobs/ledger';
import { hint } from '../run/hint';
import type { ItemPlan, Run } from '../run/run';
import { attempt } from '../service/attempt';
import {
	PARKING_LOOK_MS,
	PARKING_MS,
	readExecution,
	STUB,
	type Stub,
	type Waiter,
} from './executions';
import { obstacle } from './obstacle';
import { relay } from './relay';
import { packPlan } from './packing';
import { start } from './start';
import { newWatch, structuredCopy, WATCH, workItem, type WorkState } from './state';
import { PARKED_VERSION } from './version';

/**
 * Parks the execution of a run that is to wait durably, and lets other executions work on it:
 * nothing is created before it is parked, so that a crash of n8n cannot lose what is paid for.
 * Where that is impossible the run waits in process, with a hint.
 *
 * @returns whether it has been handed over
 */
export async function handOver(
	run: Run,
	plans: ReadonlyArray<Settled<ItemPlan>>,
	continueOnFail: boolean,
): Promise<boolean> {
	const valid = plans.flatMap((plan) => ('value' in plan ? [plan.value] : []));
	if (!valid.some(isDurable)) return false;
	const parked = await attempt(parkAndStart(run, plans, valid, continueOnFail));
	if ('value' in parked) return true;
	hint(run, `Waited in process, not durably: ${(parked.error as Error).message}.`);
	return false;
}

const isDurable = ({ operation, options, read }: ItemPlan) =>
	operation.kind === 'create' &&
	options.waitMode === 'durable' &&
	read('waitForCompletion', true) === true;

/** @throws where it is impossible; the message says why */
async function parkAndStart(
	{ context, jobs }: Run,
	plans: ReadonlyArray<Settled<ItemPlan>>,
	valid: readonly ItemPlan[],
	continueOnFail: boolean,
): Promise<void> {
	const reason = obstacle(context, valid);
	if (reason !== undefined) throw new Error(reason);
	const memory = context.getContext('node');
	const { runIndex } = jobs.ledger;
	const waiter: Waiter = {
		executionId: jobs.executionId,
		workflowId: String(context.getWorkflow().id),
		node: context.getNode().name,
		runIndex,
		ticket: randomUUID(),
	};
	// What runs in the background cannot say that it may not: a node type that is shut out, a credential
	// of somebody else, the policy for sub-workflows.
	await context.executeWorkflow({ code: relay(context.getNode(), 'probe', 'dropped') }, [
		{ json: {} },
	]);
	const watch = { ...newWatch(waiter) } as object as IDataObject;
	const guard = await start(context, waiter, 'watch', { [WATCH]: watch });
	// Before that, a crash would leave an execution parked that nobody watches over.
	await untilParked(context, guard, jobs.clock);
	const state: WorkState = {
		version: PARKED_VERSION,
		waiter,
		guard,
		continueOnFail,
		isRetry: jobs.isRetry,
		parameters: jobs.parameters,
		unfinishedShown: [...jobs.account.unfinishedShown],
		plans: structuredCopy(plans.map(packPlan)),
		results: {},
		intents: { at: 0, items: [] },
		isHeir: false,
		newsAt: jobs.clock.now(),
		blockedTill: 0,
		troubles: 0,
	};
	const entries = structuredCopy(entriesIn(memory));
	const worker = await start(context, waiter, 'work', workItem({ state, entries }));
	const stub: Stub = { version: PARKED_VERSION, ticket: waiter.ticket, worker, guard };
	memory[STUB] = { ...stub };
	await context.putExecutionToWait(WAIT_INDEFINITELY);
}

/** @throws when it takes too long */
async function untilParked(context: IExecuteFunctions, id: string, clock: Clock): Promise<void> {
	const deadline = clock.now() + PARKING_MS;
	while (!(await readExecution(context, id))?.waitTill) {
		if (clock.now() > deadline) throw new Error('n8n is too busy to start an execution');
		await clock.sleep(PARKING_LOOK_MS);
	}
}
