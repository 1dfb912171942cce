import { TIME_LAPSE } from '../../tools/lib/lapsedTime.mts';
import type { Execution } from '../../tools/lib/n8nClient.mts';
import { parameters, prompts } from '../support/imageBatch.mts';
import { ranOf } from '../support/realN8n.mts';
import { useRealN8n } from '../support/useRealN8n.mts';

/**
 * What n8n lists in red after `kill -9` of a durable batch, with an arrow to retry it: a helper that
 * another one replaces.
 */

const n8n = useRealN8n({
	timeLapse: TIME_LAPSE,
	sandbox: { jobMs: { min: 60_000, max: 60_000 }, queuedMs: 0 },
});

jest.setTimeout(300_000);

const ITEMS = prompts(7);

/** Whether a helper looks after five jobs that n8n has stored: one that has created some ends within a second. */
function isWatched(): boolean {
	const { jobs, journal } = n8n.sandbox;
	const from = Number(jobs[4]?.createdAt) + 3000;
	return journal.entries.some(({ kind, at }) => kind !== 'create' && at > from);
}

/** A batch in the middle of which n8n was killed; a helper's item would make a cat. */
async function killedBatch() {
	const workflow = await n8n.start({
		items: ITEMS,
		parameters: {
			...parameters,
			prompt: "={{ $json.prompt ?? 'a cat' }}",
			options: { waitMode: 'durable' },
		},
	});
	while (!isWatched()) await n8n.clock.sleep(200);
	await n8n.kill();
	await n8n.restart();
	const all = await n8n.client.listExecutions(workflow.id);
	const ids = all.filter(({ status }) => status === 'crashed').map(({ id }) => id);
	return { workflow, crashed: await Promise.all(ids.map((id) => n8n.client.getExecution(id))) };
}

/**
 * Whether n8n fails to retry an execution, and runs nothing: it saves what has run before it puts a node that parks
 * back on its stack, and was killed in between.
 */
function isHalfParked({ data }: Execution): boolean {
	return data.executionData.nodeExecutionStack.length === 0;
}

test.each([
	['with the currently saved workflow', true],
	['with the original workflow', false],
])('a helper that is retried %s orders nothing, and says where to go', async (_, loadWorkflow) => {
	const { workflow, crashed } = await killedBatch();
	expect(crashed).not.toEqual([]);
	for (const { id } of crashed.filter((execution) => !isHalfParked(execution))) {
		const { id: retry } = await n8n.client.request('POST', `/rest/executions/${id}/retry`, {
			loadWorkflow,
		});
		const { status, error } = await n8n.client.waitForExecution(retry);
		expect(status).toBe('error');
		expect(error.message).toMatch(/^Nothing was ordered: this is a helper of execution \d+/);
	}
	const own = (await n8n.client.listExecutions(workflow.id)).find(({ mode }) => mode === 'webhook');
	const ended = await n8n.client.waitForExecution(String(own?.id), { timeout: 200_000 });
	const { execution, outputs } = ranOf(ended);
	expect(execution.status).toBe('success');
	expect(outputs[0]).toHaveLength(ITEMS.length);
	const paid = n8n.sandbox.jobs.map(({ body }) => body.prompt).sort();
	expect(paid).toEqual(ITEMS.map(({ prompt }) => prompt));
	expect(n8n.sandbox.account.charges).toHaveLength(ITEMS.length);
});
