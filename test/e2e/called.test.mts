import { outputsOf, type Execution } from '../../tools/lib/n8nClient.mts';
import { calledWorkflow, callNode, savedWorkflow } from '../support/calling.mts';
import { nodesOf, parameters, prompts, promptsOf } from '../support/imageBatch.mts';
import { useSharedN8n } from '../support/useRealN8n.mts';

/** A node of a sub-workflow that has failed: what a retry of the workflow that calls it pays for. */

const n8n = useSharedN8n({ sandbox: { jobMs: { min: 300, max: 300 }, queuedMs: 0 } });

jest.setTimeout(120_000);

const ITEMS = prompts(4);
const ALL = ITEMS.map(({ prompt }) => prompt);
const TRIES = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };

const worker = () => {
	const { id, name } = n8n.credential;
	return {
		...{ name: 'MediaGen', type: 'n8n-nodes-mediagen.mediaGenImage', typeVersion: 1, parameters },
		credentials: { mediaGenApi: { id, name } },
	};
};

/** Where the calling node has the workflow from. */
const SOURCES = {
	id: async () => await savedWorkflow(n8n, worker()),
	inline: async () => ({
		source: 'parameter',
		workflowJson: JSON.stringify(calledWorkflow(worker())),
	}),
};

/** Calls it; the creation of the last image is refused once. */
async function call(source: keyof typeof SOURCES, settings: object, mode = 'once') {
	n8n.sandbox.faults.add({
		match: { kind: 'create', bodyPattern: 'image 4' },
		fault: { kind: 'status', status: 403 },
		times: 1,
	});
	const calling = { ...callNode(await SOURCES[source](), mode), ...settings };
	return await n8n.runChain([...nodesOf(ITEMS), calling]);
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
