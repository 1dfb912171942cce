import { randomUUID } from 'crypto';
import { WAIT_INDEFINITELY, type IDataObject, type IExecuteFunctions } from 'n8n-workflow';

import type { Settled } from '../jobs/batch';
import type { Clock } from '../clock/clock';
import { entriesIn } from '../jobs/ledger';
import { hint } from '../run/hint';
import type { ItemPlan, Run } from '../run/run';
import { attempt } from '../service/attempt';
import {
	PARKING_CHECK_MS,
	PARKING_MS,
	readExecution,
	RUN_HANDLE,
	type RunHandle,
	type Caller,
} from './executions';
import { durableBlocker } from './blocker';
import { roleWorkflow, start } from './roleWorkflow';
import { serializePlan } from './serialize';
import { newSupervisorState, structuredCopy, SUPERVISOR, workItem, type WorkState } from './state';
import { PARKED_VERSION } from './version';

/**
 * Parks the execution of a run that is to wait durably, and lets other executions work on it:
 * nothing is created before it is parked, so that a crash of n8n cannot lose what is paid for.
 * Where that is impossible the run waits in process, with a hint.
 *
 * @returns whether it has been handed over
 */
export async function startDurable(
	run: Run,
	plans: ReadonlyArray<Settled<ItemPlan>>,
	continueOnFail: boolean,
): Promise<boolean> {
	const valid = plans.flatMap((plan) => ('value' in plan ? [plan.value] : []));
	if (!valid.some(isDurable)) return false;
	const parked = await attempt(startAndPark(run, plans, valid, continueOnFail));
	if ('value' in parked) return true;
	hint(run, `Waited in process, not durably: ${(parked.error as Error).message}.`);
	return false;
}

const isDurable = ({ operation, options, read }: ItemPlan) =>
	operation.kind === 'create' &&
	options.waitMode === 'durable' &&
	read('waitForCompletion', true) === true;

/** @throws where it is impossible; the message says why */
async function startAndPark(
	run: Run,
	plans: ReadonlyArray<Settled<ItemPlan>>,
	valid: readonly ItemPlan[],
	continueOnFail: boolean,
): Promise<void> {
	const { context } = run;
	const reason = durableBlocker(context, valid);
	if (reason !== undefined) throw new Error(reason);
	const memory = context.getContext('node');
	const { runIndex } = run.ledger;
	const caller: Caller = {
		executionId: run.executionId,
		workflowId: String(context.getWorkflow().id),
		node: context.getNode().name,
		runIndex,
		runId: randomUUID(),
	};
	// What runs in the background cannot say that it may not: a node type that is shut out, a credential
	// of somebody else, the policy for sub-workflows.
	await context.executeWorkflow({ code: roleWorkflow(context.getNode(), 'probe', 'dropped') }, [
		{ json: {} },
	]);
	const supervise = { ...newSupervisorState(caller) } as object as IDataObject;
	const supervisor = await start(context, caller, 'supervise', { [SUPERVISOR]: supervise });
	// Before that, a crash would leave an execution parked that nobody supervises.
	await untilParked(context, supervisor, run.clock);
	const state: WorkState = {
		version: PARKED_VERSION,
		caller,
		supervisor,
		continueOnFail,
		isRetry: run.isRetry,
		parameters: run.parameters,
		unfinishedShown: [...run.account.unfinishedShown],
		plans: structuredCopy(plans.map(serializePlan)),
		results: {},
		intents: { at: 0, items: [] },
		isReplacement: false,
		lastProgressAt: run.clock.now(),
		blockedTill: 0,
		consecutiveErrors: 0,
	};
	const entries = structuredCopy(entriesIn(memory));
	const worker = await start(context, caller, 'work', workItem({ state, entries }));
	const handle: RunHandle = { version: PARKED_VERSION, runId: caller.runId, worker, supervisor };
	memory[RUN_HANDLE] = { ...handle };
	await context.putExecutionToWait(WAIT_INDEFINITELY);
}

/** @throws when it takes too long */
async function untilParked(context: IExecuteFunctions, id: string, clock: Clock): Promise<void> {
	const deadline = clock.now() + PARKING_MS;
	while (!(await readExecution(context, id))?.waitTill) {
		if (clock.now() > deadline) throw new Error('n8n is too busy to start an execution');
		await clock.sleep(PARKING_CHECK_MS);
	}
}
