import type { IDataObject } from 'n8n-workflow';

import { MUSIC_CATALOG, VIDEO_CATALOG } from '../../../nodes/shared/spec/catalogs.ts';
import { loadCatalog } from '../../../nodes/shared/catalog/liveCatalog.ts';
import { priceOf } from '../../../nodes/shared/spec/price.ts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { fakeService } from '../../support/fakeService.mts';

const IMAGE = { resource: 'image', operation: 'generate', size: '1:1', prompt: 'a kite' };

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

describe('the error of a guard names all that may be paid for', () => {
	test('a job that was replaced', async () => {
		const n8n = new VirtualN8n({ settings: { credits: { purchased: 1000, welcome: 0 } } });
		const failing = { ...IMAGE, prompt: 'a [fail]' };
		const first = await n8n.clock.run(n8n.execute({ items: [{}], parameters: failing }));
		const second = await n8n.clock.run(n8n.retry(first));
		const third = await n8n.clock.run(
			n8n.retry({
				...second,
				options: { ...second.options, parameters: { ...failing, options: { maxCredits: 7 } } },
			}),
		);
		const ids = n8n.state.jobs.list.map(({ id }) => id);
		for (const id of ids) expect(third.error?.description).toContain(id);
	});
});

describe('Continue: a limit holds for the run', () => {
	test('also that of an item which is invalid', async () => {
		const n8n = new VirtualN8n({ settings: { credits: { purchased: 1000, welcome: 0 } } });
		const items: IDataObject[] = [
			{ ...IMAGE, prompt: '', options: { maxCredits: 8 } },
			{ ...IMAGE, options: { maxCredits: 1000 } },
			{ ...IMAGE, options: { maxCredits: 1000 } },
		];
		await n8n.clock.run(
			n8n.execute({
				items: [{}, {}, {}],
				parameters: (i) => items[i]!,
				node: { onError: 'continueRegularOutput' },
			}),
		);
		expect(n8n.state.jobs.list.length).toBe(0);
	});

	test.each([['yes'], [1], [null], [undefined]])(
		'Estimate Only that gives %p for one item and false for others: nothing is paid',
		async (odd) => {
			const n8n = new VirtualN8n({ settings: { credits: { purchased: 1000, welcome: 0 } } });
			const items = [
				{ ...IMAGE, options: { estimateOnly: odd } },
				{ ...IMAGE, options: { estimateOnly: false } },
			] as unknown as IDataObject[];
			await n8n.clock.run(
				n8n.execute({
					items: [{}, {}],
					parameters: (i) => items[i]!,
					node: { onError: 'continueRegularOutput' },
				}),
			);
			expect(n8n.state.jobs.list.length).toBe(0);
		},
	);

	test('a limit that cannot be read for one item: no other item is paid for', async () => {
		const n8n = new VirtualN8n({ settings: { credits: { purchased: 1000, welcome: 0 } } });
		const items = [
			{ ...IMAGE, options: { maxCredits: null } },
			{ ...IMAGE, options: { maxCredits: 8 } },
		] as unknown as IDataObject[];
		await n8n.clock.run(
			n8n.execute({
				items: [{}, {}],
				parameters: (i) => items[i]!,
				node: { onError: 'continueRegularOutput' },
			}),
		);
		expect(n8n.state.jobs.list.length).toBe(0);
	});
});

describe('options that are not an object', () => {
	test.each<[string, unknown]>([
		['a JSON text', '{"maxCredits": 1}'],
		['a list', [{ maxCredits: 1 }]],
		['a text', 'maxCredits'],
	])('%s is refused, not read as no options', async (_, options) => {
		const n8n = new VirtualN8n({ settings: { credits: { purchased: 1000, welcome: 0 } } });
		await n8n.clock.run(
			n8n.execute({ items: [{}], parameters: { ...IMAGE, options } as IDataObject }),
		);
		expect(n8n.state.jobs.list.length).toBe(0);
	});
});

describe('text that shows nothing', () => {
	test.each([
		'\u200b',
		'\u2060',
		'\u00ad',
		'\u3164',
		'\u0000',
		'\ufeff',
		'\u00a0',
		'\u200b \u200d',
	])('a prompt of %j is no prompt', async (prompt) => {
		const n8n = new VirtualN8n({ settings: { credits: { purchased: 1000, welcome: 0 } } });
		await n8n.clock.run(n8n.execute({ items: [{}], parameters: { ...IMAGE, prompt } }));
		expect(n8n.state.jobs.list.length).toBe(0);
	});
});

void MUSIC_CATALOG;
void VIDEO_CATALOG;
