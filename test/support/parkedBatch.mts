import { randomUUID } from 'node:crypto';

import { outputsOf, type Item, type SavedWorkflow } from '../../tools/lib/n8nClient.mts';
import { prompts, promptsOf } from './imageBatch.mts';
import { ranOf } from './n8nRuns.mts';
import { RECOVER, recoverableWorkflow } from './recoverable.mts';
import { until, untilJobs } from './until.mts';
import type { Runs } from './wayBack.mts';

/** A batch of images that an execution waits for durably. */
export interface ParkedBatch {
	workflow: SavedWorkflow;
	/** The execution that waits. */
	id: string;
	/** The items' prompts, in the order of the items. */
	prompts: string[];
}

/** How many generations of an account run at once. A batch has more items, so that some have to wait. */
const RUNNING = 5;
const ITEMS = 7;

/** Starts a batch. Resolves when it waits and all jobs that can run exist; its worker is still awake. */
export async function startBatch(n8n: Runs, name: string): Promise<ParkedBatch> {
	const { client } = n8n;
	const workflow = await client.createWorkflow(recoverableWorkflow(randomUUID(), n8n.credential));
	await client.activate(workflow);
	const items = prompts(ITEMS, name);
	await client.callWebhook(workflow.name, { items });
	const { id } = await client.waitForWorkflow(workflow, { until: ['waiting'] });
	await untilJobs(n8n, RUNNING);
	return { workflow, id, prompts: items.map(({ prompt }) => prompt) };
}

/** Waits until all executions of the workflow are parked. */
export async function untilParked(
	{ client }: Pick<Runs, 'client'>,
	{ id }: Pick<SavedWorkflow, 'id'>,
): Promise<void> {
	const executions = async () => await client.listExecutions(id);
	const isParked = async () => (await executions()).every(({ status }) => status === 'waiting');
	await until('all to be parked', isParked, { seen: executions, everyMs: 100 });
}

/** Waits until the batch has ended, and expects each item to have its own job, paid for once. */
export async function expectResults(n8n: Runs, batch: ParkedBatch): Promise<void> {
	const ended = await n8n.client.waitForExecution(batch.id, { timeout: 200_000 });
	const { execution, outputs } = ranOf(ended);
	expect(execution.status).toBe('success');
	const [items = []] = outputs;
	expect(items.map(({ json }) => json.error ?? json.status)).toEqual(
		batch.prompts.map(() => 'completed'),
	);
	expect(promptsOf(n8n.sandbox, items)).toEqual(batch.prompts);
	const paid = n8n.sandbox.jobs.map(({ body }) => body.prompt);
	expect(paid.filter((prompt) => batch.prompts.includes(String(prompt))).sort()).toEqual(
		[...batch.prompts].sort(),
	);
	expect(n8n.sandbox.account.charges).toHaveLength(paid.length);
}

/** Recovers the paid jobs of the batch, with *Get Paid Jobs Back* in the same workflow. */
export async function recover(n8n: Runs, { workflow, id }: ParkedBatch): Promise<Item[]> {
	const { client, clock } = n8n;
	const known = await client.listExecutions(workflow.id);
	await client.callWebhook(workflow.name, { items: [{ executionId: id }] });
	for (;;) {
		const all = await client.listExecutions(workflow.id);
		const ended = all.find(
			(one) =>
				one.mode === 'webhook' &&
				one.status === 'success' &&
				!known.some((old) => old.id === one.id),
		);
		if (ended) return outputsOf(await client.getExecution(ended.id), RECOVER)[0] ?? [];
		await clock.sleep(1000);
	}
}
