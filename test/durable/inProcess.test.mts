import { outputsOf } from '../../tools/lib/n8nClient.mts';
import { endJobs } from '../support/durableBatch.mts';
import { parameters, prompts } from '../support/imageBatch.mts';
import { untilJobs } from '../support/until.mts';
import { useRealN8n } from '../support/useRealN8n.mts';

/**
 * What n8n knows of jobs that were waited for in process, when it was killed: with *Save execution
 * progress* it stores an execution after each node, and a node's memory with it.
 */

const n8n = useRealN8n({ sandbox: { jobMs: { min: 100, max: 100 }, queuedMs: 0 } });

jest.setTimeout(300_000);

const items = prompts(5);
const all = items.map(({ prompt }) => prompt);
const workflowSettings = { saveExecutionProgress: true };
const paidFor = () => n8n.sandbox.jobs.map(({ body }) => body.prompt).sort();

test('killed in a later node: the jobs of an earlier one are not paid for again', async () => {
	const second = {
		type: 'n8n-nodes-mediagen.mediaGenImage',
		typeVersion: 1,
		parameters: { ...parameters, prompt: "={{ 'again: ' + $('Items').item.json.prompt }}" },
	};
	const workflow = await n8n.start({ items, parameters, workflowSettings, after: second });
	await untilJobs(n8n, 5, 5);
	// Those of the second node run while n8n is killed; no look finds them ended.
	n8n.sandbox.settings.jobMs = { min: 600_000, max: 600_000 };
	await untilJobs(n8n, 6);
	await n8n.kill();
	endJobs(n8n);
	await n8n.restart();
	const crashed = await n8n.client.waitForWorkflow(workflow, { until: ['crashed'] });
	// Each node of which n8n knows nothing tells once what it may have paid for.
	let execution = crashed;
	for (let retries = 0; retries < 3 && execution.status !== 'success'; retries++) {
		const id = await n8n.client.retryExecution(execution.id);
		execution = await n8n.client.waitForExecution(id);
	}
	expect(execution.status).toBe('success');
	expect(outputsOf(execution, 'After')[0]).toHaveLength(5);
	const firsts = paidFor().filter((prompt) => !String(prompt).startsWith('again'));
	expect(firsts).toEqual(all);
});
