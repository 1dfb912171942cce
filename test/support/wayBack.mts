import { randomUUID } from 'node:crypto';

import { outputsOf, type Item, type SavedWorkflow } from '../../tools/lib/n8nClient.mts';
import { parameters, prompts } from './imageBatch.mts';
import type { N8nRuns } from './n8nRuns.mts';
import { MAKE, RECOVER, recoverableWorkflow } from './recoverable.mts';

/** What a person does about a batch of six images that did not finish, as docs/money.md says. */

/** Six images; the fourth fails at the service. */
export const SIX = prompts(6);
export const ONE_FAILS = SIX.map(({ prompt }, index) => ({
	prompt: index === 3 ? `${prompt} [fail]` : prompt,
}));

/** An n8n in any mode, with its clock. */
export interface Runs extends N8nRuns {
	clock: { now(): number; sleep(ms: number): Promise<void> };
}

/**
 * Saves a workflow that makes images. For an item that names an execution, it recovers that one's jobs.
 *
 * @param options of the node that makes them
 * @param settings of that node, such as `retryOnFail`
 */
export async function saveBatch(
	n8n: Runs,
	{ options = {}, settings = {} }: { options?: object; settings?: object } = {},
): Promise<SavedWorkflow> {
	const workflow = recoverableWorkflow(randomUUID(), n8n.credential);
	const own = {
		[MAKE]: { parameters: { ...parameters, options }, ...settings },
		[RECOVER]: {
			parameters: {
				...{ resource: 'job', operation: 'recover', executionId: '={{ $json.executionId }}' },
				waitForCompletion: '={{ $json.wait }}',
			},
		},
	};
	const nodes = workflow.nodes.map((node) => {
		const changes = own[node.name as keyof typeof own];
		return changes ? { ...node, onError: 'stopWorkflow', ...changes } : node;
	});
	const saved = await n8n.client.createWorkflow({ ...workflow, nodes });
	await n8n.client.activate(saved);
	return saved;
}

/** Starts the workflow, and gives the number of the execution. */
export async function startBatchOf(
	n8n: Runs,
	workflow: SavedWorkflow,
	items: object[],
): Promise<string> {
	const known = new Set((await n8n.client.listExecutions(workflow.id)).map(({ id }) => id));
	await n8n.client.callWebhook(workflow.name, { items });
	for (;;) {
		const all = await n8n.client.listExecutions(workflow.id);
		const begun = all.find(({ id, mode }) => mode === 'webhook' && !known.has(id));
		if (begun) return begun.id;
		await n8n.clock.sleep(50);
	}
}

/** What *Get Paid Jobs Back* puts out for the number of an execution. */
export async function recover(
	n8n: Runs,
	workflow: SavedWorkflow,
	executionId: string,
	{ wait = true }: { wait?: boolean } = {},
): Promise<{ items: Item[]; error?: { message: string } }> {
	const id = await startBatchOf(n8n, workflow, [{ executionId, wait }]);
	const execution = await n8n.client.waitForExecution(id, { timeout: 120_000 });
	return { items: outputsOf(execution, RECOVER)[0] ?? [], error: execution.error };
}

/** Ends all jobs of the sandbox that run, and makes new ones quick. */
export function endJobs({ sandbox, clock }: Runs): void {
	sandbox.settings.jobMs = { min: 100, max: 100 };
	for (const job of sandbox.jobs) job.endsAt = Math.min(job.endsAt, clock.now());
}
