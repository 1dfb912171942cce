import type { IDataObject } from 'n8n-workflow';

import { VirtualN8n } from '../../support/virtualRun.mts';

/** Job > Get Status after the nodes of the package, by the item alone. */

const GET = { resource: 'job', operation: 'get', startedWith: 'item' };
const get = (n8n: VirtualN8n, items: IDataObject[], idField = 'jobId') =>
	n8n.clock.run(
		n8n.execute({
			items,
			parameters: (i) => ({ ...GET, jobId: items[i]![idField] }) as IDataObject,
			kind: 'image',
		}),
	);

test.each([true, false])('Simplify %p', async (simplify) => {
	const n8n = new VirtualN8n();
	const made = await n8n.clock.run(
		n8n.execute({
			items: [{}],
			parameters: {
				resource: 'vidA31',
				operation: 'generate',
				prompt: 'a',
				model: 'modelA_fast',
				aspectRatio: '16:9',
				options: { simplify },
			},
			kind: 'video',
		}),
	);
	const { error } = await get(
		n8n,
		made.items.map(({ json }) => json),
	);
	expect(error?.message).toBeUndefined();
});

test('Get History, then Get Status by the id of an entry', async () => {
	const field = 'id';
	const n8n = new VirtualN8n();
	await n8n.clock.run(
		n8n.execute({
			items: [{}],
			parameters: {
				resource: 'image',
				operation: 'generate',
				prompt: 'a',
				size: '1:1',
				waitForCompletion: false,
			},
		}),
	);
	const history = await n8n.clock.run(
		n8n.execute({
			items: [{}],
			parameters: { resource: 'job', operation: 'history', returnAll: false, limit: 5 },
			kind: 'image',
		}),
	);
	const { error } = await get(
		n8n,
		history.items.map(({ json }) => json),
		field,
	);
	expect(error?.message).toBeUndefined();
});
