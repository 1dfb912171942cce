import type { INode, IWorkflowSettings } from 'n8n-workflow';

/** Parts of the helper workflows that this package runs besides the user's own, as a person sees them. */

/** The node that such an execution starts with; it passes its input on as it is. */
export function startNode(name: string): INode {
	return {
		id: 'start',
		name,
		type: 'n8n-nodes-base.executeWorkflowTrigger',
		typeVersion: 1.1,
		position: [0, 0],
		parameters: { inputSource: 'passthrough' },
	};
}

/** A note above the nodes, for a person who opens the execution: n8n's list names only the user's workflow. */
export function noteNode(content: string, height: number): INode {
	return {
		id: 'note',
		name: 'Note',
		type: 'n8n-nodes-base.stickyNote',
		typeVersion: 1,
		position: [-40, -40 - height],
		parameters: { content, width: 560, height },
	};
}

/** Any other node. */
export const node = (
	one: Partial<INode> & Pick<INode, 'name' | 'type' | 'typeVersion'>,
): INode => ({
	...{ id: one.name, position: [200, 0], parameters: {} },
	...one,
});

/** From the outputs of a node, in their order, to one node each. */
export const to = (...targets: INode[]) => ({
	main: targets.map(({ name }) => [{ node: name, type: 'main' as const, index: 0 }]),
});

export interface NamedExecution {
	executionId: string;
	workflowId: string;
}

/** A link to an execution, in the Markdown of a note. */
export function linkTo({ executionId, workflowId }: NamedExecution): string {
	return `[execution ${executionId}](/workflow/${workflowId}/executions/${executionId})`;
}

/** Settings that do not depend on those of the user's workflow. */
export const HELPER_SETTINGS: IWorkflowSettings = {
	executionOrder: 'v1',
	saveExecutionProgress: true,
	saveDataErrorExecution: 'all',
	saveDataSuccessExecution: 'all',
	// The user's time-out applies to the execution that waits, not to the helpers that serve it.
	executionTimeout: -1,
	// 'any' is safe: a helper has no ID of its own by which another workflow could call it.
	callerPolicy: 'any',
};
