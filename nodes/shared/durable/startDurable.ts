import { randomUUID } from 'crypto';
import { type IDataObject, type IExecuteFunctions, WAIT_INDEFINITELY } from 'n8n-workflow';

import { entriesIn } from '../jobs/ledger';
import { hint } from '../run/messages';
import { failedAs } from '../run/outputs';
import { isTool, type ItemPlan, plannedIn, type Plans, type Run } from '../run/run';
import { attempt } from '../service/attempt';
import { jsonCopy } from '../service/bodies';
import {
	type Caller,
	PARKED_VERSION,
	isStoredSoon,
	parkedTill,
	RUN_HANDLE,
	type RunHandle,
} from './executions';
import { again, roleWorkflow, start } from './roleWorkflow';
import { storePlans, supervisorStateIn, workItem, type WorkState } from './state';
import { startSupervisor } from './supervisor';

/**
 * Parks the execution of a run that is to wait durably, and lets other executions work on it.
 * Nothing is created before it is parked, so that a crash of n8n cannot lose what is paid for.
 * If that is impossible, the run waits in process, with a hint.
 *
 * @returns whether other executions now work on the run
 */
export async function startDurable(run: Run, plans: Plans): Promise<boolean> {
	const valid = plannedIn(plans);
	if (!valid.some(isDurable)) return false;
	const parked = await attempt(startAndPark(run, plans, valid));
	if ('value' in parked) return true;
	hint(run, `Waited in process, not durably: ${(parked.error as Error).message}.`);
	return false;
}

const isDurable = ({ operation, options, read }: ItemPlan) =>
	operation.kind === 'create' &&
	options.waitMode === 'durable' &&
	read('waitForCompletion', true) === true;

/** @throws Error if the run cannot wait durably; the message says why */
async function startAndPark(run: Run, plans: Plans, valid: readonly ItemPlan[]): Promise<void> {
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
	// Helpers in the background could not report that n8n forbids them, because of a blocked node type,
	// somebody else's credential or the policy for sub-workflows. So we try one and wait for it.
	const probe = roleWorkflow(context.getNode(), 'probe', caller);
	await context.executeWorkflow({ code: probe }, again());
	const supervisor = await startSupervisor(context, caller);
	// If n8n crashed before the supervisor has parked, nobody would supervise the parked caller.
	const hasParked = async () => parkedTill(await context.getExecutionDataById(supervisor)) > 0;
	if (!(await isStoredSoon(run.clock, hasParked))) {
		throw new Error('n8n is too busy to start an execution');
	}
	const { standby } = supervisorStateIn(
		await context.getExecutionDataById(supervisor),
		caller.node,
	);
	const state: WorkState = {
		version: PARKED_VERSION,
		caller,
		supervisor,
		continueOnFail: context.continueOnFail(),
		failedAs: failedAs(context),
		isRetry: run.isRetry,
		parameters: run.parameters,
		plans: storePlans(plans),
		results: {},
		intents: { at: 0, items: [] },
		isReplacement: false,
		lastProgressAt: run.clock.now(),
		consecutiveErrors: 0,
	};
	const entries = jsonCopy(entriesIn(memory));
	const worker = await start(context, caller, 'work', [{ json: workItem({ state, entries }) }]);
	const helpers = { worker, supervisor, standby, work: state as object as IDataObject };
	const handle: RunHandle = { version: PARKED_VERSION, runId: caller.runId, ...helpers };
	memory[RUN_HANDLE] = { ...handle };
	await context.putExecutionToWait(WAIT_INDEFINITELY);
}

/** Execution modes in which nothing would wake the workflow up again. */
const MODES: Partial<Record<ReturnType<IExecuteFunctions['getMode']>, string>> = {
	cli: 'A workflow run from the command line ends with its process',
	evaluation: 'An evaluation waits for its workflow in process',
};

/** Triggers whose caller may wait for the workflow's output, and how they answer by default. */
const CALLED: Record<string, string> = {
	'n8n-nodes-base.webhook': 'onReceived',
	'n8n-nodes-base.formTrigger': 'onReceived',
	'@n8n/n8n-nodes-langchain.chatTrigger': 'lastNode',
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
function handsOnErrors({ onExecutionFinish }: Partial<IExecuteFunctions>): boolean {
	return onExecutionFinish !== undefined;
}

/** Why a run cannot wait durably, as a sentence; `undefined` when it can. */
export function durableBlocker(
	context: IExecuteFunctions,
	plans: readonly ItemPlan[],
): string | undefined {
	const { id } = context.getWorkflow();
	const blockers: Array<{ applies: boolean; message: string }> = [
		{
			applies: !handsOnErrors(context),
			message: 'This version of n8n would lose results; durable waiting needs n8n 2.33 or later',
		},
		{
			applies: isTool(context),
			message: 'An agent waits for its tools in process',
		},
		{ applies: !id || !context.getExecutionId(), message: 'The workflow is not saved' },
		{
			applies: plans.some(({ request }) => request.files),
			message: 'The items send files with their requests',
		},
		{
			applies: plans.some(({ options }) => options.outputByStatus),
			message:
				'Output by Status has three outputs, and an execution that was parked goes on by the first',
		},
		{
			applies: isAwaited(context),
			message: 'The trigger of the workflow answers when that has ended',
		},
		{
			applies: isCalledWithOne(context),
			message:
				'The workflow was called with one item; if it is called once for each of several, n8n takes the results of the first call for all',
		},
	];
	return blockers.find(({ applies }) => applies)?.message ?? MODES[context.getMode()];
}

/** Whether the caller of the workflow gets an answer only when it ends. */
function isAwaited(context: IExecuteFunctions): boolean {
	if (context.getMode() === 'retry') return false;
	return nodesBefore(context).some(({ name, type, parameters = {} }) => {
		const byDefault = CALLED[type];
		if (byDefault === undefined) return false;
		const { responseMode } = { ...(parameters.options as IDataObject), ...parameters };
		const isTooEarly = TOO_EARLY.includes(String(responseMode ?? byDefault));
		// The workflow may have several triggers, of which only one has run.
		return isTooEarly && isTrue(context, `$(${quoted(name)}).isExecuted`);
	});
}

const nodesBefore = (context: IExecuteFunctions) =>
	context.getParentNodes(context.getNode().name, { includeNodeParameters: true });

const isTrue = (context: IExecuteFunctions, expression: string) =>
	context.evaluateExpression(`{{ ${expression} }}`, 0) === true;

const CALLED_BY_WORKFLOW = 'n8n-nodes-base.executeWorkflowTrigger';

/** Whether another workflow has called this one with one item, and so may call it again for others. */
function isCalledWithOne(context: IExecuteFunctions): boolean {
	return nodesBefore(context)
		.filter(({ type }) => type === CALLED_BY_WORKFLOW)
		.map(({ name }) => `$(${quoted(name)})`)
		.some((trigger) => isTrue(context, `${trigger}.isExecuted && ${trigger}.all().length === 1`));
}

/** Quoted for use in an expression, which a closing brace could end. */
const quoted = (name: string) => JSON.stringify(name).replaceAll('}', '\\u007d');
