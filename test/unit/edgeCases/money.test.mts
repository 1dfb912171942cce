import type { IDataObject } from 'n8n-workflow';

import { toldBy } from '../../support/toldBy.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

const IMAGE = { resource: 'image', operation: 'generate', size: '1:1', prompt: 'a kite' };

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
		for (const id of ids) expect(toldBy(third.error)).toContain(id);
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
					parameters: IMAGE,
					evaluated: (i) => items[i]!,
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
			n8n.execute({
				items: [{}],
				parameters: IMAGE,
				evaluated: { options } as IDataObject,
			}),
		);
		expect(n8n.state.jobs.list.length).toBe(0);
	});
});

describe('text that shows nothing', () => {
	test.each(['\u200b', '\u2060', '\u00ad', '\u0000', '\ufeff', '\u00a0', '\u200b \u200d'])(
		'a prompt of %j is no prompt',
		async (prompt) => {
			const n8n = new VirtualN8n({ settings: { credits: { purchased: 1000, welcome: 0 } } });
			await n8n.clock.run(n8n.execute({ items: [{}], parameters: { ...IMAGE, prompt } }));
			expect(n8n.state.jobs.list.length).toBe(0);
		},
	);
});
