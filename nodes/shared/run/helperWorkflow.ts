import type { INode, IWorkflowSettings } from 'n8n-workflow';

/** The parts of workflows that this package runs besides that of the user, as a person sees them. */

/** What starts such an execution; what it is started with goes on as it is. */
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

/** A note above the nodes, for whoever opens the execution: n8n's list shows the user's workflow alone. */
export function noteNode(content: string, height = 160): INode {
	return {
		id: 'note',
		name: 'Note',
		type: 'n8n-nodes-base.stickyNote',
		typeVersion: 1,
		position: [-40, -40 - height],
		parameters: { content, width: 560, height },
	};
}

export interface NamedExecution {
	executionId: string;
	workflowId: string;
}

/** An execution, with the way to it, in a note. */
export function linkTo({ executionId, workflowId }: NamedExecution): string {
	return `[execution ${executionId}](/workflow/${workflowId}/executions/${executionId})`;
}

/** Settings that do not depend on those of the user's workflow. */
export const HELPER_SETTINGS: IWorkflowSettings = {
	executionOrder: 'v1',
	saveExecutionProgress: true,
	saveDataErrorExecution: 'all',
	saveDataSuccessExecution: 'all',
	// The time that an execution may take is that of the one that waits, not of those that serve it.
	executionTimeout: -1,
	// 'any' is safe: it has no ID of its own that another workflow could call.
	callerPolicy: 'any',
};
