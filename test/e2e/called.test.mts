import { outputsOf } from '../../tools/lib/n8nClient.mts';
import { calledWorkflow, callNode, savedWorkflow } from '../support/calling.mts';
import { nodesOf, parameters, prompts, promptsOf } from '../support/imageBatch.mts';
import { useSharedN8n } from '../support/useRealN8n.mts';

/** A node of a sub-workflow that has failed: what a retry of the workflow that calls it pays for. */

const n8n = useSharedN8n({ sandbox: { jobMs: { min: 300, max: 300 }, queuedMs: 0 } });

jest.setTimeout(120_000);

const ITEMS = prompts(4);
const ALL = ITEMS.map(({ prompt }) => prompt);

const worker = () => ({
	...{ name: 'MediaGen', type: 'n8n-nodes-mediagen.mediaGenImage', typeVersion: 1, parameters },
	credentials: { mediaGenApi: n8n.credential },
});

/** Where the calling node has the workflow from. */
const SOURCES = {
	id: async () => await savedWorkflow(n8n, worker()),
	inline: async () => ({
		source: 'parameter',
		workflowJson: JSON.stringify(calledWorkflow(worker())),
	}),
};

const paidFor = () => n8n.sandbox.jobs.map(({ body }) => body.prompt).sort();

describe.each(['id', 'inline'] as const)('called by %s', (source) => {
	/** Calls it; the creation of the last image is refused once. */
	async function call(settings: object) {
		n8n.sandbox.faults.add({
			match: { kind: 'create', bodyPattern: 'image 4' },
			fault: { kind: 'status', status: 403 },
			times: 1,
		});
		const calling = { ...callNode(await SOURCES[source]()), ...settings };
		return await n8n.runChain([...nodesOf(ITEMS), calling]);
	}

	test('with Retry On Fail on the calling node: none is paid for twice', async () => {
		const execution = await call({ retryOnFail: true, maxTries: 2, waitBetweenTries: 100 });
		expect(execution.status).toBe('success');
		expect(promptsOf(n8n.sandbox, outputsOf(execution, 'Call')[0])).toEqual(ALL);
		expect(paidFor()).toEqual(ALL);
	});

	test('the error says which execution to retry, and that pays for what is missing', async () => {
		const { status, error } = await call({});
		expect(status).toBe('error');
		expect(paidFor().length).toBeLessThan(ALL.length);
		const [, named = ''] = /Retry execution (\d+)/.exec(error.description) ?? [];
		const retry = await n8n.client.retryExecution(named);
		const retried = await n8n.client.waitForExecution(retry);
		expect(retried.status).toBe('success');
		expect(promptsOf(n8n.sandbox, outputsOf(retried, 'MediaGen')[0])).toEqual(ALL);
		expect(paidFor()).toEqual(ALL);
	});
});
