import type {
	IConnections,
	IDataObject,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	IWorkflowBase,
	IWorkflowSettings,
} from 'n8n-workflow';

import { ROLE_PARAMETER } from '../form/durableRole';
import type { Caller } from './executions';

/**
 * What a node of this package does in the executions that carry a durable run:
 * - `work` creates jobs and polls them, tick by tick
 * - `supervise` checks on the worker, and replaces it when it is stale
 * - `output` makes the finished items, with their files
 * - `resume` hands them to the node that the user sees, and lets that go on
 * - `probe` does nothing: it shows whether such executions can be run here at all
 */
export const ROLES = ['work', 'supervise', 'output', 'resume', 'probe'] as const;
export type Role = (typeof ROLES)[number];

export function isRole(value: unknown): value is Role {
	return (ROLES as readonly unknown[]).includes(value);
}

/** Field of the item that loops in a role workflow. */
export const LOOP = 'mediaGenAgain';

/** Whether n8n keeps an execution that has succeeded. */
type Keeping = 'kept' | 'dropped';

/** How the node in a role is connected, besides that the start leads to it. */
type Shape = 'straight' | 'loop' | 'exit';

const SHAPES: Record<Role, Shape> = {
	// The node leads to itself: it goes round until it gives out nothing.
	work: 'loop',
	supervise: 'loop',
	// It goes round until it gives out results; they leave by another way, as the last ones.
	resume: 'exit',
	output: 'straight',
	probe: 'straight',
};

/**
 * The workflow of an execution that carries a durable run: the user's node in a role. Its progress
 * is saved after each node (*Save execution progress*), so that what one round has done is in n8n's
 * database before the next begins.
 *
 * @param node of the user: its type, parameters and credential
 */
export function roleWorkflow(node: INode, role: Role, keeping: Keeping): IWorkflowBase {
	const name = (part: string) => `${node.name}: ${part}`;
	const start: INode = {
		id: 'start',
		name: name('start'),
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		position: [0, 0],
		parameters: { inputSource: 'passthrough' },
	};
	const own: INode = {
		id: role,
		name: node.name,
		type: node.type,
		typeVersion: node.typeVersion,
		position: [200, 0],
		parameters: { ...node.parameters, [ROLE_PARAMETER]: role },
		credentials: node.credentials,
	};
	const exit: INode = {
		id: 'over',
		name: name('over?'),
		type: 'n8n-nodes-base.if',
		typeVersion: 2,
		position: [400, 0],
		parameters: { conditions: IS_RESULT },
	};
	const results: INode = {
		id: 'results',
		name: name('results'),
		type: 'n8n-nodes-base.noOp',
		typeVersion: 1,
		position: [600, 0],
		parameters: {},
	};
	const shape = SHAPES[role];
	const connections: IConnections = {
		[start.name]: to(own),
		...(shape === 'loop' && { [own.name]: to(own) }),
		...(shape === 'exit' && { [own.name]: to(exit), [exit.name]: to(results, own) }),
	};
	const nodes = [start, own, ...(shape === 'exit' ? [exit, results] : [])];
	const settings = settingsOf(keeping);
	// n8n adds the id: that of the workflow which starts it.
	const workflow = { name: name(role), nodes, connections, settings, active: false };
	return workflow as unknown as IWorkflowBase;
}

const to = (...targets: INode[]) => ({
	main: targets.map(({ name }) => [{ node: name, type: 'main' as const, index: 0 }]),
});

const IS_RESULT = {
	combinator: 'and',
	options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 1 },
	conditions: [
		{
			id: 'isResult',
			leftValue: `={{ $json.${LOOP} !== true }}`,
			rightValue: '',
			operator: { type: 'boolean', operation: 'true', singleValue: true },
		},
	],
};

const settingsOf = (keeping: Keeping): IWorkflowSettings => ({
	executionOrder: 'v1',
	saveExecutionProgress: true,
	saveDataErrorExecution: 'all',
	saveDataSuccessExecution: keeping === 'kept' ? 'all' : 'none',
	// The time that an execution may take is that of the one that waits, not of those that serve it.
	executionTimeout: -1,
	// 'any' is safe: it has no ID of its own that another workflow could call.
	callerPolicy: 'any',
});

/**
 * Starts an execution in a role, and does not wait for it. It stands in n8n's database when this
 * returns. Its end changes nothing for the execution that waits.
 *
 * @param node the one that waits, where that is another
 * @returns its id
 */
export async function start(
	context: IExecuteFunctions,
	{ executionId, workflowId }: Pick<Caller, 'executionId' | 'workflowId'>,
	role: Role,
	json: IDataObject,
	node: INode = context.getNode(),
): Promise<string> {
	const started = await context.executeWorkflow(
		{ code: roleWorkflow(node, role, 'kept') },
		[{ json }],
		undefined,
		{
			doNotWaitToFinish: true,
			parentExecution: { executionId, workflowId, shouldResume: false },
		},
	);
	return started.executionId;
}

/** What a role gives out that has come to its end without a result. */
export const NOTHING: INodeExecutionData[][] = [[]];

/**
 * Goes round once more: at once, or after the execution has parked in n8n's database, where it holds
 * no process and survives a crash. n8n wakes it up at the time given, but checks only once a minute for
 * what is due; the node's input then goes round, not what it has given out.
 *
 * @param till ms since 1970; 0 for at once
 */
export async function continueAt(
	context: IExecuteFunctions,
	till: number,
): Promise<INodeExecutionData[][]> {
	if (till > 0) await context.putExecutionToWait(new Date(till));
	return [[{ json: { [LOOP]: true } }]];
}
