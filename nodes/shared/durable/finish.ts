import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { entriesIn } from '../jobs/ledger';
import { attempt } from '../service/attempt';
import { paidJobsText, startDelivery, type Texts } from './delivery';
import { relay } from './relay';
import { workItem, type WorkState } from './state';

/**
 * Makes the items of a durable run, and starts the execution whose end hands them over.
 *
 * The items are made by an execution of their own, which never parks: only of such a one n8n
 * copies the files to the execution that waits, where they stay as long as that is kept.
 *
 * @returns id of the execution that hands over
 */
export async function finish(context: IExecuteFunctions, state: WorkState): Promise<string> {
	const { waiter } = state;
	const { executionId, workflowId } = waiter;
	const entries = entriesIn(context.getContext('node'));
	const made = await attempt(
		context.executeWorkflow(
			{ code: relay(context.getNode(), 'output', 'dropped') },
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
	return await startDelivery(context, waiter, results);
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
