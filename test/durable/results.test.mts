import type { Execution, Item } from '../../tools/lib/n8nClient.mts';
import { nodesOf, parameters, prompts, promptsOf } from '../support/imageBatch.mts';
import { mostAtOnce } from '../support/mostAtOnce.mts';
import { ranOf, type ChainNode } from '../support/n8nRuns.mts';
import { until, untilJobs } from '../support/until.mts';
import { useFastN8n } from '../support/useRealN8n.mts';

/** Durable waiting in a real n8n, whose time passes ten times as fast. */

const n8n = useFastN8n({
	sandbox: { jobMs: { min: 5_000, max: 20_000 }, queuedMs: 0 },
});

jest.setTimeout(300_000);

const durable = (options = {}) => ({ ...parameters, options: { waitMode: 'durable', ...options } });

const paidFor = () => n8n.sandbox.jobs.map(({ body }) => body.prompt).sort();
const sorted = (items: Array<{ prompt: string }>) => items.map(({ prompt }) => prompt).sort();

/** Executions that the node has started by itself. */
const relaysOf = async ({ workflowId }: Execution) =>
	(await n8n.client.listExecutions(workflowId)).filter(({ mode }) => mode === 'integrated');

/** Says of each item which input item it belongs to. */
const SET_FROM = {
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		assignments: {
			assignments: [
				{ id: 'from', name: 'from', type: 'string', value: "={{ $('Items').item.json.prompt }}" },
			],
		},
		includeOtherFields: true,
		options: {},
	},
};

const media = (options = {}): ChainNode => ({
	name: 'MediaGen',
	type: 'mediaGenImage',
	parameters: durable(options),
});

test('the results are the items that waiting in process gives, in input order, each with its own', async () => {
	const items = prompts(8);
	const run = async (options: object) =>
		await n8n.run({ items, parameters: { ...parameters, options }, after: SET_FROM });
	const waiting = await run({ waitMode: 'durable' });
	expect(waiting.execution.status).toBe('success');
	expect(promptsOf(n8n.sandbox, waiting.outputs[0])).toEqual(items.map(({ prompt }) => prompt));
	expect(waiting.after.map(({ json }) => json.from)).toEqual(items.map(({ prompt }) => prompt));
	expect(paidFor()).toEqual(sorted(items));
	expect(mostAtOnce(n8n.sandbox)).toBeLessThanOrEqual(5);

	const inProcess = await run({});
	const shape = ({ json, pairedItem }: Item) => [Object.keys(json).sort(), pairedItem];
	expect(waiting.outputs[0]?.map(shape)).toEqual(inProcess.outputs[0]?.map(shape));
});

describe('a job that fails', () => {
	const items = prompts(3);
	beforeEach(() => {
		n8n.sandbox.settings.failPrompt = 'image 2';
	});

	test('ends the node with its error, which n8n repeats on a retry, of either kind; nothing is paid again', async () => {
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };
		const first = await n8n.run({ items, parameters: durable(), settings });
		expect(first.execution.status).toBe('error');
		expect(first.error?.message).toMatch(/^1 of \d+ failed: row 2, "image 2\.": Job \S+ failed/);
		for (const { id, body } of n8n.sandbox.jobs) {
			const text = body.prompt === 'image 2.' ? first.error?.message : first.error?.description;
			expect(text).toContain(id);
		}
		const id = await n8n.client.retryExecution(first.execution.id);
		const second = ranOf(await n8n.client.waitForExecution(id));
		expect(second.error?.message).toBe(first.error?.message);
		expect(paidFor()).toEqual(sorted(items));
	});

	test('is an item of the error output', async () => {
		const settings = { onError: 'continueErrorOutput' };
		const { outputs } = await n8n.run({ items, parameters: durable(), settings });
		expect(promptsOf(n8n.sandbox, outputs[0])).toEqual(['image 1.', 'image 3.']);
		expect(outputs[1]?.[0]?.json.error).toMatch(/^Job \S+ failed/);
		expect(outputs[1]?.[0]?.json.message.jobId).toBe(
			n8n.sandbox.jobs.find(({ body }) => body.prompt === 'image 2.')?.id,
		);
	});
});

test('in a loop: each round with its own items, however long it takes', async () => {
	// Long enough that who has watched the first round would look twice at the second, and hand over its results again.
	n8n.sandbox.settings.jobMs = { min: 300_000, max: 300_000 };
	const batches: ChainNode = {
		name: 'Batches',
		type: 'n8n-nodes-base.splitInBatches',
		typeVersion: 3,
		parameters: { batchSize: 2, options: {} },
	};
	const items = prompts(3);
	const nodes = [...nodesOf(items), batches, media({ timeout: 3600 })];
	const id = await n8n.startChain(nodes, n8n.credential, {
		Batches: { main: [[], [{ node: 'MediaGen', type: 'main', index: 0 }]] },
		MediaGen: { main: [[{ node: 'Batches', type: 'main', index: 0 }]] },
	});
	const execution = await n8n.client.waitForExecution(id, { timeout: 240_000 });
	expect(execution.status).toBe('success');
	const rounds = execution.runData.MediaGen?.map(({ data }) =>
		promptsOf(n8n.sandbox, data.main[0]),
	);
	expect(rounds).toEqual([['image 1.', 'image 2.'], ['image 3.']]);
	const done = execution.runData.Batches?.at(-1)?.data.main[0];
	expect(promptsOf(n8n.sandbox, done)).toEqual(items.map(({ prompt }) => prompt));
	expect(paidFor()).toEqual(sorted(items));
}, 300_000);

test('stopped while it is parked: no more jobs are created', async () => {
	n8n.sandbox.settings.jobMs = { min: 30_000, max: 30_000 };
	const items = prompts(12);
	const id = await n8n.startChain([...nodesOf(items), media()]);
	await untilJobs(n8n, 5);
	await n8n.client.stopExecution(id);
	const stopped = await n8n.client.getExecution(id);
	expect(stopped.status).toBe('canceled');
	const helpers = async () => await relaysOf(stopped);
	const isOver = async () =>
		(await helpers()).every(({ status }) => ['success', 'canceled'].includes(status));
	await until('the end of its helpers', isOver, { seen: helpers, everyMs: 100 });
	expect(n8n.sandbox.jobs.length).toBeLessThan(12);
});
