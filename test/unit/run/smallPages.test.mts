import { VirtualN8n } from '../../support/virtualRun.mts';

/** A history whose pages are smaller than was asked for: the document names no size. */

/** From the document. */
const HISTORY = '/api/v1/generate/history/';

test('Return All reads on until there is nothing more, each entry once', async () => {
	const all = Array.from({ length: 250 }, (_, index) => ({ id: `g${index}`, status: 'completed' }));
	const n8n = new VirtualN8n({
		retell: (answer, { url, qs = {} }) => {
			if (new URL(url).pathname !== HISTORY) return answer;
			const offset = Number(qs.offset ?? 0);
			return all.slice(offset, offset + Math.min(50, Number(qs.limit ?? 50)));
		},
	});
	const parameters = { resource: 'job', operation: 'history', returnAll: true };
	const { items, error } = await n8n.clock.run(n8n.execute({ items: [{}], parameters }));
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.id)).toEqual(all.map(({ id }) => id));
});
