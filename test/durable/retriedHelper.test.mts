import { parameters, prompts } from '../support/imageBatch.mts';
import { ranOf } from '../support/n8nRuns.mts';
import { until, untilJobs } from '../support/until.mts';
import { useFastN8n } from '../support/useRealN8n.mts';

/** `kill -9` of a durable batch that has no watcher any more: n8n lists its worker in red, with an arrow to retry it. */

const n8n = useFastN8n({
	sandbox: { jobMs: { min: 60_000, max: 60_000 }, queuedMs: 0 },
});

const ITEMS = prompts(7);

test('a retry with the saved workflow orders nothing, one with the original workflow goes on', async () => {
	const { client, clock, sandbox } = n8n;
	const workflow = await n8n.start({
		items: ITEMS,
		parameters: {
			...parameters,
			// The item of a helper would make a cat.
			prompt: "={{ $json.prompt ?? 'a cat' }}",
			options: { waitMode: 'durable' },
		},
	});
	await untilJobs(n8n, 5);
	const helpers = async () =>
		(await client.listExecutions(workflow.id)).filter(({ mode }) => mode === 'integrated');
	// A worker is parked at times only, its watcher nearly always: the helper that was started first.
	const watcher = async () =>
		(await helpers()).sort((one, other) => Number(one.id) - Number(other.id))[0];
	await until('a parked watcher', async () => (await watcher())?.status === 'waiting', {
		seen: helpers,
		everyMs: 100,
	});
	await client.stopExecution(String((await watcher())?.id));
	const isAwake = async () => (await helpers()).some(({ status }) => status === 'running');
	await until('an awake worker', isAwake, { seen: helpers, everyMs: 50 });
	await n8n.kill();
	await n8n.restart();
	const red = (await helpers()).filter(({ status }) => status === 'crashed');
	expect(red).toHaveLength(1);

	const retry = async (loadWorkflow: boolean) => {
		const path = `/rest/executions/${red[0]?.id}/retry`;
		return String((await client.request('POST', path, { loadWorkflow })).id);
	};
	const refused = await client.waitForExecution(await retry(true));
	expect(refused.error.message).toContain('Nothing was ordered: this is the item of a helper');
	expect(refused.error.message).toContain('Retry with original workflow');

	await retry(false);
	await clock.sleep(2000);
	const again = await client.waitForExecution(await retry(false));
	expect(again.error.message).toMatch(/^Nothing to retry: execution \d+ goes on by itself/);

	const own = (await client.listExecutions(workflow.id)).find(({ mode }) => mode === 'webhook');
	const ended = await client.waitForExecution(String(own?.id), { timeout: 200_000 });
	const { execution, outputs } = ranOf(ended);
	expect(execution.status).toBe('success');
	expect(outputs[0]).toHaveLength(ITEMS.length);
	const paid = sandbox.jobs.map(({ body }) => body.prompt).sort();
	expect(paid).toEqual(ITEMS.map(({ prompt }) => prompt));
	expect(sandbox.account.charges).toHaveLength(ITEMS.length);
}, 300_000);
