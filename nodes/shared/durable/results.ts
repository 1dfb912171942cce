import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Clock } from '../clock/clock';
import { Batch, NotStarted } from '../jobs/batch';
import { entriesIn } from '../jobs/ledger';
import { outputOf } from '../run/outputOf';
import { jobItems } from '../run/runCreate';
import { attempt } from '../service/attempt';
import { paidJobsText, startResume, type Texts } from './resumeCaller';
import { roleWorkflow } from './roleWorkflow';
import { deserializePlan, deserializeResult } from './serialize';
import { loadState, recall, WORK, workItem, type WorkState } from './state';
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
			{ code: roleWorkflow(context.getNode(), 'output', 'dropped') },
			[{ json: workItem({ state, entries }) }],
			undefined,
			{ parentExecution: { executionId, workflowId, shouldResume: false } },
		),
	);
	const error = 'error' in made ? textsOf(made.error, entries) : undefined;
	const items = 'value' in made ? (made.value.data[0] ?? []) : [];
	// Of an error that a node goes on after, n8n keeps the message alone: the items say more.
	const failed = error && state.continueOnFail ? errorItems(state, error) : undefined;
	const results = failed || !error ? { items: failed ?? items } : { error };
	return await startResume(context, caller, results);
}

function errorItems({ plans }: WorkState, { message, description }: Texts): INodeExecutionData[] {
	return plans.map((_, item) => ({
		json: { error: message, details: { description } },
		pairedItem: { item },
	}));
}

/** What is wrong, and every job that was paid for (money rule 3), whatever has failed. */
function textsOf(error: unknown, entries: ReturnType<typeof entriesIn>): Texts {
	const { message, description } = error as { message: string; description?: unknown };
	const told = typeof description === 'string' ? description : '';
	const missing = Object.values(entries)
		.flatMap(({ job }) => (job ? [job.id] : []))
		.filter((id) => !`${message} ${told}`.includes(id));
	return { message, description: [told, paidJobsText(missing)].filter(Boolean).join(' ') };
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
	loadState(context, WORK);
	const state = recall<WorkState>(context, WORK);
	const run = await openDurable(context, state, clock);
	const plans = state.plans.map(deserializePlan);
	const results = await new Batch(true).settle(
		[...plans.entries()],
		async ([itemIndex, plan]) => {
			if ('error' in plan) throw plan.error;
			const result = deserializeResult(state.results[itemIndex] ?? { skipped: true });
			if ('error' in result) throw result.error;
			if ('skipped' in plan || 'skipped' in result) throw new NotStarted();
			const { operation } = plan.value;
			if (operation.kind !== 'create') throw new NotStarted();
			return await jobItems(run, operation, plan.value, result.value);
		},
		Infinity,
	);
	return outputOf(run, { plans, results, continueOnFail: state.continueOnFail });
}
