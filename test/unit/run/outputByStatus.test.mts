import type { IDataObject } from 'n8n-workflow';

import { IMAGE } from '../../support/virtualImages.mts';
import { VirtualN8n, type NodeSettings } from '../../support/virtualRun.mts';

/** Each job on the output of its state: Completed, Failed, In Progress. */

const OPTIONS = { outputByStatus: true };

function open() {
	const n8n = new VirtualN8n({ settings: { jobMs: { min: 4000, max: 4000 } } });
	return {
		n8n,
		/** Numbers of the items on each output. */
		run: async (items: IDataObject[], node: NodeSettings & { type?: string } = {}) => {
			const { outputs, error, hints } = await n8n.clock.run(
				n8n.execute({ items: items.map(() => ({})), parameters: (i) => items[i]!, node }),
			);
			const numbers = outputs.map((output) =>
				output.map(({ pairedItem }) => (pairedItem as { item: number }).item),
			);
			return { numbers, outputs, error, hints };
		},
	};
}

const image = (prompt: string, options: IDataObject = {}): IDataObject => ({
	...IMAGE,
	prompt,
	options: { ...OPTIONS, ...options },
});

test('a job that has failed, and one that takes too long, are items of their own outputs', async () => {
	const items = [image('a'), image('b [fail]'), image('c', { timeout: 2 }), image('d')];
	const { numbers, outputs, error } = await open().run(items);
	expect(error).toBeUndefined();
	expect(numbers).toEqual([[0, 3], [1], [2]]);
	expect(outputs[1]?.[0]?.json.status).toBe('failed');
	expect(outputs[2]?.[0]?.json).toMatchObject({ timedOut: true, jobId: expect.any(String) });
});

test('jobs that nobody waits for are in progress', async () => {
	const { numbers } = await open().run([{ ...image('a'), waitForCompletion: false }]);
	expect(numbers).toEqual([[], [], [0]]);
});

describe.each<[string, (n8n: VirtualN8n) => IDataObject]>([
	[
		'an address that cannot be one',
		({ credential }) => {
			credential.baseUrl = 'ftp://service.example';
			return image('a');
		},
	],
	['an operation that there is not', () => ({ ...image('a'), operation: 'paint' })],
])('a run that cannot begin, by %s', (_, spoilt) => {
	const begun = async (onError: 'continueRegularOutput' | 'continueErrorOutput', more = {}) => {
		const { n8n, run } = open();
		const item = { ...spoilt(n8n), ...more };
		const { outputs, numbers, error } = await run([item, item], { onError });
		expect(error).toBeUndefined();
		expect(n8n.state.journal.entries).toEqual([]);
		return { outputs, numbers };
	};

	test('Continue: all its items are on Failed, and none elsewhere', async () => {
		const { outputs, numbers } = await begun('continueRegularOutput');
		expect(numbers).toEqual([[], [0, 1], []]);
		for (const { json } of outputs[1]!) expect(json.error).toEqual(expect.any(String));
	});

	// By these two fields alone, n8n knows that an item belongs on that output.
	test.each([[OPTIONS], [{}]])(
		'Continue (using error output), options %j: its items are nothing but error and message',
		async (options) => {
			const { outputs } = await begun('continueErrorOutput', { options });
			const [first, ...others] = outputs.flat().map(({ json }) => json);
			expect(others).toEqual([first]);
			expect(first).toEqual({
				error: expect.any(String),
				message: expect.objectContaining({
					status: 'failed',
					errorMessage: first!.error,
					charged: 'no',
				}),
			});
		},
	);
});

test('an agent has one output, and is told of failures as errors', async () => {
	const type = 'n8n-nodes-mediagen.mediaGenImageTool';
	expect((await open().run([image('a')], { type })).numbers).toEqual([[0]]);
	const failed = await open().run([image('a [fail]')], { type });
	expect(failed.error?.message).toContain('failed');
});
