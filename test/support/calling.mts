import { randomUUID } from 'node:crypto';

import type { Workflow, WorkflowNode } from '../../tools/lib/n8nClient.mts';
import { connectionsOf, n8nNode } from '../../tools/lib/workflowNodes.mts';
import type { N8nRuns } from './n8nRuns.mts';
import { isN8nBefore } from './useRealN8n.mts';

/** Workflows that others call. */

/** One with this node. */
export const calledWorkflow = (worker: WorkflowNode): Workflow => ({
	name: randomUUID(),
	settings: { executionOrder: 'v1', callerPolicy: 'workflowsFromSameOwner' },
	nodes: [
		n8nNode('Called', 'executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
		worker,
	].map((node, x) => ({ id: randomUUID(), position: [x * 200, 0], ...node })),
	connections: connectionsOf([['Called', worker.name]]),
});

/** Saves it so that it can be called; gives where a calling node has it from. */
export async function savedWorkflow({ client }: N8nRuns, worker: WorkflowNode): Promise<object> {
	const saved = await client.createWorkflow(calledWorkflow(worker));
	await client.activate(saved).catch((error: unknown) => {
		// Older versions call what is saved, and activate only what starts by itself.
		if (!isN8nBefore('2.33')) throw error;
	});
	return { source: 'database', workflowId: { __rl: true, mode: 'id', value: saved.id } };
}

/** The node that calls one. @param source where it has that from */
export const callNode = (source: object, mode = 'once'): WorkflowNode =>
	n8nNode('Call', 'executeWorkflow', 1.2, {
		...{ mode, ...source },
		workflowInputs: { mappingMode: 'defineBelow', value: {} },
		options: {},
	});
