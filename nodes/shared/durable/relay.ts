import type { IConnections, INode, IWorkflowBase, IWorkflowSettings } from 'n8n-workflow';

import { ROLE_PARAMETER, type Role } from './role';

/** Field of the item that goes round in a relay. */
export const AGAIN = 'mediaGenAgain';

/** Whether n8n keeps an execution that has succeeded. */
type Keeping = 'kept' | 'dropped';

/** How the node in a role is connected, besides that the start leads to it. */
type Shape = 'straight' | 'loop' | 'exit';

const SHAPES: Record<Role, Shape> = {
	// The node leads to itself: it goes round until it gives out nothing.
	work: 'loop',
	watch: 'loop',
	// It goes round until it gives out results; they leave by another way, as the last ones.
	deliver: 'exit',
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
export function relay(node: INode, role: Role, keeping: Keeping): IWorkflowBase {
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
			leftValue: `={{ $json.${AGAIN} !== true }}`,
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
	// The node's own workflow is the only one that can start it.
	callerPolicy: 'any',
});
