import type { IDataObject } from 'n8n-workflow';

import {
	IMAGE_CATALOG,
	MUSIC_CATALOG,
	VIDEO_CATALOG,
} from '../../../nodes/shared/spec/catalogs.ts';
import { VirtualN8n } from '../../support/virtualRun.mts';

const IMAGE = { resource: 'image', operation: 'generate', size: '1:1', prompt: 'a kite' };
const open = (more: object = {}) =>
	new VirtualN8n({ settings: { credits: { purchased: 1000, welcome: 0 }, ...more } as never });

describe('Output by Status', () => {
	test('differs between items', async () => {
		const n8n = open();
		const items = [
			{ ...IMAGE, options: {} },
			{ ...IMAGE, prompt: 'x [fail]', options: { outputByStatus: true } },
		] as IDataObject[];
		const { outputs, error } = await n8n.clock.run(
			n8n.execute({ items: [{}, {}], parameters: (i) => items[i]! }),
		);
		console.log(
			'differs',
			outputs.map((o) => o.map(({ json }) => json.status)),
			error?.message,
		);
	});

	test('with Split Takes: order and pairing', async () => {
		const paths = {
			musicSubmitPath: '/music/{operation}/',
			musicStatusPath: '/music/status/{job_id}/',
		};
		const n8n = new VirtualN8n({ settings: { openPaths: paths } as never }, paths);
		const song = {
			resource: 'song',
			operation: 'generate',
			model: 'V5',
			custom_mode: false,
			instrumental: true,
			options: { outputByStatus: true, splitTakes: true },
		};
		const prompts = ['a', 'b [fail]', 'c'];
		const { outputs, error } = await n8n.clock.run(
			n8n.execute({
				items: [{}, {}, {}],
				parameters: (i) => ({ ...song, prompt: prompts[i]! }),
				catalog: MUSIC_CATALOG,
			}),
		);
		console.log(
			'split',
			error?.message,
			JSON.stringify(
				outputs.map((o) => o.map(({ pairedItem }) => (pairedItem as { item: number }).item)),
			),
		);
		expect(
			outputs.map((o) => o.map(({ pairedItem }) => (pairedItem as { item: number }).item)),
		).toEqual([[0, 0, 2, 2], [1], []]);
	});
});

describe('Estimate Only and the jobs of an earlier try', () => {
	test('and with Retry On Fail: pays nothing, even where the first try was to pay', async () => {
		const n8n = open();
		let call = 0;
		n8n.state.faults.add({
			match: { kind: 'create' },
			fault: { kind: 'status', status: 500 },
			times: 1,
		});
		const result = await n8n.clock.run(
			n8n.execute({
				items: [{}],
				parameters: () => ({ ...IMAGE, options: { estimateOnly: call++ > 200 } }),
				node: { retryOnFail: true, maxTries: 3 },
			}),
		);
		console.log('retry', result.tries, result.error?.message, n8n.state.jobs.list.length);
		expect(n8n.state.jobs.list.length).toBeLessThanOrEqual(1);
	});
});

describe('Check Balance', () => {
	test.each<[string, unknown]>([
		['-1', -1],
		['text', '1000'],
		['huge', 1e308],
		['true', true],
		['list', [1000]],
		['fraction', 7.5],
	])('%s', async (_, balance) => {
		const n8n = open();
		n8n.state.faults.add({
			match: { operation: 'credits.get' },
			fault: { kind: 'status', status: 200, body: { credits_balance: balance } },
		} as never);
		const { error } = await n8n.clock.run(
			n8n.execute({ items: [{}], parameters: { ...IMAGE, options: { checkBalance: true } } }),
		);
		console.log('balance', balance, '=>', error?.message, n8n.state.jobs.list.length);
	});

	test('Continue: the same error stands in each item, and names a job of an earlier try', async () => {
		const n8n = open();
		const failing = { ...IMAGE, prompt: 'a [fail]' };
		const first = await n8n.clock.run(n8n.execute({ items: [{}], parameters: failing }));
		const second = await n8n.clock.run(n8n.retry(first));
		const third = await n8n.clock.run(
			n8n.retry({
				...second,
				options: {
					...second.options,
					node: { onError: 'continueRegularOutput' },
					parameters: { ...failing, options: { maxCredits: 7 } },
				},
			}),
		);
		console.log(JSON.stringify(third.items));
		for (const { id } of n8n.state.jobs.list) expect(JSON.stringify(third.items)).toContain(id);
	});
});

describe("an agent's tool", () => {
	const tool = { type: 'n8n-nodes-mediagen.mediaGenImageTool' };
	test('two equal items in one call: both jobs stay in the ledger', async () => {
		const n8n = open();
		const result = await n8n.clock.run(
			n8n.execute({ items: [{}, {}], parameters: { ...IMAGE, options: {} }, node: tool as never }),
		);
		const ids = n8n.state.jobs.list.map(({ id }) => id);
		console.log(
			'tool',
			ids,
			JSON.stringify(result.items.map(({ json }) => json)),
			JSON.stringify(result.memory),
		);
		for (const id of ids) expect(JSON.stringify(result.memory)).toContain(id);
	});
	test('limit', async () => {
		const n8n = open();
		const result = await n8n.clock.run(
			n8n.execute({
				items: [{}],
				parameters: { ...IMAGE, options: { maxCredits: 7 } },
				node: tool as never,
			}),
		);
		console.log('tool limit', result.error?.message);
		expect(n8n.state.jobs.list.length).toBe(0);
	});
	test('a job that times out in a tool names its job', async () => {
		const n8n = open();
		const result = await n8n.clock.run(
			n8n.execute({
				items: [{}],
				parameters: { ...IMAGE, options: { timeout: 1 } },
				node: { ...tool, onError: 'continueRegularOutput' } as never,
			}),
		);
		console.log('tool timeout', JSON.stringify(result.items));
		expect(JSON.stringify(result.items)).toContain(n8n.state.jobs.list[0]!.id);
	});
});

describe('a number for a text', () => {
	test.each([
		['jobId', 7],
		['prompt', 7],
	])('%s', async (name, value) => {
		const n8n = open();
		const job = {
			resource: 'job',
			operation: 'get',
			startedWith: 'generation',
			jobId: 'a',
			[name]: value,
		};
		const { error } = await n8n.clock.run(
			n8n.execute({
				items: [{}],
				parameters: name === 'jobId' ? job : { ...IMAGE, [name]: value },
				catalog: IMAGE_CATALOG,
			}),
		);
		expect(error?.message ?? '').not.toContain('must be a text');
	});
});
void VIDEO_CATALOG;
