import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IRunExecutionData,
	IWorkflowBase,
} from 'n8n-workflow';

import { keepLatest } from '../orders/claims';
import { isStillWanted } from '../orders/itemOrder';
import { fingerprint } from '../orders/ledger';
import type { Job } from '../orders/job';
import { adviceOf, doubtIn, jobOf, type OrderFacts } from '../orders/order';
import { stateIn, textIn } from '../orders/readRecord';
import { arranged, flat, flatWithout, promptOf } from '../output/itemFields';
import { jobOutput, originOf, originOfJob } from '../output/jobOutput';
import { attempt } from '../service/attempt';
import type { Body } from '../service/bodies';
import { shownAnswer } from '../service/errorTexts';
import { MODEL_FIELDS } from '../spec/answers';
import {
	HELPER_SETTINGS,
	linkTo,
	noteNode,
	startNode,
	type NamedExecution,
} from './helperWorkflow';
import { unlessFree } from './advice';
import { isTool, planIn, type ItemPlan, type Plans, type Run } from './run';

interface RunOfNode {
	executionId: string;
	node: string;
	runIndex: number;
}

type Plan = Pick<ItemPlan, 'operation' | 'values'>;

/** What is known of a job besides its order in the ledger. */
interface Known {
	itemIndex?: number;
	/** The plan that it was ordered with. */
	plan?: Plan;
	/** Its record as last read; the answer to its creation when absent. */
	record?: Body;
}

/**
 * A job that is paid for, or may be, as the JSON of an item. It is given as last known: the service is not
 * asked.
 */
export function paidJob(
	order: OrderFacts,
	{ executionId, node, runIndex }: RunOfNode,
	{ itemIndex, plan, record = jobOf(order)?.creation ?? {} }: Known = {},
): IDataObject {
	const by = { executionId, node, runIndex, itemIndex, ...(plan && planJson(plan)) };
	const doubt = doubtIn(order);
	if (doubt) {
		const { unknownOutcome, candidates, answer, sent } = doubt;
		const open = {
			prompt: sent?.prompt as string | undefined,
			...(candidates && { mayBeJobs: candidates as object[] as IDataObject[] }),
			...(answer && { answer: shownAnswer(answer) }),
		};
		const told = { ...by, ...unlessFree(adviceOf(order), plan) };
		return arranged({ jobId: null, status: null, unknownOutcome, ...open, ...told }, 'paid');
	}
	const job = jobOf(order) as Job;
	const { id, creation } = job;
	const ended = order.state === 'ended' ? order.ended : undefined;
	const origin =
		plan?.operation.kind === 'create'
			? originOf(plan.operation, plan.values, job)
			: originOfJob(job);
	const seen = { id, creation, record, state: ended ?? stateIn(record), waitedMs: 0 };
	const json = jobOutput(seen, origin, { simplify: true, resultField: '' });
	// How long the node has waited for the job is not known here.
	const known = flatWithout(json, 'waitedMs');
	const createdAt = new Date(job.startedAt).toISOString();
	const advice = unlessFree(adviceOf(order), plan, known.creditsUsed);
	return arranged({ ...known, createdAt, ...by, ...advice }, 'paid');
}

const planJson = ({ operation, values }: Plan): IDataObject => ({
	prompt: promptOf(operation, values) ?? null,
	model: textIn(values, MODEL_FIELDS),
});

/**
 * n8n stores nothing of what a stopped node has done. So its paid jobs go to a separate execution, which n8n
 * stores: a person finds it in the list, and *Job > Get Paid Jobs Back* finds the jobs by the number of
 * either execution. For a node that has failed, n8n stores the node's context, and the jobs in it.
 */

/** Field of a kept item: the workflow whose execution was stopped. */
const KEPT_OF = 'mediaGenStoppedIn';

/** For each stopped execution, the executions that keep its jobs, by a fingerprint of those. Known as long as n8n runs. */
const keptFor = new Map<string, Map<string, string>>();

const MOST_REMEMBERED = 1000;

const keyOf = (workflowId: string, executionId: string) => `${workflowId}:${executionId}`;

/**
 * Stores the paid jobs of a run that was stopped.
 *
 * @returns the number of the execution that has them; `undefined` where there are none, or n8n does
 * not let the node start one
 */
export async function keepPaidJobs(run: Run, plans: Plans): Promise<string | undefined> {
	const jobs = paidJobsIn(run, plans);
	if (jobs.length === 0) return undefined;
	const kept = await attempt(startKeeping(run, jobs));
	return 'error' in kept ? undefined : kept.value;
}

/** @returns the number of the execution that keeps the jobs */
async function startKeeping(
	{ context, executionId }: Run,
	jobs: readonly IDataObject[],
): Promise<string> {
	const workflowId = String(context.getWorkflow().id);
	const key = keyOf(workflowId, executionId);
	const names = fingerprint(jobs.map(nameOfKept));
	// After Stop, n8n still makes the remaining tries of a node with *Retry On Fail*.
	const before = keptFor.get(key)?.get(names);
	if (before !== undefined) return before;
	const code = keepingWorkflow(context.getNode().name, { executionId, workflowId });
	const items = jobs.map((json) => ({ json: { ...json, [KEPT_OF]: workflowId } }));
	const started = await context.executeWorkflow({ code }, items, undefined, {
		doNotWaitToFinish: true,
	});
	const kept = keptFor.get(key) ?? new Map<string, string>();
	keepLatest(keptFor, key, kept.set(names, started.executionId), MOST_REMEMBERED);
	return started.executionId;
}

