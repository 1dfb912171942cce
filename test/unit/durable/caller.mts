import type { Caller } from '../../../nodes/shared/durable/executions.ts';

/** The node that waits for a durable run, and its run. */
export const NODE = 'Images';

export const CALLER: Caller = {
	executionId: 'caller',
	workflowId: 'w',
	node: NODE,
	runIndex: 0,
	runId: 'mine',
};
