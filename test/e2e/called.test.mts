import { randomUUID } from 'node:crypto';

import { outputsOf, type Execution, type WorkflowNode } from '../../tools/lib/n8nClient.mts';
import { parameters, prompts, promptsOf } from '../support/imageBatch.mts';
import { isN8nBefore } from '../support/n8nVersion.mts';
import type { ChainNode } from '../support/realN8n.mts';
import { useSharedN8n } from '../support/useRealN8n.mts';

/** A node of a sub-workflow that has failed: what a retry of the workflow that calls it pays for. */

const n8n = useSharedN8n({ sandbox: { jobMs: { min: 300, max: 300 }, queuedMs: 0 } });

jest.setTimeout(120_000);

const ITEMS = prompts(4);
const ALL = ITEMS.map(({ prompt }) => prompt);
const TRIES = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };

/** The workflow that is called, with one node. */
function called() {
	const { id, name } = n8n.credential;
	const nodes = [
		{
			name: 'Called',
			type: 'n8n-nodes-base.executeWorkflowTrigger',
			typeVersion: 1.1,
			parameters: { inputSource: 'passthrough' },
		},
		{
			name: 'MediaGen',
			type: 'n8n-nodes-mediagen.mediaGenImage',
			typeVersion: 1,
			parameters,
			credentials: { mediaGenApi: { id, name } },
		},
	];
	return {
		name: randomUUID(),
		settings: { executionOrder: 'v1' },
		nodes: nodes.map(
			(node, x): WorkflowNode => ({
				id: randomUUID(),
				position: [x * 200, 0],
				...node,
			}),
		),
		connections: { Called: { main: [[{ node: 'MediaGen', type: 'main', index: 0 }]] } },
	};
}

/** Where the calling node has that workflow from. */
const SOURCES = {
	id: async () => {
		const saved = await n8n.client.createWorkflow(called());
		// In 1.x, a workflow that only others call is ready as it is, and cannot be activated.
		if (!isN8nBefore('2.0')) await n8n.client.activate(saved);
		return { source: 'database', workflowId: { __rl: true, mode: 'id', value: saved.id } };
	},
	inline: async () => ({ source: 'parameter', workflowJson: JSON.stringify(called()) }),
};

/** Calls it; the creation of the last image is refused once. */
async function call(source: keyof typeof SOURCES, settings: object, mode = 'once') {
	n8n.sandbox.faults.add({
		match: { kind: 'create', bodyPattern: 'image 4' },
		fault: { kind: 'status', status: 403 },
		times: 1,
	});
	const calling: ChainNode = {
		name: 'Call',
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.2,
		parameters: {
			mode,
			...(await SOURCES[source]()),
			workflowInputs: { mappingMode: 'defineBelow', value: {} },
			options: {},
		},
		...settings,
	};
	return await n8n.runChain([
		{
			name: 'Items',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: JSON.stringify({ items: ITEMS }), options: {} },
		},
		{
			name: 'Split',
			type: 'n8n-nodes-base.splitOut',
			typeVersion: 1,
			parameters: { fieldToSplitOut: 'items', options: {} },
		},
		calling,
	]);
}

const paidFor = () => n8n.sandbox.jobs.map(({ body }) => body.prompt).sort();

/** The execution that the error says to retry. */
const namedIn = ({ error }: Execution) =>
	/Retry execution (\d+)/.exec(error.description)?.[1] ?? '';

test.each(['id', 'inline'] as const)(
	'called by %s, with Retry On Fail on the calling node: none is paid for twice',
	async (source) => {
		const execution = await call(source, TRIES);
		expect(execution.status).toBe('success');
		expect(promptsOf(n8n.sandbox, outputsOf(execution, 'Call')[0])).toEqual(ALL);
		expect(paidFor()).toEqual(ALL);
	},
);

test.each(['id', 'inline'] as const)(
	'called by %s: the error says which execution to retry, and that pays for what is missing',
	async (source) => {
		const execution = await call(source, {});
		expect(execution.status).toBe('error');
		const known = paidFor();
		expect(known.length).toBeLessThan(ALL.length);
		const retry = await n8n.client.retryExecution(namedIn(execution));
		const retried = await n8n.client.waitForExecution(retry);
		expect(retried.status).toBe('success');
		expect(promptsOf(n8n.sandbox, outputsOf(retried, 'MediaGen')[0])).toEqual(ALL);
		expect(paidFor()).toEqual(ALL);
	},
);

test('as the error says, Retry execution of the calling workflow pays for all items again', async () => {
	const execution = await call('id', {});
	const known = paidFor();
	expect(execution.error.description).toContain('of the calling workflow pays for all items again');
	const retry = await n8n.client.retryExecution(execution.id);
	expect((await n8n.client.waitForExecution(retry)).status).toBe('success');
	expect(paidFor()).toEqual([...known, ...ALL].sort());
});

test('once for each item, Retry On Fail calls again what had succeeded, and that is paid for again', async () => {
	const execution = await call('id', TRIES, 'each');
	expect(execution.status).toBe('success');
	expect(paidFor()).toEqual([...ALL.slice(0, 3), ...ALL].sort());
});
