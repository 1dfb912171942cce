import type { IDataObject } from 'n8n-workflow';

import { VirtualN8n } from '../../support/virtualRun.mts';

test('Job > Get Status after a generation needs the item alone, and hands on what it says', async () => {
	const n8n = new VirtualN8n({ settings: { jobMs: { min: 5000, max: 5000 } } });
	const run = async (items: IDataObject[], parameters: IDataObject) =>
		(await n8n.clock.run(n8n.execute({ items, parameters, kind: 'video' }))).items.map(
			({ json }) => json,
		);
	const created = await run([{}], {
		resource: 'vidA31',
		operation: 'generate',
		prompt: 'a kite',
		waitForCompletion: false,
	});
	const [{ jobId } = {} as IDataObject] = created;
	expect(created[0]).toMatchObject({ mediaUrl: null, details: { startedWith: 'vidA31' } });
	const job = { resource: 'job', jobId };
	const seen = await run(created, { ...job, operation: 'get' });
	expect(seen[0]).toMatchObject({ jobId, details: { startedWith: 'vidA31' }, mediaUrl: null });
	const ended = await run(seen, { ...job, operation: 'wait' });
	expect(ended[0]).toMatchObject({
		mediaUrl: expect.stringContaining('.mp4'),
		status: 'completed',
		jobId,
		details: { startedWith: 'vidA31' },
	});
});

test('with Simplify off, it needs the item alone, too', async () => {
	const n8n = new VirtualN8n({ settings: { jobMs: { min: 0, max: 0 } } });
	const run = async (items: IDataObject[], parameters: IDataObject) =>
		await n8n.clock.run(n8n.execute({ items, parameters, kind: 'video' }));
	const raw = { options: { simplify: false } };
	const { items } = await run([{}], {
		resource: 'vidA31',
		operation: 'generate',
		prompt: 'a kite',
		...raw,
	});
	const json = items[0]!.json;
	expect(json).toMatchObject({ jobId: expect.any(String), startedWith: 'vidA31' });
	const job = { resource: 'job', operation: 'get', jobId: json.jobId, ...raw };
	const read = await run([json], job);
	expect(read.items[0]?.json).toMatchObject({ jobId: json.jobId, status: 'completed' });
});
