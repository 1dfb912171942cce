import {
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeOperationError,
} from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import type { Settled } from '../jobs/batch';
import { entriesIn, Ledger, ledgerOf } from '../jobs/ledger';
import { doubtIn, jobOf } from '../jobs/order';
import { adviceOn } from '../run/advice';
import { counted } from '../run/messages';
import { isNamedIn } from '../run/errors';
import { withDetailsBelow } from '../run/nodeError';
import { jobItems } from '../run/finishedItems';
import { failedItem, outputOf } from '../run/outputs';
import { attempt } from '../service/attempt';
import type { ErrorText } from '../service/errorTexts';
import { type Caller, callerState, isOwnVersion, type Parked, PARKED_VERSION } from './executions';
import { continueAt, roleWorkflow, start } from './roleWorkflow';
import {
	deserializeResult,
	loadState,
	paidIdsIn,
	plansIn,
	WORK,
	workItem,
	type WorkState,
} from './state';
import { openDurable } from './workOnItems';

/**
 * Makes the items of a durable run, and starts the execution whose end hands them over.
 *
 * A separate execution makes the items and never parks: only from such an execution does n8n copy the
 * files to the caller, where they stay as long as the caller is kept.
 *
 * @returns ID of the execution that hands over
 */
export async function publishResults(
	context: IExecuteFunctions,
	state: WorkState,
): Promise<string> {
	const { caller } = state;
	const { executionId, workflowId } = caller;
	const entries = entriesIn(context.getContext('node'));
	const made = await attempt(
		context.executeWorkflow(
			{ code: roleWorkflow(context.getNode(), 'output', caller) },
			[{ json: workItem({ state, entries }) }],
			undefined,
			{ parentExecution: { executionId, workflowId, shouldResume: false } },
		),
	);
	if ('value' in made) {
		return await startResume(context, caller, { items: made.value.data[0] ?? [] });
	}
	const error = textsOf(made.error, entries);
	// If a node continues after an error, n8n keeps only the message. Failed items say more.
	const results = state.continueOnFail ? { items: errorItems(state, error, entries) } : { error };
	return await startResume(context, caller, results);
}

function errorItems(
	{ plans, results, failedAs, caller: { runIndex: index } }: WorkState,
	texts: ErrorText,
	entries: ReturnType<typeof entriesIn>,
): INodeExecutionData[] {
	const ledger = new Ledger(ledgerOf({ ...entries }), { index });
	return plans.items.map((_, item) => {
		const order = ledger.find(item);
		const job = jobOf(order);
		const result = deserializeResult(results[item] ?? { error: texts });
		const error = 'error' in result ? result.error : undefined;
		const told = { ...(job && { jobId: job.id }), ...adviceOn('create', order, error) };
		// That a job may exist matters more than why the items could not be made.
		const own = doubtIn(order) && error ? textsOf(error, {}) : texts;
		return { json: failedItem(own, told, failedAs), pairedItem: { item } };
	});
}

/** Says what is wrong, and names every paid job (money rule 3), whatever has failed. */
function textsOf(error: unknown, entries: ReturnType<typeof entriesIn>): ErrorText {
	const { message, description: own } = error as { message: string; description?: unknown };
	const told = typeof own === 'string' ? own : '';
	const named = `${message} ${told.replaceAll('<br>', ' ')}`;
	const missing = paidIdsIn(entries).filter((id) => !isNamedIn(named, id));
	const doubts = Object.values(entries).flatMap((order) => doubtIn(order)?.unknownOutcome ?? []);
	const unknown = doubts.length > 0 ? `Of ${counted(doubts.length, 'item')}: ${doubts[0]}.` : '';
	const description = [told, paidJobsText(missing), unknown].filter(Boolean).join(' ');
	return { message, description };
}

/**
 * The role `output`: makes the items of a durable run, as the node itself would.
 *
 * @throws NodeOperationError if an item has failed and failed items are not given out
 */
