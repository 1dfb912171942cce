import type { IDataObject } from 'n8n-workflow';

import { VirtualN8n } from '../../support/virtualRun.mts';
import type { ItemKind } from '../../support/product.mts';

const get = async (
	parameters: IDataObject,
	items: IDataObject[] = [{}],
	kind: ItemKind = 'image',
) => {
	const n8n = new VirtualN8n();
	const result = await n8n.clock.run(
		n8n.execute({
			items,
			parameters: { resource: 'job', operation: 'get', ...parameters },
			kind,
		}),
	);
	return { ...result, sent: n8n.state.journal.entries.map(({ path }) => path) };
};

describe('Job > Get', () => {
	test.each<[unknown]>([
		[12],
		[null],
		[undefined],
		[{}],
		[[]],
		[['a']],
		[true],
		['../../x'],
		['a/b?c=d#e'],
		['x'.repeat(100_000)],
		['__proto__'],
		['\u0000'],
		['\ud800'],
		[' '],
	])('a jobId of %p', async (jobId) => {
		const { error } = await get({ jobId, startedWith: 'generation' } as IDataObject);
		expect(error?.message.length ?? 0).toBeLessThan(3000);
	});

	test.each<[unknown]>([
		['__proto__'],
		['constructor'],
		['x'.repeat(100_000)],
		[null],
		[undefined],
		[{}],
		[['generation']],
		[{ toString: 'x' }],
		[''],
		['vidA31 '],
	])('Started With %p', async (startedWith) => {
		const { error } = await get({ jobId: 'a', startedWith } as IDataObject);
		expect(error?.message.length ?? 0).toBeLessThan(3000);
	});
});
