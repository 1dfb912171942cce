import { randomUUID } from 'node:crypto';

import type { SavedWorkflow } from '../../tools/lib/n8nClient.mts';
import { nodesOf, parameters, promptsOf } from '../support/imageBatch.mts';
import { ranOf } from '../support/n8nRuns.mts';
import { toldBy } from '../support/toldBy.mts';
import { untilJobs } from '../support/until.mts';
import { useSharedN8n } from '../support/useRealN8n.mts';

/** *Options > Continue Execution* and *Retry execution* in a real n8n: what is paid, counted by the sandbox. */

const n8n = useSharedN8n({ sandbox: { jobMs: { min: 100, max: 100 }, queuedMs: 0 } });

jest.setTimeout(300_000);

const paid = () => n8n.sandbox.jobs.map(({ body }) => body.prompt).sort();

/** A workflow with a list of prompts, as a person builds it in the editor. */
const nodesFor = (prompts: readonly string[], continueExecution?: string) => [
	{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
	...nodesOf(prompts.map((prompt) => ({ prompt }))),
	{
		name: 'MediaGen',
		type: 'n8n-nodes-mediagen.mediaGenImage',
		typeVersion: 1,
		parameters: { ...parameters, options: continueExecution ? { continueExecution } : {} },
		credentials: { mediaGenApi: n8n.credential },
	},
];

const to = (next: string) => ({ main: [[{ node: next, type: 'main' as const, index: 0 }]] });
const connections = { Start: to('Items'), Items: to('Split'), Split: to('MediaGen') };

const save = async (prompts: readonly string[]) =>
	await n8n.client.createWorkflow({ name: randomUUID(), nodes: nodesFor(prompts), connections });

/** Presses *Execute workflow*. */
async function press(workflow: SavedWorkflow) {
	const id = await n8n.client.runManually(workflow, 'Start');
	return ranOf(await n8n.client.waitForExecution(id));
}

/** Changes the list, enters a number in the option, and presses *Execute workflow*. */
async function goOn(workflow: SavedWorkflow, prompts: readonly string[], number?: string) {
	const saved = await n8n.client.waitForSaved(workflow.id);
	const changed = nodesFor(prompts, number);
	const nodes = saved.nodes.map((node) => ({
		...node,
		parameters: changed.find(({ name }) => name === node.name)?.parameters ?? {},
	}));
	return await press(await n8n.client.saveWorkflow({ ...saved, nodes }));
}

const hintsOf = (ran: Awaited<ReturnType<typeof press>>) =>
	JSON.stringify(ran.execution.runData.MediaGen?.[0]?.hints);

test('a row is corrected and another is new: these are paid for, and a second click pays for nothing', async () => {
	const workflow = await save(['a', 'b [fail]', 'c']);
	const first = await press(workflow);
	const { id } = first.execution;
	expect(first.error?.description).toContain(`Continue Execution with ${id}`);
	const rows = ['a', 'b', 'c', 'd'];
	const second = await goOn(workflow, rows, id);
	expect(second.execution.status).toBe('success');
	expect(promptsOf(n8n.sandbox, second.outputs[0])).toEqual(rows);
	expect(hintsOf(second)).toContain(`Continued execution ${id}: took rows 1 and 3`);
	await goOn(workflow, rows, id);
	expect(paid()).toEqual(['a', 'b', 'b [fail]', 'c', 'd']);
});

test('after Stop, with one row changed: the changed and the missing ones are paid for', async () => {
	n8n.sandbox.settings.jobMs = { min: 60_000, max: 60_000 };
	const workflow = await save(['a', 'b']);
	const id = await n8n.client.runManually(workflow, 'Start');
	await untilJobs(n8n, 2);
	await n8n.client.stopExecution(id);
	await n8n.client.waitForExecution(id, { until: ['canceled'] });
	for (const job of n8n.sandbox.jobs) job.endsAt = n8n.clock.now();
	n8n.sandbox.settings.jobMs = { min: 100, max: 100 };
	const second = await goOn(workflow, ['a', 'b changed', 'c'], id);
	expect(second.execution.status).toBe('success');
	expect(promptsOf(n8n.sandbox, second.outputs[0])).toEqual(['a', 'b changed', 'c']);
	expect(paid()).toEqual(['a', 'b', 'b changed', 'c']);
});

test('a lost answer: the error names the job; Retry execution orders it anew, and a second one nothing more', async () => {
	n8n.sandbox.faults.add({
		match: { kind: 'create', bodyPattern: 'lost' },
		fault: { kind: 'reset' },
		when: 'after',
		times: 1,
	});
	const first = await press(await save(['lost', 'b']));
	expect(toldBy(first.error)).toContain(n8n.sandbox.jobs[0]!.id);
	const retry = async () =>
		ranOf(await n8n.client.waitForExecution(await n8n.client.retryExecution(first.execution.id)));
	expect((await retry()).execution.status).toBe('success');
	await retry().catch(() => undefined);
	expect(paid()).toEqual(['b', 'lost', 'lost']);
});
