import type { IDataObject } from 'n8n-workflow';

import { jobOutput } from '../../../nodes/shared/output/jobOutput.ts';
import { resultUrls } from '../../../nodes/shared/output/resultUrls.ts';
import { IMAGE_CATALOG, MUSIC_CATALOG } from '../../../nodes/shared/spec/catalogs.ts';
import { sampled } from '../../support/sampled.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

const job = (record: object) =>
	({ id: 'x', state: 'completed', record, creation: {}, waitedMs: 0 }) as never;
const simplify = { simplify: true, resultField: '' };

function measured(record: object, origin: object = {}) {
	const bytes = JSON.stringify(record).length;
	const out = JSON.stringify(jobOutput(job(record), origin, simplify)).length;
	return { bytes, out };
}

describe('size of an item in proportion to the answer', () => {
	test('long names of fields around many short URLs', () => {
		let record: object = Object.fromEntries(
			Array.from({ length: 5000 }, (_, i) => [`u${i}`, `http://a/${i}`]),
		);
		for (let depth = 0; depth < 18; depth++) record = { ['n'.repeat(100)]: record };
		const { bytes, out } = measured({ status: 'completed', ...record }, { mediaType: 'image' });
		expect(out).toBeLessThan(20 * bytes);
	});

	test.each(sampled(['image', 'audio', 'text', undefined], 2))(
		'thousands of URLs, %s',
		(mediaType) => {
			const record = {
				items: Array.from({ length: 5000 }, (_, i) => ({
					id: i,
					audio_url: `http://a/${i}.mp3`,
					image: `http://a/${i}.png`,
				})),
			};
			const { bytes, out } = measured(record, { mediaType });
			expect(out).toBeLessThan(10 * bytes);
		},
	);

	test('deep nesting', () => {
		let record: object = { url: 'http://a/x' };
		for (let i = 0; i < 5000; i++) record = i % 2 ? [record] : { a: record };
		expect(() => resultUrls(job({ status: 'completed', record }), {}, '')).not.toThrow();
		expect(() => jobOutput(job({ status: 'completed', record }), {}, simplify)).not.toThrow();
	});

	test('names of objects', () => {
		const record = JSON.parse(
			'{"__proto__": {"url": "http://a/p.png"}, "constructor": {"url":"http://a/c.png"}, "toString": "http://a/t.png", "data": {"__proto__": ["http://a/l.png"]}, "generation_type": "__proto__"}',
		) as object;
		const json = jobOutput(job(record), {}, simplify);
		expect(Object.getPrototypeOf(json)).toBe(Object.prototype);
	});
});

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
				catalog: MUSIC_CATALOG,
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
				catalog: MUSIC_CATALOG,
			}),
		);
		expect(items).toHaveLength(1);
		expect(items[0]?.json.jobId).toBe('j1');
		expect(JSON.stringify(hints)).toContain('Options > Split Takes has no effect');
	});

	test('of an operation that only the live catalog has: an item does not carry all takes', async () => {
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
				catalog: MUSIC_CATALOG,
			}),
		);
		const sizes = items.map(({ json }) => JSON.stringify(json).length);
		expect(items).toHaveLength(count);
		expect(Math.max(...sizes)).toBeLessThan(5000);
	});
});

describe('URLs that are none', () => {
	test.each([
		'javascript:alert(1)//http://a/x.png',
		'data:text/html,http://a',
		'JAVASCRIPT:http://x',
		' file:///etc/passwd',
		'http://',
		'http://a b',
		'https:\\\\evil.example\\x.png',
		'http:/evil.example/x.png',
		'http:evil',
	])('%j', (url) => {
		const json = jobOutput(
			job({ status: 'completed', image_url: url }),
			{ mediaType: 'image' },
			simplify,
		);
		if (json.mediaUrl !== null) expect(String(json.mediaUrl)).toMatch(/^https?:\/\//i);
	});
});

const get = async (
	parameters: IDataObject,
	items: IDataObject[] = [{}],
	catalog = IMAGE_CATALOG,
) => {
	const n8n = new VirtualN8n();
	const result = await n8n.clock.run(
		n8n.execute({
			items,
			parameters: { resource: 'job', operation: 'get', ...parameters },
			catalog,
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
