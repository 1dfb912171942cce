import type { IDataObject } from 'n8n-workflow';

import { IMAGE } from '../../support/virtualImages.mts';
import { VirtualN8n, type NodeSettings } from '../../support/virtualRun.mts';

/** Each job on the output of its state: Completed, Failed, In Progress. */

const OPTIONS = { outputByStatus: true };

/** What leaves by each output, and the numbers of its items. */
async function run(items: IDataObject[], node: NodeSettings & { type?: string } = {}) {
	const n8n = new VirtualN8n({ settings: { jobMs: { min: 4000, max: 4000 } } });
	const parameters = (i: number) => items[i]!;
	const { outputs, error } = await n8n.run({ items: items.map(() => ({})), parameters, node });
	const numbers = outputs.map((output) =>
		output.map(({ pairedItem }) => (pairedItem as { item: number }).item),
	);
	return { numbers, outputs, error };
}

const image = (prompt: string, options: IDataObject = {}): IDataObject => ({
	...IMAGE,
	prompt,
	options: { ...OPTIONS, ...options },
});

test('a job that has failed, and one that takes too long, are items of their own outputs', async () => {
	const items = [image('a'), image('b [fail]'), image('c', { timeout: 2 }), image('d')];
	const { numbers, outputs, error } = await run(items);
	expect(error).toBeUndefined();
	expect(numbers).toEqual([[0, 3], [1], [2]]);
	expect(outputs[1]?.[0]?.json.status).toBe('failed');
	expect(outputs[2]?.[0]?.json).toMatchObject({ timedOut: true, jobId: expect.any(String) });
});

test('jobs that nobody waits for are in progress', async () => {
	const { numbers } = await run([{ ...image('a'), waitForCompletion: false }]);
	expect(numbers).toEqual([[], [], [0]]);
});

test('an agent has one output, and is told of failures as errors', async () => {
	const type = 'n8n-nodes-mediagen.mediaGenImageTool';
	expect((await run([image('a')], { type })).numbers).toEqual([[0]]);
	const failed = await run([image('a [fail]')], { type });
	expect(failed.error?.message).toContain('failed');
});
