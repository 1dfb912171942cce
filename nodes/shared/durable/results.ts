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
import { forgetExecution } from '../run/knownExecutions';
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
 * The items are made by an execution of their own, which never parks: only of such a one n8n
 * copies the files to the execution that waits, where they stay as long as that is kept.
 *
 * @returns id of the execution that hands over
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
	// Of an error that a node goes on after, n8n keeps the message alone: the items say more.
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
		// Whether it was created is more than what keeps it from being read.
		const own = doubtIn(order) && error ? textsOf(error, {}) : texts;
		return { json: failedItem(own, told, failedAs), pairedItem: { item } };
	});
}

/** What is wrong, and every job that was paid for (money rule 3), whatever has failed. */
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
 * The role of the execution that makes the items of a durable run, as the node itself would.
 *
 * @throws NodeOperationError where an item has failed and is not to become an item
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

/** What the execution that hands over the results is started with, as its first item. */
export const RESUME = 'mediaGenResume';

interface ResumeInput extends Parked {
	caller: Caller;
	/** What the node is to fail with, in place of results. */
	error?: ErrorText;
}

/**
 * Starts the execution whose end lets the one that waits go on.
 *
 * @param items the results; none beside an error
 * @returns its id
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

/** Until another check of an execution that waits for something else, ms. */
const ELSEWHERE_MS = 600_000;

/**
 * The role of the execution that hands over the results: its end lets the one that waits go on, with
 * what it gives out. n8n does that only where this one has parked before, and whatever the other waits
 * for by then: so this one does not end while that is something else.
 *
 * @throws NodeOperationError where the node is to fail
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
	// An error of this one would be taken for that of the caller.
	const looked = await attempt(context.getExecutionDataById(caller.executionId));
	const where = 'value' in looked ? callerState(looked.value, caller) : 'elsewhere';
	if (where === 'elsewhere') return await continueAt(context, clock.now() + ELSEWHERE_MS);
	const error = input.error ?? (isOwnVersion(input) ? undefined : versionMismatch(jobIdsIn(items)));
	if (!error) {
		// One that was stopped meanwhile gets nothing: its jobs may still be wanted.
		if (where === 'here') forgetExecution(caller);
		return [items];
	}
	const { message, description } = error;
	throw new NodeOperationError(context.getNode(), message, { description });
}

const jobIdsIn = (items: readonly INodeExecutionData[]) =>
	items.flatMap(({ json: { jobId } }) => (jobId === undefined ? [] : [String(jobId)]));

/** What the node is to fail with where another version has parked the run. */
export function versionMismatch(ids: readonly string[]): ErrorText {
	return {
		// Under *Continue*, n8n keeps the message alone.
		// @error(durable) Another version of n8n-nodes-mediagen has parked this durable run
		// Read those jobs with _Job > Wait for Completion_, and run the workflow again for the other items.
		// @charged The jobs that the error names.
		message: `Another version of n8n-nodes-mediagen has parked this durable run, and this version cannot go on with it. ${paidJobsText(ids)}`,
		description:
			'No more jobs were created. Read those that are paid for with Job > Wait for Completion, and run the workflow again for the other items.',
	};
}
