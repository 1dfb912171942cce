import fs from 'node:fs/promises';

import { outputsOf } from '../../tools/lib/n8nClient.mts';
import { parameters, prompts, promptsOf } from '../support/imageBatch.mts';
import { jobOf } from '../support/jobOf.mts';
import { mostAtOnce } from '../support/mostAtOnce.mts';
import { ranOf } from '../support/realN8n.mts';
import { until, untilJobs } from '../support/until.mts';
import { useSharedN8n } from '../support/useRealN8n.mts';
import { toldBy } from '../support/toldBy.mts';

/** Batches in a real n8n: what is paid, counted by the sandbox's charges. */

const n8n = useSharedN8n({ sandbox: { jobMs: { min: 200, max: 800 }, queuedMs: 0 } });

jest.setTimeout(300_000);

const paidFor = () => n8n.sandbox.jobs.map(({ body }) => body.prompt).sort();
const tooMany = () => n8n.sandbox.journal.entries.filter(({ status }) => status === 429);

/** Behind the one that fails are more items than places, so that some are left however the jobs end. */
describe('a failure at item 7 of 20', () => {
	const items = prompts(20);
	const all = items.map(({ prompt }) => prompt);

	beforeEach(() => {
		n8n.sandbox.faults.add({
			match: { kind: 'create', bodyPattern: 'image 7\\.' },
			fault: { kind: 'status', status: 403 },
			times: 1,
		});
	});

	test('Retry On Fail creates only what is missing', async () => {
		const { execution, outputs } = await n8n.run({
			items,
			parameters,
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 },
		});
		expect(execution.status).toBe('success');
		expect(promptsOf(n8n.sandbox, outputs[0])).toEqual(all);
		expect(paidFor()).toEqual([...all].sort());
	});

	test('so does Retry execution, also where a retry of the same execution has failed before', async () => {
		n8n.sandbox.faults.add({
			match: { kind: 'create', bodyPattern: 'image 20\\.' },
			fault: { kind: 'status', status: 403 },
			times: 1,
		});
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

describe('two workflows on one account at once', () => {
	test.each([
		['', undefined],
		[
			', with 429s from elsewhere',
			{
				match: {},
				fault: { kind: 'status', status: 429, headers: { 'retry-after': '1' } },
				probability: 0.2,
				times: 10,
			},
		],
	] as const)('stay within 5 running jobs%s', async (_, faults) => {
		if (faults) n8n.sandbox.faults.add(faults);
		const runs = await Promise.all(
			['cat', 'dog'].map(async (name) => await n8n.run({ items: prompts(8, name), parameters })),
		);
		for (const { execution } of runs) expect(execution.status).toBe('success');
		expect(promptsOf(n8n.sandbox, runs[0]?.outputs[0])).toEqual(
			prompts(8, 'cat').map(({ prompt }) => prompt),
		);
		expect(n8n.sandbox.account.charges).toHaveLength(16);
		expect(mostAtOnce(n8n.sandbox)).toBeLessThanOrEqual(5);
		// Those that were injected, and none of the service's own.
		expect(tooMany().filter(({ fault }) => !fault)).toEqual([]);
	});

	test('a single image does not wait for a batch to end', async () => {
		n8n.sandbox.settings.jobMs = { min: 1000, max: 1000 };
		const batch = n8n.run({ items: prompts(25, 'batch'), parameters });
		await untilJobs(n8n, 5);
		await n8n.run({ items: prompts(1, 'single'), parameters });
		await batch;
		const order = n8n.sandbox.jobs.map(({ body }) => body.prompt);
		expect(order.indexOf('single 1.')).toBeLessThan(20);
	});
});

test('Stop ends all waiting and reports the jobs, finished ones too', async () => {
	n8n.sandbox.settings.jobMs = { min: 60_000, max: 60_000 };
	const id = await n8n.startChain([
		{
			name: 'Set',
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'raw', jsonOutput: JSON.stringify({ items: prompts(7) }) },
		},
		{
			name: 'Items',
			type: 'n8n-nodes-base.splitOut',
			parameters: { fieldToSplitOut: 'items', options: {} },
		},
		{ name: 'MediaGen', type: 'mediaGenImage', parameters },
	]);
	await untilJobs(n8n, 5);
	// One ends; the next is started when that has been seen.
	const first = jobOf(n8n.sandbox, 'image 1.');
	if (first) first.endsAt = Date.now();
	await untilJobs(n8n, 6);
	await n8n.client.stopExecution(id);
	await n8n.client.waitForExecution(id);
	// n8n keeps nothing of what a stopped node gives out: the log has it.
	const log = async () => await fs.readFile(n8n.server.logFile, 'utf8');
	const told = `Row 1, "image 1.": job ${first?.id} completed`;
	await until(`"${told}" in the log`, async () => (await log()).includes(told));
	const text = await log();
	for (const job of n8n.sandbox.jobs) expect(text).toContain(job.id);
	expect(text).toContain('Stopped while job');

	// An execution of its own shows the jobs, and one operation lists them: by the number of either.
	const { workflowId } = await n8n.client.getExecution(id);
	// Other files of tests stop executions of the same n8n.
	const own = text.slice(text.indexOf(told));
	const kept = /Execution (\d+) of this workflow shows the jobs/.exec(own)?.[1] ?? '';
	expect((await n8n.client.waitForExecution(kept)).workflowId).toBe(workflowId);
	for (const executionId of [id, kept]) {
		const named = { resource: 'job', operation: 'recover', executionId };
		const recover = { ...named, waitForCompletion: false };
		const jobs = outputsOf(await runInside(workflowId, recover), 'Recover')[0] ?? [];
		expect(jobs.map(({ json }) => json.jobId).sort()).toEqual(
			n8n.sandbox.jobs.map((job) => job.id).sort(),
		);
		expect(jobs[0]?.json).toMatchObject({ itemIndex: 0, prompt: 'image 1.', status: 'completed' });
		expect(jobs[1]?.json).toMatchObject({ status: 'processing', details: { executionId: id } });
	}

	// The same node waits for them, with their files.
	for (const job of n8n.sandbox.jobs) job.endsAt = Date.now();
	const recover = {
		resource: 'job',
		operation: 'recover',
		executionId: id,
	};
	const recovered = await runInside(workflowId, { ...recover, downloadMedia: true });
	const items = outputsOf(recovered, 'Recover')[0] ?? [];
	expect(items.map(({ json }) => [json.prompt, json.status])).toEqual(
		Array.from({ length: 6 }, (_, index) => [`image ${index + 1}.`, 'completed']),
	);
	for (const { binary } of items) expect(binary?.data?.mimeType).toMatch(/^image/);
	expect(n8n.sandbox.account.charges).toHaveLength(6);
});

/** Puts a node of this package into a workflow in place of what is there, and runs that. */
async function runInside(workflowId: string, parameters: object) {
	const { versionId } = await n8n.client.request('GET', `/rest/workflows/${workflowId}`);
	const node = (name: string, type: string, more = {}) => {
		return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters: {}, ...more };
	};
	const nodes = [
		node('Start', 'n8n-nodes-base.manualTrigger'),
		node('Recover', 'n8n-nodes-mediagen.mediaGenImage', {
			parameters,
			credentials: { mediaGenApi: n8n.credential },
		}),
	];
	const connections = { Start: { main: [[{ node: 'Recover', type: 'main', index: 0 }]] } };
	const body = { nodes, connections, versionId };
	const saved = await n8n.client.request('PATCH', `/rest/workflows/${workflowId}`, body);
	return await n8n.client.waitForExecution(await n8n.client.runManually(saved, 'Start'));
}
