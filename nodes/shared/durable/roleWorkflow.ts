import type {
	IConnections,
	IExecuteFunctions,
	INode,
	INodeExecutionData,
	IWorkflowBase,
} from 'n8n-workflow';

import { ROLE_PARAMETER } from '../parameters/names';
import {
	HELPER_SETTINGS,
	linkTo,
	type NamedExecution,
	noteNode,
	startNode,
} from '../run/helperWorkflow';
import { parkedTill } from './executions';

interface RoleFacts {
	/** What a person reads about an execution in this role. */
	name: string;
	does: string;
	/** Where the node's output leads; a loop ends when the node gives out nothing. */
	way: 'straight' | 'loop' | 'exit';
	/** n8n keeps an execution in this role even if it succeeds. */
	isKept?: boolean;
	/** Its end lets its parent go on. */
	wakesParent?: boolean;
}

/** What a node of this package does in the executions that carry a durable run. */
const FACTS = {
	work: {
		name: 'worker',
		does: 'creates the jobs and checks them',
		way: 'loop',
		isKept: true,
	},
	supervise: {
		name: 'supervisor',
		does: 'replaces the worker, should n8n end while that is at work',
		way: 'loop',
	},
	output: { name: 'results', does: 'makes the items and their files', way: 'straight' },
	// It loops until it gives out results. They leave the loop, so that they are the workflow's last output.
	resume: { name: 'hand-over', does: 'hands the items over', way: 'exit', wakesParent: true },
	wake: { name: 'wake-up', does: 'lets the standby look now', way: 'straight', wakesParent: true },
	probe: {
		name: 'probe',
		does: 'shows that n8n lets the node start executions',
		way: 'straight',
	},
} satisfies Record<string, RoleFacts>;

export type Role = keyof typeof FACTS;
export const ROLES = Object.keys(FACTS) as readonly Role[];

export function isRole(value: unknown): value is Role {
	return (ROLES as readonly unknown[]).includes(value);
}

/** Field of the item that loops in a role workflow, or that starts one which needs no input. */
export const LOOP = 'mediaGenAgain';
export const again = (): INodeExecutionData[] => [{ json: { [LOOP]: true } }];

/**
 * The workflow of an execution that carries a durable run: the user's node in a role. n8n saves its
 * progress after each node (*Save execution progress*), so that what one round has done is in the
 * database before the next begins.
 *
 * @param node the user's, for its type, parameters and credential
 * @param caller the execution that it works for
 */
export function roleWorkflow(node: INode, role: Role, caller: NamedExecution): IWorkflowBase {
	const name = (part: string) => `${node.name}: ${part}`;
	const facts: RoleFacts = FACTS[role];
	const start = startNode(name(`${facts.name} for execution ${caller.executionId}`));
	const note = noteNode(
		`## Works for ${linkTo(caller)}\nThere, the node **${node.name}** waits durably. This execution, the ${facts.name}, ${facts.does}. It ends by itself. If n8n shows it in red, n8n ended while it was at work: that is normal, and another one takes its place. Do not retry it.`,
		200,
	);
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
	const { way } = facts;
	const connections: IConnections = {
		[start.name]: to(own),
		...(way === 'loop' && { [own.name]: to(own) }),
		...(way === 'exit' && { [own.name]: to(exit), [exit.name]: to(results, own) }),
	};
	const nodes = [start, own, ...(way === 'exit' ? [exit, results] : []), note];
	const settings = {
		...HELPER_SETTINGS,
		saveDataSuccessExecution: facts.isKept ? 'all' : 'none',
	};
	// n8n adds the ID of the workflow that starts it.
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

/**
 * Starts an execution in a role, and does not wait for it. It is in n8n's database when this returns.
 *
 * @param items what it begins with
 * @param parent the execution whose child it is, if that is not the caller
 * @returns its ID
 */
export async function start(
	context: IExecuteFunctions,
	caller: NamedExecution,
	role: Role,
	items: INodeExecutionData[],
	{ parent = caller.executionId }: { parent?: string } = {},
): Promise<string> {
	const { wakesParent = false }: RoleFacts = FACTS[role];
	const { workflowId } = caller;
	const started = await context.executeWorkflow(
		{ code: roleWorkflow(context.getNode(), role, caller) },
		items,
		undefined,
		{
			doNotWaitToFinish: true,
			parentExecution: { executionId: parent, workflowId, shouldResume: wakesParent },
		},
	);
	return started.executionId;
}

/** A standby that is due within this time, in ms, is not woken up: n8n checks for what is due once a minute. */
const DUE_SOON_MS = 60_000;

/**
 * Lets a parked standby look now, so that it ends or takes over. It gets a child, because in n8n the end of an
 * execution that had parked lets its parent go on.
 *
 * @param id ID of the standby
 * @param now ms since 1970
 */
export async function wakeStandby(
	context: IExecuteFunctions,
	caller: NamedExecution,
	id: string,
	now: number,
): Promise<void> {
	if (parkedTill(await context.getExecutionDataById(id)) <= now + DUE_SOON_MS) return;
	await start(context, caller, 'wake', again(), { parent: id });
}

/** What a role gives out when it ends without a result. */
export const NOTHING: INodeExecutionData[][] = [[]];

/**
 * Lets the node run once more: at once, or after the execution has parked in n8n's database, where it needs
 * no process and survives a crash. n8n wakes it up at the given time, but checks only once a minute for
 * what is due. After a park, the node gets its own input again, not what it gave out.
 *
 * @param till ms since 1970; 0 for at once
 */
export async function continueAt(
	context: IExecuteFunctions,
	till: number,
): Promise<INodeExecutionData[][]> {
	if (till > 0) await context.putExecutionToWait(new Date(till));
	return [again()];
}
