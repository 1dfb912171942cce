import { VirtualPolling } from '../../support/virtualPoll.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** Download File of the trigger. */

test('a job that is completed comes with its file, one that has failed with none', async () => {
	const n8n = new VirtualN8n();
	const events = ['completed', 'failed'];
	const workflow = new VirtualPolling(n8n).add({ events, downloadMedia: true });
	await n8n.clock.run(workflow.activate());
	const image = { resource: 'image', operation: 'generate', size: '1:1', waitForCompletion: false };
	const prompts = ['a kite', 'a whale [fail]'];
	await n8n.clock.run(
		n8n.execute({
			items: prompts.map(() => ({})),
			parameters: (i) => ({ ...image, prompt: prompts[i] }),
		}),
	);
	await n8n.clock.advance(5 * 60_000);
	expect(workflow.items).toHaveLength(2);
	const itemIn = (state: string) => workflow.items.find(({ json }) => json.status === state);
	const file = itemIn('completed')?.binary?.data;
	expect(file?.fileName).toMatch(/\.png$/);
	expect(Buffer.from(file?.data ?? '', 'base64').toString('latin1')).toMatch(/^\x89PNG/);
	expect(itemIn('failed')?.binary ?? {}).toEqual({});
});
