import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { CDN, HISTORY, openSandbox, STUDIO } from './harness.mts';

type List = NonNullable<NonNullable<SandboxSettingsInput['shapes']>['list']>;

/** A sandbox whose lists have a shape. */
async function openLists(list: List = {}, settings: SandboxSettingsInput = {}) {
	const limits = { concurrent: 1000, requestsPerWindow: 100_000 };
	const opened = await openSandbox({ limits, shapes: { list }, ...settings });
	const entries = async (query = '') => (await opened.get(`${HISTORY}?${query}`)).body;
	const field = async (name: string, query?: string): Promise<string[]> =>
		(await entries(query)).map((entry: Record<string, string>) => entry[name]);
	return {
		...opened,
		entries,
		field,
		page: async (query?: string) => await field('prompt', query),
		studio: async () => (await opened.get(`${STUDIO}history/`)).body,
		start: async (...prompts: string[]) => {
			for (const prompt of prompts) await opened.image(prompt);
			return opened.sandbox.jobs.map(({ id }) => id);
		},
		startStudio: async () =>
			(await opened.create(`${STUDIO}generate/`, { model: 'm', prompt: 'a film' })).id,
	};
}

const NUMBERS = ['1', '2', '3', '4', '5', '6', '7', '8'];

test.each<[string, List, Record<string, string>]>([
	['newest first', {}, { '': '87654321', 'limit=2&offset=2': '65', 'limit=2&offset=8': '' }],
	['oldest', { order: 'oldest' }, { '': '12345678', 'limit=1': '1' }],
	['pageSize', { pageSize: 3 }, { '': '876', 'limit=4': '8765' }],
	['maxPage', { maxPage: 2 }, { '': '87', 'limit=4': '87', 'limit=4&offset=2': '65' }],
	['ignoresOffset', { ignoresOffset: true }, { 'limit=2&offset=4': '87' }],
	['repeats', { repeats: true }, { 'limit=2': '87', 'limit=2&offset=2': '76' }],
	['keeps', { keeps: 2, order: 'oldest' }, { '': '78', 'limit=4&offset=2': '' }],
	['type', {}, { 'type=video': '', 'type=image&limit=1': '8' }],
	['lists', { lists: 'video' }, { '': '' }],
	['ended', { lists: 'ended' }, { '': '' }],
])('pages: %s', async (_, list, pages) => {
	const { start, page } = await openLists(list);
	await start(...NUMBERS);
	for (const [query, prompts] of Object.entries(pages)) {
		expect([query, (await page(query)).join('')]).toEqual([query, prompts]);
	}
});

test.each(['limit=ten', 'page=2'])('refused: %s', async (query) => {
	const { entries } = await openLists();
	expect(Object.keys((await entries(query)).details)).toEqual([query.split('=')[0]]);
});

test.each([
	['shuffled', 3],
	['fixed', 1],
] as const)('order: %s has %d orders in three answers, by the seed', async (order, different) => {
	const answers = async (seed: number) => {
		const { start, page } = await openLists({ order }, { seed });
		await start(...NUMBERS);
		return [await page(), await page(), await page()].map((prompts) => prompts.join(''));
	};
	const [first, again, other] = [await answers(1), await answers(1), await answers(2)];
	for (const prompts of first) expect([...prompts].sort()).toEqual(NUMBERS);
	expect(new Set(first).size).toBe(different);
	expect(again).toEqual(first);
	expect(other).not.toEqual(first);
});

test.each<[NonNullable<List['body']>, (entries: object[]) => unknown]>([
	['array', (entries) => entries],
	['results', (results) => ({ results, count: 1 })],
	['items', (items) => ({ items, total: 1 })],
	['data', (data) => ({ success: true, data })],
	['dataResults', (results) => ({ success: true, data: { results } })],
	['none', () => ({ success: true, data: { count: 1 } })],
])('bodies: %s', async (body, expected) => {
	const { start, entries } = await openLists({ body });
	const [id] = await start('1');
	expect(await entries()).toEqual(expected([expect.objectContaining({ id })]));
});

const SHOWN = {
	...{ status: 'completed', generation_type: 'image', prompt: ' a cat', credits_used: 8 },
	...{ created_at: '2026-01-01T00:00:00.000Z', completed_at: '2026-01-01T00:00:05.000Z' },
};

test.each<[List, (id: string) => unknown, object]>([
	[{}, (id) => ({ id, ...SHOWN, image_url: `${CDN}/media/${id}.png` }), {}],
	[{ entries: { idField: 'uid' } }, (uid) => expect.objectContaining({ uid }), {}],
	[{ entries: { stateField: 'phase' } }, () => expect.objectContaining({ phase: 'completed' }), {}],
	[{ entries: { urls: false } }, (id) => ({ id, ...SHOWN }), {}],
	[
		{ entries: { urls: false, types: false, times: false } },
		(id) => ({ id, status: 'completed', prompt: ' a cat', credits_used: 8 }),
		{},
	],
	[{ entries: { enveloped: true } }, (id) => ({ data: expect.objectContaining({ id }) }), {}],
	[
		{ zone: false, trimmed: true },
		() => expect.objectContaining({ prompt: 'a cat', created_at: '2026-01-01T00:00:00.000' }),
		{},
	],
	[
		{ entries: { ownId: true } },
		(id) => expect.objectContaining({ id: `own-${id}`, generation_id: id }),
		{ served: 'general' },
	],
])('entries: %j', async (list, expected, more) => {
	const shapes = { list, ...more };
	const { start, clock, entries } = await openLists({}, { shapes });
	const [id = ''] = await start(' a cat');
	await clock.advance(5000);
	expect(await entries()).toEqual([expected(id)]);
});

test('Video Studio has its own, with types and times if they say so', async () => {
	const { start, startStudio, clock, studio, sandbox, page } = await openLists();
	await start('a cat');
	const film = await startStudio();
	await clock.advance(5000);
	const entry = {
		...{ generation_id: film, status: 'completed', video_url: `${CDN}/media/${film}.mp4` },
	};
	expect(await studio()).toEqual([entry]);
	Object.assign(sandbox.settings.shapes.list.entries, { types: true, times: true });
	expect(await studio()).toMatchObject([{ ...entry, generation_type: 'video' }]);
	expect(await page()).toEqual(['a film', 'a cat']);
});

describe('lag', () => {
	test('of new jobs, which is drawn for each', async () => {
		const { start, page, clock } = await openLists({ lagMs: { min: 1000, max: 9000 } });
		await start(...NUMBERS);
		await clock.advance(999);
		expect(await page()).toEqual([]);
		await clock.advance(4000);
		const early = await page();
		expect(early.length).toBeGreaterThan(0);
		expect(early.length).toBeLessThan(8);
		expect(await page()).toEqual(early);
		await clock.advance(4001);
		expect(await page()).toHaveLength(8);
	});

	test('of ends: until then a job is processing, and not listed where only ended ones are', async () => {
		const { start, field, record, clock, sandbox } = await openLists({
			stateLagMs: { min: 3000, max: 3000 },
		});
		const [id = ''] = await start('1');
		expect(await field('status')).toEqual(['queued']);
		await clock.advance(7999);
		expect(await field('status')).toEqual(['processing']);
		expect(await field('completed_at')).toEqual([null]);
		expect(await record(id)).toMatchObject({ status: 'completed' });
		sandbox.settings.shapes.list.lists = 'ended';
		expect(await field('status')).toEqual([]);
		await clock.advance(1);
		expect(await field('status')).toEqual(['completed']);
	});
});
