import { VirtualN8n } from '../../support/virtualRun.mts';

describe('fields that the user names', () => {
	test.each<[string, string]>([
		['an empty prompt', '{"prompt": ""}'],
		['a prompt of null', '{"prompt": null}'],
		['nothing', '{}'],
	])('JSON with %s: nothing is paid for', async (_, payload) => {
		const n8n = new VirtualN8n();
		const parameters = { resource: 'videoStudio', operation: 'generate', payload };
		await n8n.clock.run(n8n.execute({ items: [{}], parameters, kind: 'video' }));
		expect(n8n.state.jobs.list.length).toBe(0);
	});
});
