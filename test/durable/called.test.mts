import { randomUUID } from 'node:crypto';

import { TIME_LAPSE } from '../../tools/lib/lapsedTime.mts';
import { outputsOf, type Execution, type WorkflowNode } from '../../tools/lib/n8nClient.mts';
import { parameters, prompts } from '../support/imageBatch.mts';
import { isN8nBefore } from '../support/n8nVersion.mts';
import type { ChainNode } from '../support/realN8n.mts';
import { useRealN8n } from '../support/useRealN8n.mts';

/** A workflow with a durable node, called by another one. */

const n8n = useRealN8n({
	timeLapse: isN8nBefore('2.33') ? 1 : TIME_LAPSE,
	sandbox: { jobMs: { min: 5_000, max: 5_000 } },
});

jest.setTimeout(120_000);

const node = (name: string, type: string, typeVersion: number, parameters: object): ChainNode => ({
	name,
	type,
	typeVersion,
	parameters,
});

const call = (id: string, mode = 'once') =>
	node('Call', 'n8n-nodes-base.executeWorkflow', 1.2, {
		mode,
		workflowId: { __rl: true, mode: 'id', value: id },
		workflowInputs: { mappingMode: 'defineBelow', value: {} },
		options: {},
	});

/** A workflow that others call, with one node; gives its id. */
async function called(worker: ChainNode): Promise<string> {
	const saved = await n8n.client.createWorkflow({
		name: randomUUID(),
		settings: { executionOrder: 'v1' },
		nodes: [
			node('Called', 'n8n-nodes-base.executeWorkflowTrigger', 1.1, { inputSource: 'passthrough' }),
			worker,
		] as WorkflowNode[],
		connections: { Called: { main: [[{ node: worker.name, type: 'main', index: 0 }]] } },
	});
	await n8n.client.activate(saved).catch((error: unknown) => {
		// Older versions call what is saved, and activate only what starts by itself.
		if (!isN8nBefore('2.33')) throw error;
	});
	return saved.id;
}

const durable = async (): Promise<string> =>
	await called({
		...node('MediaGen', 'n8n-nodes-mediagen.mediaGenImage', 1, {
			...parameters,
			options: { waitMode: 'durable' },
		}),
		credentials: { mediaGenApi: n8n.credential },
	});

const run = async (items: object[], calling: ChainNode) =>
	await n8n.runChain([
		node('Items', 'n8n-nodes-base.set', 3.4, {
			mode: 'raw',
			jsonOutput: JSON.stringify({ items }),
			options: {},
		}),
		node('Split', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'items', options: {} }),
		calling,
		node('After', 'n8n-nodes-base.noOp', 1, {}),
	]);

const jobIdsAfter = (execution: Execution) =>
	(outputsOf(execution, 'After')[0] ?? []).map(({ json }) => json.jobId).sort();

test.each(['once', 'each'])('called in the mode %s: all results come back', async (mode) => {
	const execution = await run(prompts(3), call(await durable(), mode));
	expect(execution.status).toBe('success');
	expect(n8n.sandbox.account.charges).toHaveLength(3);
	expect(jobIdsAfter(execution)).toEqual(n8n.sandbox.jobs.map(({ id }) => id).sort());
});

test('called by a workflow that is called itself: all results come back', async () => {
	const execution = await run(prompts(3), call(await called(call(await durable()))));
	expect(execution.status).toBe('success');
	expect(jobIdsAfter(execution)).toEqual(n8n.sandbox.jobs.map(({ id }) => id).sort());
});

test('a failed job ends the workflow that calls the one that calls', async () => {
	const execution = await run([{ prompt: 'x [fail]' }], call(await called(call(await durable()))));
	expect(execution.status).toBe('error');
	expect(execution.error.message).toContain(n8n.sandbox.jobs[0]!.id);
});
