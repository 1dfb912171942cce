import { loadCatalog } from '../../../nodes/shared/catalog/liveCatalog.ts';
import { priceOf } from '../../../nodes/shared/spec/price.ts';
import { fakeService } from '../../support/fakeService.mts';

async function live(entry: object) {
	const { service } = fakeService([{ success: true, data: { models: [], operations: [entry] } }], {
		musicCatalogPath: '/music/{language}/catalog/',
	});
	const { operations } = await loadCatalog(service, 'en');
	return operations[0]!;
}

const STEMS = {
	id: 'stems',
	credits: 10,
	fields: [
		{ name: 'source', type: 'source' },
		{
			name: 'separation_type',
			type: 'select',
			required: true,
			options: [{ value: 'separate_vocal' }, { value: 'split_stem' }],
		},
	],
};

describe('prices of the live catalog', () => {
	test.each<[string, unknown]>([
		['a list', [{ option: 'separation_type', value: 'split_stem', credits: 50 }]],
		['a list by value', [{ value: 'split_stem', credits: 50 }]],
		['nested once more', { separation_type: { split_stem: { credits: 50 } } }],
		['mixed', { separation_type: { split_stem: 50, note: 'x' } }],
		['decimals as text', { separation_type: { split_stem: '50' } }],
	])(
		'by option in a form that is not known (%s): the limit counts no less than what may be charged',
		async (_, byOption) => {
			const operation = await live({ ...STEMS, credits_by_option: byOption });
			const estimate = priceOf(operation, { source: 'x', separation_type: 'split_stem' });
			// Either unknown (the limit cannot be kept) or at least 50.
			expect(estimate.credits ?? Infinity).toBeGreaterThanOrEqual(50);
		},
	);

	test('two options that both cost: exact is not claimed, and the sum is not undercut', async () => {
		const operation = await live({
			id: 'remix',
			credits: 7,
			fields: [
				{ name: 'quality', type: 'select', options: [{ value: 'draft' }, { value: 'studio' }] },
				{ name: 'length', type: 'select', options: [{ value: 'short' }, { value: 'long' }] },
			],
			credits_by_option: { quality: { draft: 7, studio: 14 }, length: { short: 0, long: 20 } },
		});
		const estimate = priceOf(operation, { quality: 'studio', length: 'long' });
		expect([estimate.exact, estimate.credits]).not.toEqual([true, 20]);
	});

	test('negative credits do not make room under the limit', async () => {
		const operation = await live({ id: 'remix', credits: -100, fields: [] });
		expect(priceOf(operation, {}).credits ?? Infinity).toBeGreaterThanOrEqual(0);
	});
});