export async function makeItems(
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	const { state } = loadState<WorkState>(context, WORK);
	const run = await openDurable(context, state, clock);
	const plans = plansIn(state.plans);
	const results = await Promise.all(
		plans.map(async (plan, itemIndex): Promise<Settled<INodeExecutionData[]>> => {
			if (!('value' in plan)) return plan;
			const result = deserializeResult(state.results[itemIndex] ?? { skipped: true });
			if (!('value' in result)) return result;
			const { operation } = plan.value;
			if (operation.kind !== 'create') return { skipped: true };
			return await attempt(jobItems(run, operation, plan.value, result.value));
		}),
	);
	const { continueOnFail, failedAs } = state;
	try {
		return [outputOf(run, { plans, results, continueOnFail, failedAs })];
	} catch (error) {
		throw withDetailsBelow(error);
	}
}

/** Field of the first item that the execution which hands over the results is started with. */
export const RESUME = 'mediaGenResume';

interface ResumeInput extends Parked {
	caller: Caller;
	/** What the node fails with, if there are no results. */
	error?: ErrorText;
}

/**
 * Starts the execution whose end lets the caller go on.
 *
 * @param items the results; none if there is an error
 * @returns its ID
 */
export async function startResume(
	context: IExecuteFunctions,
	caller: Caller,
	{ error, items = [] }: { error?: ErrorText; items?: INodeExecutionData[] },
): Promise<string> {
	const input: ResumeInput = { version: PARKED_VERSION, caller, ...(error && { error }) };
	const first = { json: { [RESUME]: input as object as IDataObject } };
	return await start(context, caller, 'resume', [first, ...items]);
}

/** Names jobs, so that none is lost (money rule 3). */
export const paidJobsText = (ids: readonly string[]) =>
	ids.length > 0 ? `Paid for: jobs ${ids.join(', ')}.` : '';

/** Time until another check of a caller that waits for something else, in ms. */
const ELSEWHERE_MS = 600_000;

/**
 * The role `resume`: its end hands the results over, and lets the caller go on. n8n does that only if this
 * execution has parked before, but does it whatever the caller waits for by then. So this execution does
 * not end while the caller waits for something else.
 *
 * @throws NodeOperationError if the caller's node is to fail
 */
export async function resumeCaller(
	context: IExecuteFunctions,
	clock: Clock,
): Promise<INodeExecutionData[][]> {
	const memory = context.getContext('node');
	if (!memory.items) {
		memory.items = context.getInputData();
		return await continueAt(context, 0);
	}
	if (!memory.hasParked) {
		memory.hasParked = true;
		return await continueAt(context, clock.now());
	}
	const [first, ...items] = memory.items as unknown as INodeExecutionData[];
	const input = first?.json[RESUME] as object as ResumeInput;
	const { caller } = input;
	// If this execution failed, n8n would take that for the caller's error.
	const looked = await attempt(context.getExecutionDataById(caller.executionId));
	const where = 'value' in looked ? callerState(looked.value, caller) : 'elsewhere';
	if (where === 'elsewhere') return await continueAt(context, clock.now() + ELSEWHERE_MS);
	const error = input.error ?? (isOwnVersion(input) ? undefined : versionMismatch(jobIdsIn(items)));
	if (!error) return [items];
	const { message, description } = error;
	throw new NodeOperationError(context.getNode(), message, { description });
}

const jobIdsIn = (items: readonly INodeExecutionData[]) =>
	items.flatMap(({ json: { jobId } }) => (jobId === undefined ? [] : [String(jobId)]));

/** What the node fails with if another version has parked the run. */
export function versionMismatch(ids: readonly string[]): ErrorText {
	return {
		// The message names the jobs, as n8n keeps only that under *Continue*.
		message: `Another version of n8n-nodes-mediagen has parked this durable run, and this version cannot go on with it. ${paidJobsText(ids)}`,
		description:
			'No more jobs were created. Read those that are paid for with Job > Wait for Completion, and run the workflow again for the other items.',
	};
}
