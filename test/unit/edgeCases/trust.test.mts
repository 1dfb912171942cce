import type { IDataObject } from 'n8n-workflow';

import { VirtualN8n } from '../../support/virtualRun.mts';
import type { ItemKind } from '../../support/product.mts';

describe('Split Takes', () => {
	test('many takes with files stay in one item, of which so many files are downloaded', async () => {
		const paths = {
			musicSubmitPath: '/music/{operation}/',
			musicStatusPath: '/music/status/{job_id}/',
		};
		const takes = Array.from({ length: 101 }, (_, i) => ({
			id: `t${i}`,
			audio_url: `http://a/${i}.mp3`,
		}));
		const n8n = new VirtualN8n(
			{
				settings: { openPaths: paths },
				retell: (_answer, { method }) =>
					method === 'POST' ? { id: 'j1', status: 'processing' } : { status: 'completed', takes },
			},
			paths,
		);
		n8n.state.faults.add({ match: {}, fault: { kind: 'status', status: 200, body: {} } });
		const { items, hints } = await n8n.clock.run(
			n8n.execute({
				items: [{}],
				parameters: {
					...{ resource: 'song', operation: 'generate', model: 'V5', prompt: 'folk' },
					...{ downloadMedia: true, options: { splitTakes: true } },
				},
				kind: 'music',
			}),
		);
		expect(items).toHaveLength(1);
		expect(items[0]?.json.takes).toHaveLength(101);
		const { downloadErrors } = Object(items[0]?.json.details) as { downloadErrors: IDataObject[] };
		expect(downloadErrors.at(-1)?.error).toContain('left out: 1.');
		expect(JSON.stringify(hints)).toContain('101 files, and at most 100 are downloaded');
	});

	test('many takes in a record of many fields stay in one item', async () => {
		const paths = {
			musicSubmitPath: '/music/{operation}/',
			musicStatusPath: '/music/status/{job_id}/',
		};
		const list = <T,>(make: (index: number) => T) =>
			Array.from({ length: 2000 }, (_, i) => make(i));
		const record = {
			status: 'completed',
			...Object.fromEntries(list((i) => [`field${i}`, i])),
			takes: list((i) => ({ id: `t${i}`, audio_url: `http://a/${i}.mp3` })),
		};
		const n8n = new VirtualN8n(
			{
				settings: { openPaths: paths },
				retell: (answer, { method, url }) => {
					if (method === 'POST') return { id: 'j1', status: 'processing' };
					return url.includes('status') ? record : answer;
				},
			},
			paths,
		);
		n8n.state.faults.add({ match: {}, fault: { kind: 'status', status: 200, body: {} } });
		const { items, hints } = await n8n.clock.run(
			n8n.execute({
				items: [{}],
				parameters: {
					resource: 'song',
					operation: 'generate',
					model: 'V5',
					style: 'folk',
					options: { splitTakes: true, simplify: false },
				},
				kind: 'music',
			}),
		);
		expect(items).toHaveLength(1);
		expect(items[0]?.json.jobId).toBe('j1');
		expect(JSON.stringify(hints)).toContain('Options > Split Takes has no effect');
	});

	test('of an operation that only the live kind has: an item does not carry all takes', async () => {
		const count = 300;
		const n8n = new VirtualN8n(
			{
				settings: {
					openPaths: {
						musicSubmitPath: '/music/{operation}/',
						musicStatusPath: '/music/status/{job_id}/',
						musicCatalogPath: '/music/catalog/',
					},
				} as never,
				retell: (answer, request) => {
					const url = String(request.url);
					if (url.includes('catalog'))
						return {
							success: true,
							data: { models: [], operations: [{ id: 'sounds2', credits: 1, fields: [] }] },
						};
					if (url.includes('status'))
						return {
							status: 'completed',
							takes: Array.from({ length: count }, (_, i) => ({
								id: `t${i}`,
								audio_url: `http://a/${i}.mp3`,
								lyrics: 'la '.repeat(100),
							})),
						};
					if (request.method === 'POST') return { id: 'j1', status: 'processing' };
					return answer;
				},
			},
			{
				musicSubmitPath: '/music/{operation}/',
				musicStatusPath: '/music/status/{job_id}/',
				musicCatalogPath: '/music/catalog/',
			},
		);
		n8n.state.faults.add({
			match: {},
			fault: { kind: 'status', status: 200, body: { a: 1 } },
		} as never);
		const { items } = await n8n.clock.run(
			n8n.execute({
				items: [{}],
				parameters: {
					resource: 'catalog',
					operation: 'run',
					operationId: 'sounds2',
					fields: { value: {} },
					options: { splitTakes: true },
				},
				kind: 'music',
			}),
		);
		const sizes = items.map(({ json }) => JSON.stringify(json).length);
		expect(items).toHaveLength(count);
		expect(Math.max(...sizes)).toBeLessThan(5000);
	});
});

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
