import fs from 'node:fs/promises';

import { outputsOf } from '../../tools/lib/n8nClient.mts';
import { jobOf, nodesOf, parameters, prompts, promptsOf } from '../support/imageBatch.mts';
import { ranOf } from '../support/n8nRuns.mts';
import { toldBy } from '../support/toldBy.mts';
import { until, untilJobs } from '../support/until.mts';
import { useSharedN8n } from '../support/useRealN8n.mts';

/** Batches in a real n8n: what is paid, counted by the sandbox's charges. */

const n8n = useSharedN8n({ sandbox: { jobMs: { min: 200, max: 800 }, queuedMs: 0 } });

jest.setTimeout(300_000);

const paidFor = () => n8n.sandbox.jobs.map(({ body }) => body.prompt).sort();

/** Behind the one that fails are more items than places, so that some are left however the jobs end. */
describe('a failure at item 7 of 20', () => {
	const items = prompts(20);
	const all = items.map(({ prompt }) => prompt);
	const refuse = (bodyPattern: string) =>
		n8n.sandbox.faults.add({
			match: { kind: 'create', bodyPattern },
			fault: { kind: 'status', status: 403 },
			times: 1,
		});

	test('Retry On Fail creates only what is missing', async () => {
		refuse('image 7\\.');
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };
		const { execution, outputs } = await n8n.run({ items, parameters, settings });
		expect(execution.status).toBe('success');
		expect(promptsOf(n8n.sandbox, outputs[0])).toEqual(all);
		expect(paidFor()).toEqual([...all].sort());
	});

	test('so does Retry execution, also where a retry of the same execution has failed before', async () => {
		refuse('image 7\\.');
		refuse('image 20\\.');
		const first = await n8n.run({ items, parameters });
		expect(first.error?.message).toMatch(/^1 of 20 failed: row 7, .*: The service denied access$/);
		const paidBefore = n8n.sandbox.jobs.map(({ id }) => id);
		expect(paidBefore.length).toBeGreaterThan(0);
		for (const id of paidBefore) expect(toldBy(first.error)).toContain(`job ${id} completed`);
		expect(first.error?.description).toMatch(/\d+ not started and not charged\./);

		const retry = async () => {
			const id = await n8n.client.retryExecution(first.execution.id);
			return ranOf(await n8n.client.waitForExecution(id));
		};
		expect((await retry()).error?.message).toMatch(/^1 of 20 failed: row 20, /);
		const { execution, outputs } = await retry();
		expect(execution.status).toBe('success');
		expect(promptsOf(n8n.sandbox, outputs[0])).toEqual(all);
		expect(paidFor()).toEqual([...all].sort());
	});
});

test('Stop ends all waiting and reports the jobs, finished ones too; Get Paid Jobs Back has them', async () => {
	n8n.sandbox.settings.jobMs = { min: 60_000, max: 60_000 };
	const media = { name: 'MediaGen', type: 'mediaGenImage', parameters };
	const id = await n8n.startChain([...nodesOf(prompts(7)), media]);
	await untilJobs(n8n, 5);
	// One ends; the next is started when that has been seen.
	const first = jobOf(n8n.sandbox, 'image 1.')!;
	first.endsAt = n8n.clock.now();
	await untilJobs(n8n, 6);
	await n8n.client.stopExecution(id);
	const { workflowId } = await n8n.client.waitForExecution(id);
	// n8n keeps nothing of what a stopped node gives out: the log has it.
	const log = async () => await fs.readFile(n8n.server.logFile, 'utf8');
	const told = `Row 1, "image 1.": job ${first.id} completed`;
	await until(`"${told}" in the log`, async () => (await log()).includes(told));
	for (const job of n8n.sandbox.jobs) expect(await log()).toContain(job.id);

	// An execution of its own shows the jobs; the same node has them back, by the number of either.
	const all = await n8n.client.listExecutions(workflowId);
	const kept = all.find(({ mode }) => mode === 'integrated')?.id;
	const recovered = async (executionId: unknown, more: object) => {
		const named = { resource: 'job', operation: 'recover', executionId, ...more };
		return outputsOf(await runInside(workflowId, named), 'Recover')[0] ?? [];
	};
	for (const number of [id, kept]) {
		const items = await recovered(number, { waitForCompletion: false });
		const jobIds = items.map(({ json }) => json.jobId).sort();
		expect(jobIds).toEqual(n8n.sandbox.jobs.map((job) => job.id).sort());
		expect(items[0]?.json).toMatchObject({ itemIndex: 0, prompt: 'image 1.', status: 'completed' });
		expect(items[1]?.json).toMatchObject({ status: 'processing', details: { executionId: id } });
	}
	for (const job of n8n.sandbox.jobs) job.endsAt = n8n.clock.now();
	const items = await recovered(id, { downloadMedia: true });
	expect(items.map(({ json }) => [json.prompt, json.status])).toEqual(
		prompts(6).map(({ prompt }) => [prompt, 'completed']),
	);
	for (const { binary } of items) expect(binary?.data?.mimeType).toMatch(/^image/);
	expect(n8n.sandbox.account.charges).toHaveLength(6);
});

/** Puts a node of this package into a workflow in place of what is there, and runs that. */
async function runInside(workflowId: string, own: object) {
	const { versionId } = await n8n.client.request('GET', `/rest/workflows/${workflowId}`);
	const node = (name: string, type: string, more = {}) => ({
		...{ id: name, name, type, typeVersion: 1, position: [0, 0], parameters: {} },
		...more,
	});
	const nodes = [
		node('Start', 'n8n-nodes-base.manualTrigger'),
		node('Recover', 'n8n-nodes-mediagen.mediaGenImage', {
			parameters: own,
			credentials: { mediaGenApi: n8n.credential },
		}),
	];
	const connections = { Start: { main: [[{ node: 'Recover', type: 'main', index: 0 }]] } };
	const body = { nodes, connections, versionId };
	const saved = await n8n.client.request('PATCH', `/rest/workflows/${workflowId}`, body);
	return await n8n.client.waitForExecution(await n8n.client.runManually(saved, 'Start'));
}
