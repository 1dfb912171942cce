import { outputsOf } from '../../tools/lib/n8nClient.mts';
import { parameters, prompts, promptsOf } from '../support/imageBatch.mts';
import { ranOf } from '../support/realN8n.mts';
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

/** While jobs run that no look finds ended. */
const killWhenJobs = async (count: number) => {
	await untilJobs(n8n, count);
	await n8n.kill();
	n8n.sandbox.settings.jobMs = { min: 100, max: 100 };
	for (const job of n8n.sandbox.jobs) job.endsAt = Math.min(job.endsAt, n8n.clock.now());
	await n8n.restart();
};

const long = () => (n8n.sandbox.settings.jobMs = { min: 600_000, max: 600_000 });

test('jobs of a try that had ended are known: Retry execution pays for what is missing', async () => {
	n8n.sandbox.faults.add({
		match: { kind: 'create', bodyPattern: 'image 5' },
		fault: { kind: 'status', status: 403 },
		times: 1,
	});
	const workflow = await n8n.start({ items, parameters, workflowSettings });
	const failed = await n8n.client.waitForWorkflow(workflow);
	expect(failed.status).toBe('error');
	const known = paidFor();
	expect(known.length).toBeGreaterThan(0);

	// The retry is killed while it waits for the job that was missing.
	long();
	// n8n answers when the retry has ended.
	const retry = n8n.client.retryExecution(failed.id).catch(() => 'killed');
	await killWhenJobs(5);
	expect(await retry).toBe('killed');
	const crashed = await n8n.client.waitForWorkflow(workflow, { until: ['crashed'] });
	const id = await n8n.client.retryExecution(crashed.id);
	const { execution, outputs } = ranOf(await n8n.client.waitForExecution(id));
	expect(execution.status).toBe('success');
	expect(promptsOf(n8n.sandbox, outputs[0])).toEqual(all);
	// What n8n had stored is paid for once; the job of the killed try it did not know.
	for (const prompt of known) expect(paidFor().filter((paid) => paid === prompt)).toHaveLength(1);
	expect(paidFor()).toHaveLength(5 + (5 - known.length));
});

test('killed in a later node: the jobs of an earlier one are not paid for again', async () => {
	const second = {
		type: 'n8n-nodes-mediagen.mediaGenImage',
		typeVersion: 1,
		parameters: { ...parameters, prompt: "={{ 'again: ' + $('Items').item.json.prompt }}" },
	};
	const workflow = await n8n.start({ items, parameters, workflowSettings, after: second });
	await untilJobs(n8n, 5, 5);
	long();
	await killWhenJobs(6);
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
