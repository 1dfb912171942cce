import { parameters, prompts, promptsOf } from '../support/imageBatch.mts';
import { mostAtOnce } from '../support/mostAtOnce.mts';
import { useRealQueue } from '../support/useRealN8n.mts';

/** Batches on n8n's workers that wait in the process of the worker. */

// One at a time: two executions at once are on two workers.
const n8n = useRealQueue({
	workers: 2,
	concurrency: 1,
	sandbox: { jobMs: { min: 500, max: 1500 }, queuedMs: 0 },
});

jest.setTimeout(120_000);

const tooMany = () => n8n.sandbox.journal.entries.filter(({ status }) => status === 429);

test('a batch keeps its order and the limits', async () => {
	const items = prompts(10);
	const { execution, outputs } = await n8n.run({ items, parameters });
	expect(execution.status).toBe('success');
	expect(promptsOf(n8n.sandbox, outputs[0])).toEqual(items.map(({ prompt }) => prompt));
	expect(n8n.sandbox.account.charges).toHaveLength(10);
	expect(mostAtOnce(n8n.sandbox)).toBeLessThanOrEqual(5);
	expect(tooMany()).toEqual([]);
	expect((await n8n.taken()).flat()).toEqual([execution.id]);
});

test('two batches on two workers: neither knows of the other, both wait until there is room', async () => {
	const before = await n8n.taken();
	const batches = ['cat', 'dog'].map((name) => prompts(8, name));
	const runs = await Promise.all(
		batches.map(async (items) => await n8n.run({ items, parameters, timeout: 100_000 })),
	);
	for (const [index, { execution, outputs }] of runs.entries()) {
		expect(execution.status).toBe('success');
		expect(promptsOf(n8n.sandbox, outputs[0])).toEqual(batches[index]?.map(({ prompt }) => prompt));
	}
	expect(n8n.sandbox.account.charges).toHaveLength(16);
	expect(mostAtOnce(n8n.sandbox)).toBeLessThanOrEqual(5);
	const since = (await n8n.taken()).map((ids, index) => ids.slice(before[index]?.length));
	expect(since.map((ids) => ids.length)).toEqual([1, 1]);
	expect(since.flat().sort()).toEqual(runs.map(({ execution }) => execution.id).sort());
});
