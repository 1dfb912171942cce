import { VirtualN8n } from '../../support/virtualRun.mts';

/** Several rows with Download File. */

test('each item with a file belongs to its row', async () => {
	const n8n = new VirtualN8n();
	const prompts = ['a kite', 'a fox', 'a whale'];
	const image = { resource: 'image', operation: 'generate', size: '1:1', downloadMedia: true };
	const { items } = await n8n.clock.run(
		n8n.execute({
			items: prompts.map(() => ({})),
			parameters: (i) => ({ ...image, prompt: prompts[i] }),
		}),
	);
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
		{ item: 0 },
		{ item: 1 },
		{ item: 2 },
	]);
	expect(items.map(({ binary }) => binary?.data?.fileName)).toEqual([
		'01-a-kite.png',
		'02-a-fox.png',
		'03-a-whale.png',
	]);
});
