import type { Sandbox } from '../../sandbox/server.mts';
import { outputsOf, type Item, type SavedWorkflow } from '../../tools/lib/n8nClient.mts';
import { n8nNode } from '../../tools/lib/workflowNodes.mts';
import { parameters, prompts, promptsOf } from './imageBatch.mts';
import { mostAtOnce } from './mostAtOnce.mts';
import { byWebhook, ranOf, type N8nRuns } from './n8nRuns.mts';
import { until, untilJobs } from './until.mts';

/** Batches of images whose paid jobs a person can have back, most of them waited for durably. */

const RECOVER = 'Recover';

interface Making {
	/** Of the node that makes the images; durable when left out. */
	options?: object;
	/** Settings of that node; it goes on after an error when left out. */
	settings?: object;
	workflowSettings?: object;
}

/** Saves a workflow that makes images. For an item that names an execution, it recovers that one's jobs. */
export async function saveBatch(
	n8n: N8nRuns,
	{
		options = { waitMode: 'durable', timeout: 7200 },
		settings = { onError: 'continueRegularOutput' },
		workflowSettings,
	}: Making = {},
): Promise<SavedWorkflow> {
	const image = (name: string, own: object, more = {}) => ({
		...{ name, type: 'n8n-nodes-mediagen.mediaGenImage', typeVersion: 1, parameters: own },
		credentials: { mediaGenApi: n8n.credential },
		...more,
	});
	const isLost = [{ value1: '={{ !!$json.executionId }}', value2: true }];
	const nodes = [
		n8nNode('Lost?', 'if', 1, { conditions: { boolean: isLost } }),
		image(RECOVER, {
			...{ resource: 'job', operation: 'recover', executionId: '={{ $json.executionId }}' },
			waitForCompletion: '={{ $json.wait }}',
		}),
		image('MediaGen', { ...parameters, options }, settings),
	];
	const saved = await n8n.client.createWorkflow(
		byWebhook(
			nodes,
			[
				['Items', 'Lost?'],
				['Lost?', RECOVER],
				['Lost?', 'MediaGen', 1],
			],
			workflowSettings,
		),
	);
	await n8n.client.activate(saved);
	return saved;
}

/** Starts the workflow, and gives the number of the execution. */
export async function startOf(
	{ client, clock }: N8nRuns,
	workflow: SavedWorkflow,
	items: object[],
): Promise<string> {
	const known = new Set((await client.listExecutions(workflow.id)).map(({ id }) => id));
	await client.callWebhook(workflow.name, { items });
	for (;;) {
		const all = await client.listExecutions(workflow.id);
		const begun = all.find(({ id, mode }) => mode === 'webhook' && !known.has(id));
		if (begun) return begun.id;
		await clock.sleep(50);
	}
}

/** What *Get Paid Jobs Back* puts out for the number of an execution, in the same workflow. */
export async function recover(
	n8n: N8nRuns,
	workflow: SavedWorkflow,
	executionId: string,
	{ wait = true }: { wait?: boolean } = {},
): Promise<{ items: Item[]; error?: { message: string } }> {
	const id = await startOf(n8n, workflow, [{ executionId, wait }]);
	const execution = await n8n.client.waitForExecution(id, { timeout: 120_000 });
	return { items: outputsOf(execution, RECOVER)[0] ?? [], error: execution.error };
}

/** Ends all jobs of the sandbox that run, and makes new ones quick. */
export function endJobs({ sandbox, clock }: N8nRuns): void {
	sandbox.settings.jobMs = { min: 100, max: 100 };
	for (const job of sandbox.jobs) job.endsAt = Math.min(job.endsAt, clock.now());
}

interface ParkedBatch {
	workflow: SavedWorkflow;
	/** The execution that waits. */
	id: string;
	/** The items' prompts, in the order of the items. */
	prompts: string[];
}

/** Most generations of an account that run at once, and so most creations under way. */
export const UNDER_WAY = 5;

/** Starts a batch. Resolves when it waits and all jobs that can run exist; its worker is still awake. */
export async function startBatch(n8n: N8nRuns, name: string): Promise<ParkedBatch> {
	const workflow = await saveBatch(n8n);
	// So many that some have to wait.
	const items = prompts(UNDER_WAY + 2, name);
	const id = await startOf(n8n, workflow, items);
	await n8n.client.waitForExecution(id, { until: ['waiting'] });
	await untilJobs(n8n, UNDER_WAY);
	return { workflow, id, prompts: items.map(({ prompt }) => prompt) };
}

/** Waits until all executions of the workflow are parked. */
export async function untilParked(
	{ client }: N8nRuns,
	{ id }: Pick<SavedWorkflow, 'id'>,
): Promise<void> {
	const executions = async () => await client.listExecutions(id);
	const isParked = async () => (await executions()).every(({ status }) => status === 'waiting');
	await until('all to be parked', isParked, { seen: executions, everyMs: 100 });
}

/** Waits until the batch has ended, and expects each item to have its own job, paid for once. */
export async function expectResults(n8n: N8nRuns, batch: ParkedBatch): Promise<void> {
	const ended = await n8n.client.waitForExecution(batch.id, { timeout: 200_000 });
	const { execution, outputs } = ranOf(ended);
	expect(execution.status).toBe('success');
	const [items = []] = outputs;
	expect(items.map(({ json }) => json.error ?? json.status)).toEqual(
		batch.prompts.map(() => 'completed'),
	);
	expect(promptsOf(n8n.sandbox, items)).toEqual(batch.prompts);
	const paid = n8n.sandbox.jobs.map(({ body }) => String(body.prompt));
	expect(paid.filter((prompt) => batch.prompts.includes(prompt)).sort()).toEqual(
		[...batch.prompts].sort(),
	);
	expect(n8n.sandbox.account.charges).toHaveLength(paid.length);
}

/** Whether an item stands for a creation that was under way at a kill, and whose outcome no history shows. */
const isInDoubt = (item: Item | undefined) =>
	item?.json.error?.includes('it may exist, and may have been paid for') === true;

/** Expects an item for each prompt, in order, with its own job or in doubt; gives both. */
export function expectOwnOrInDoubt(
	sandbox: Sandbox,
	items: Item[],
	ordered: readonly string[],
): { whole: Item[]; doubts: string[] } {
	expect(items).toHaveLength(ordered.length);
	const doubts = ordered.filter((_, index) => isInDoubt(items[index]));
	expect(doubts.length).toBeLessThanOrEqual(UNDER_WAY);
	const whole = items.filter((item) => !isInDoubt(item));
	expect(promptsOf(sandbox, whole)).toEqual(ordered.filter((prompt) => !doubts.includes(prompt)));
	return { whole, doubts };
}

/** Expects that each prompt was paid for once at most, and that all jobs are these, but for those that may be in doubt. */
export function expectPaidOnce(
	sandbox: Sandbox,
	jobIds: readonly string[],
	doubts: readonly string[],
): void {
	const paid = sandbox.jobs.map(({ body }) => String(body.prompt));
	expect(new Set(paid).size).toBe(paid.length);
	expect(sandbox.account.charges).toHaveLength(paid.length);
	const certain = sandbox.jobs.filter(({ body }) => !doubts.includes(String(body.prompt)));
	expect([...jobIds].sort()).toEqual(certain.map(({ id }) => id).sort());
	expect(mostAtOnce(sandbox)).toBeLessThanOrEqual(UNDER_WAY);
}
