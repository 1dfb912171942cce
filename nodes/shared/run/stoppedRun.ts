import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IRunExecutionData,
	IWorkflowBase,
} from 'n8n-workflow';

import type { Settled } from '../jobs/batch';
import { attempt } from '../service/attempt';
import { HELPER_SETTINGS, linkTo, noteNode, startNode } from './helperWorkflow';
import { paidJob } from './paidJob';
import type { ItemPlan, Run } from './run';

/**
 * n8n stores nothing of what a stopped node has done. So its paid jobs are given to an execution of
 * their own, which n8n stores: a person finds it in the list, and *Job > Recover From Execution* by the
 * number of either.
 */

/** Field of the items kept: the workflow whose execution was stopped. */
const KEPT_OF = 'mediaGenStoppedIn';

/** Where the jobs of stopped executions are kept: the numbers of executions, as long as n8n runs. */
const keptFor = new Map<string, string[]>();

/** So many stopped executions are remembered. */
const MOST_REMEMBERED = 1000;

const keyOf = (workflowId: string, executionId: string) => `${workflowId}:${executionId}`;

/**
 * Stores the paid jobs of a run that was stopped.
 *
 * @returns the number of the execution that has them; `undefined` where there are none, or n8n does
 * not let the node start one
 */
export async function keepPaidJobs(
	run: Run,
	plans: ReadonlyArray<Settled<ItemPlan>>,
): Promise<string | undefined> {
	const jobs = paidJobsIn(run, plans);
	if (jobs.length === 0) return undefined;
	const kept = await attempt(startKeeping(run, jobs));
	return 'value' in kept ? kept.value : undefined;
}

/** @returns the number of the execution */
async function startKeeping(
	{ context, executionId }: Run,
	jobs: readonly IDataObject[],
): Promise<string> {
	const workflowId = String(context.getWorkflow().id);
	const code = keepingWorkflow(context.getNode().name, { executionId, workflowId });
	const items = jobs.map((json) => ({ json: { ...json, [KEPT_OF]: workflowId } }));
	const started = await context.executeWorkflow({ code }, items, undefined, {
		doNotWaitToFinish: true,
	});
	const key = keyOf(workflowId, executionId);
	keptFor.set(key, [...(keptFor.get(key) ?? []), started.executionId]);
	const [oldest] = keptFor.keys();
	if (keptFor.size > MOST_REMEMBERED && oldest !== undefined) keptFor.delete(oldest);
	return started.executionId;
}

function paidJobsIn(run: Run, plans: ReadonlyArray<Settled<ItemPlan>>): IDataObject[] {
	const by = {
		executionId: run.executionId,
		node: run.context.getNode().name,
		runIndex: run.ledger.runIndex,
	};
	return plans.flatMap((plan): IDataObject[] => {
		if (!('value' in plan) || plan.value.operation.kind !== 'create') return [];
		const order = run.ledger.find(plan.value.itemIndex, plan.value.request);
		return order ? [paidJob(order, by, { plan: plan.value })] : [];
	});
}

function keepingWorkflow(
	node: string,
	stopped: { executionId: string; workflowId: string },
): IWorkflowBase {
	const name = `${node}: paid jobs of execution ${stopped.executionId}`;
	const note = noteNode(
		`## Paid jobs of ${linkTo(stopped)}\nIt was stopped while the node **${node}** ran. The node below has its paid jobs, one item each; they go on at the service. To get their results, click an empty spot of the canvas of this workflow and add **Job > Recover From Execution** of the same node, with Execution ID ${stopped.executionId}, then **Job > Wait for Completion** after it. Press **Execute step** in the second one. Nothing may lead from the workflow into these two: a node before them would run again, and pay again.`,
		240,
	);
	const nodes = [startNode(name), note];
	const workflow = { name, nodes, connections: {}, settings: HELPER_SETTINGS, active: false };
	// n8n adds the id: that of the workflow which starts it.
	return workflow as unknown as IWorkflowBase;
}

/**
 * The paid jobs of an execution of this workflow that was stopped.
 *
 * @param executionId its number, or that of the execution that keeps them
 * @returns `undefined` where none are known
 */
export async function stoppedJobsOf(
	context: IExecuteFunctions,
	executionId: string,
): Promise<IDataObject[] | undefined> {
	const workflowId = String(context.getWorkflow().id);
	const ids = keptFor.get(keyOf(workflowId, executionId)) ?? [executionId];
	const jobs: IDataObject[] = [];
	for (const id of ids) jobs.push(...keptIn(await context.getExecutionDataById(id), workflowId));
	return jobs.length > 0 ? jobs : undefined;
}

/** Only of the workflow that asks: n8n lets a node read the executions of everybody. */
function keptIn(data: IRunExecutionData | undefined, workflowId: string): IDataObject[] {
	const runs = Object.values(data?.resultData.runData ?? {}).flat();
	const items: INodeExecutionData[] = runs.flatMap((one) => one.data?.main?.[0] ?? []);
	return items.flatMap(({ json: { [KEPT_OF]: keptOf, ...job } }) =>
		keptOf === workflowId ? [job] : [],
	);
}