/** The same for each try of a run. An agent's tool may have two calls at once with the same run and item. */
function nameOfKept(job: IDataObject): unknown[] {
	const { node, runIndex, itemIndex, jobId, unknownOutcome, prompt } = flat(job);
	return [node, runIndex, itemIndex, jobId ?? [unknownOutcome, prompt]];
}

function paidJobsIn(run: Run, plans: Plans): IDataObject[] {
	const by = {
		executionId: run.executionId,
		node: run.context.getNode().name,
		runIndex: run.ledger.runIndex,
	};
	const ofRows = plans.flatMap((settled, itemIndex): IDataObject[] => {
		// A row that can no longer be read may still have been paid for.
		const plan = planIn(settled);
		if (plan && plan.operation.kind !== 'create') return [];
		const order = run.ledger.find(itemIndex, plan?.request);
		if (!order) return [];
		const isOwn = plan && isStillWanted(run, plan, order);
		return [paidJob(order, by, { itemIndex, ...(isOwn && { plan }) })];
	});
	return [...ofRows, ...run.ledger.unasked(plans.length).map((order) => paidJob(order, by))];
}

/** The name of the one node of an execution that keeps paid jobs. */
const KEEPER = /: paid jobs of execution \S+$/;

function keepingWorkflow(node: string, stopped: NamedExecution): IWorkflowBase {
	const name = `${node}: paid jobs of execution ${stopped.executionId}`;
	const note = noteNode(
		`## Paid jobs of ${linkTo(stopped)}\nIt was stopped while the node **${node}** ran. The node below has its paid jobs, one item each; they go on at the service.\n\nTo get their results, click an empty spot of the canvas of this workflow, add **Job > Get Paid Jobs Back** of the same node, enter ${stopped.executionId} as Execution ID, and press **Execute step**: the node waits for the jobs and gives their results. Nothing may lead from the workflow into it: a node before it would run again, and pay again.`,
		240,
	);
	const nodes = [startNode(name), note];
	const workflow = { name, nodes, connections: {}, settings: HELPER_SETTINGS, active: false };
	// n8n adds the ID of the workflow that starts it.
	return workflow as unknown as IWorkflowBase;
}

/** Where a failed run keeps its paid jobs in the node's context, which n8n stores with the execution. */
const LEFT_BY_FAILURE = 'mediaGenPaid';

interface LeftByFailure {
	/** The workflow that has failed; checked, since n8n lets a node read the executions of everybody. */
	workflowId: string;
	jobs: IDataObject[];
}

/** Leaves the paid jobs of a run that has failed where *Job > Get Paid Jobs Back* finds them. */
export function leavePaidJobs(run: Run, plans: Plans): void {
	const jobs = paidJobsIn(run, plans);
	// Each call of an agent's tool is a run, and the agent goes on after one that has failed.
	if (jobs.length === 0 || isTool(run.context)) return;
	const left: LeftByFailure = { workflowId: String(run.context.getWorkflow().id), jobs };
	run.context.getContext('node')[LEFT_BY_FAILURE] = left as object as IDataObject;
}

/** Forgets what was left, since the run that begins takes it over: a retry of the node, or of the execution. */
export function takeUpPaidJobs(run: Run): void {
	delete run.context.getContext('node')[LEFT_BY_FAILURE];
}

/**
 * The paid jobs of an execution of this workflow that was stopped, or has failed.
 *
 * @param executionId its number, or that of the execution that keeps them
 * @returns `undefined` where none are known
 */
export async function keptJobsOf(
	context: IExecuteFunctions,
	executionId: string,
): Promise<IDataObject[] | undefined> {
	const workflowId = String(context.getWorkflow().id);
	const ids = keptFor.get(keyOf(workflowId, executionId))?.values() ?? [executionId];
	const jobs: IDataObject[] = [];
	for (const id of ids) {
		const data = await context.getExecutionDataById(id);
		jobs.push(...keptIn(data, workflowId), ...leftIn(data, workflowId));
	}
	return jobs.length > 0 ? jobs : undefined;
}

/** The jobs that a failed run has left. */
function leftIn(data: IRunExecutionData | undefined, workflowId: string): IDataObject[] {
	const memories = Object.values(data?.executionData?.contextData ?? {});
	return memories.flatMap((memory) => {
		const left = memory[LEFT_BY_FAILURE] as object as LeftByFailure | undefined;
		return left?.workflowId === workflowId ? left.jobs : [];
	});
}

/** The jobs that were kept for a stopped run, if it was of the workflow that asks. */
function keptIn(data: IRunExecutionData | undefined, workflowId: string): IDataObject[] {
	// Only from the node that keeps jobs: an item of any other may have such a field by chance.
	const runs = Object.entries(data?.resultData.runData ?? {}).flatMap(([name, one]) =>
		KEEPER.test(name) ? one : [],
	);
	const items: INodeExecutionData[] = runs.flatMap((one) => one.data?.main?.[0] ?? []);
	return items.flatMap(({ json: { [KEPT_OF]: keptOf, ...job } }) =>
		keptOf === workflowId ? [job] : [],
	);
}
