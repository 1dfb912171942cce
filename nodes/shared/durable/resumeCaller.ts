import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { callerState, readExecution, type Caller } from './executions';
import { continueAt, roleWorkflow } from './roleWorkflow';
import { isOwnVersion, PARKED_VERSION, type Parked } from './version';

/** What the execution that hands over the results is started with, as its first item. */
export const RESUME = 'mediaGenResume';

export interface ResumeInput extends Parked {
	caller: Caller;
	/** What the node is to fail with, in place of results. */
	error?: Texts;
}

/** An error in words. */
export interface Texts {
	message: string;
	description: string;
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
	{ error, items = [] }: { error?: Texts; items?: INodeExecutionData[] },
): Promise<string> {
	const { executionId, workflowId } = caller;
	const input: ResumeInput = { version: PARKED_VERSION, caller, ...(error && { error }) };
	const started = await context.executeWorkflow(
		{ code: roleWorkflow(context.getNode(), 'resume', 'dropped') },
		[{ json: { [RESUME]: input as object as IDataObject } }, ...items],
		undefined,
		{
			doNotWaitToFinish: true,
			parentExecution: { executionId, workflowId, shouldResume: true },
		},
	);
	return started.executionId;
}

/** Names jobs, so that none is lost (money rule 3). */
export const paidJobsText = (ids: readonly string[]) =>
	ids.length > 0 ? `Paid for: jobs ${ids.join(', ')}.` : '';

/** Until another check of an execution that waits for something else, ms. */
const ELSEWHERE_MS = 600_000;

/**
 * The role of the execution that hands over the results: its end lets the one that waits go on, with
 * what it gives out. n8n does that only for executions that have parked; and for whatever the other
 * waits for then, so this one does not end while that is something else.
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
	const where = callerState(await readExecution(context, caller.executionId), caller);
	if (where === 'elsewhere') return await continueAt(context, clock.now() + ELSEWHERE_MS);
	const error = input.error ?? (isOwnVersion(input) ? undefined : versionMismatch(jobIdsIn(items)));
	if (!error) return [items];
	const { message, description } = error;
	throw new NodeOperationError(context.getNode(), message, { description });
}

const jobIdsIn = (items: readonly INodeExecutionData[]) =>
	items.flatMap(({ json: { jobId } }) => (jobId === undefined ? [] : [String(jobId)]));

/** What the node is to fail with where another version has parked the run. */
export function versionMismatch(ids: readonly string[]): Texts {
	return {
		// Under *Continue*, n8n keeps the message alone.
		message: `Another version of n8n-nodes-mediagen has parked this durable run, and this version cannot go on with it. ${paidJobsText(ids)}`,
		description:
			'No more jobs were created. Read those that are paid for with Job > Wait for Completion, and run the workflow again for the other items.',
	};
}
