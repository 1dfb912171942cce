import { outputsOf, type Execution } from '../../tools/lib/n8nClient.mts';
import { callNode, savedWorkflow } from '../support/calling.mts';
import { nodesOf, parameters, prompts } from '../support/imageBatch.mts';
import { useFastN8n } from '../support/useRealN8n.mts';

/** A workflow with a durable node, called by another one. */

const n8n = useFastN8n({
	sandbox: { jobMs: { min: 5_000, max: 5_000 } },
});

jest.setTimeout(120_000);

const AFTER = { name: 'After', type: 'n8n-nodes-base.noOp' };

const run = async (items: object[], source: object, mode?: string) =>
	await n8n.runChain([...nodesOf(items), callNode(source, mode), AFTER]);

/** A workflow with a durable node, as others call it. */
const durable = async () =>
	await savedWorkflow(n8n, {
		...{ name: 'MediaGen', type: 'n8n-nodes-mediagen.mediaGenImage', typeVersion: 1 },
		parameters: { ...parameters, options: { waitMode: 'durable' } },
		credentials: { mediaGenApi: n8n.credential },
	});

/** One that calls that. */
const between = async () => await savedWorkflow(n8n, callNode(await durable()));

const jobIdsAfter = (execution: Execution) =>
	(outputsOf(execution, 'After')[0] ?? []).map(({ json }) => json.jobId).sort();

test.each(['once', 'each'])('called in the mode %s: all results come back', async (mode) => {
	const execution = await run(prompts(3), await durable(), mode);
	expect(execution.status).toBe('success');
	expect(n8n.sandbox.account.charges).toHaveLength(3);
	expect(jobIdsAfter(execution)).toEqual(n8n.sandbox.jobs.map(({ id }) => id).sort());
});

test('called by a workflow that is called itself: all results come back', async () => {
	const execution = await run(prompts(3), await between());
	expect(execution.status).toBe('success');
	expect(jobIdsAfter(execution)).toEqual(n8n.sandbox.jobs.map(({ id }) => id).sort());
});

test('a failed job ends the workflow that calls the one that calls', async () => {
	const execution = await run([{ prompt: 'x [fail]' }], await between());
	expect(execution.status).toBe('error');
	expect(execution.error.message).toContain(n8n.sandbox.jobs[0]!.id);
});
