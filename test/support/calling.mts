import { randomUUID } from 'node:crypto';

import type { Workflow, WorkflowNode } from '../../tools/lib/n8nClient.mts';
import type { ChainNode, N8nRuns } from './n8nRuns.mts';
import { isN8nBefore } from './n8nVersion.mts';

/** Workflows that others call. */

/** One with this node. */
export function calledWorkflow(worker: ChainNode): Workflow {
	const start = {
		...{ name: 'Called', type: 'n8n-nodes-base.executeWorkflowTrigger', typeVersion: 1.1 },
		parameters: { inputSource: 'passthrough' },
	};
	const nodes = [start, worker].map((node, x) => ({
		...{ id: randomUUID(), position: [x * 200, 0], ...node },
	}));
	return {
		name: randomUUID(),
		settings: { executionOrder: 'v1' },
		nodes: nodes as WorkflowNode[],
		connections: { Called: { main: [[{ node: worker.name, type: 'main', index: 0 }]] } },
	};
}

/** Saves it so that it can be called; gives where a calling node has it from. */
export async function savedWorkflow({ client }: N8nRuns, worker: ChainNode): Promise<object> {
	const saved = await client.createWorkflow(calledWorkflow(worker));
	await client.activate(saved).catch((error: unknown) => {
		// Older versions call what is saved, and activate only what starts by itself.
		if (!isN8nBefore('2.33')) throw error;
	});
	return { source: 'database', workflowId: { __rl: true, mode: 'id', value: saved.id } };
}

/** The node that calls one. @param source where it has that from */
export const callNode = (source: object, mode = 'once'): ChainNode => ({
	...{ name: 'Call', type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2 },
	parameters: {
		mode,
		...source,
		workflowInputs: { mappingMode: 'defineBelow', value: {} },
		options: {},
	},
});
