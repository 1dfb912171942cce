import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { openSandbox } from './harness.mts';
import { VIDEO_REQUESTS } from './videoRequests.mts';

type List = NonNullable<NonNullable<SandboxSettingsInput['shapes']>['list']>;

const HISTORY = '/api/v1/generate/history/';
const STUDIO_HISTORY = '/api/v1/video-studio/history/';
const CDN = 'https://cdn.example';
const { standard, videoStudio } = VIDEO_REQUESTS;

/** A sandbox whose lists have a shape; jobs have their numbers as prompts and take 5 s. */
async function openLists(list: List = {}, settings: SandboxSettingsInput = {}) {
	const limits = { concurrent: 1000, requestsPerWindow: 100_000 };
	const opened = await openSandbox({ limits, mediaBase: CDN, shapes: { list }, ...settings });
	const entries = async (query = '') => (await opened.get(`${HISTORY}?${query}`)).body;
	return {
		...opened,
		entries,
		/** Prompts of a page. */
		page: async (query?: string): Promise<string[]> =>
			(await entries(query)).map(({ prompt }: { prompt: string }) => prompt),
		states: async (): Promise<string[]> =>
			(await entries()).map(({ status }: { status: string }) => status),
		studio: async () => (await opened.get(STUDIO_HISTORY)).body,
		start: async (...prompts: string[]) => {
			const ids: string[] = [];
			for (const prompt of prompts) ids.push(await opened.image({ prompt }));
			return ids;
		},
		startStudio: async (prompt = 'a film') => {
			await opened.post(videoStudio.path, { ...videoStudio.body, prompt });
			return String(opened.sandbox.jobs.at(-1)?.id);
		},
	};
}

describe('pages of histories', () => {
	it('hold as many as maxPage, whatever limit is sent', async () => {
		const { start, page } = await openLists({ maxPage: 2 });
		await start('1', '2', '3', '4', '5');
		expect(await page('limit=4')).toEqual(['5', '4']);
		expect(await page('limit=4&offset=2')).toEqual(['3', '2']);
		expect(await page()).toEqual(['5', '4']);
		expect(await page('limit=1')).toEqual(['5']);
	});

	it('ignoresOffset: each is the first', async () => {
		const { start, page } = await openLists({ ignoresOffset: true });
		await start('1', '2', '3');
		expect(await page('limit=2&offset=2')).toEqual(['3', '2']);
		expect(await page('limit=2&offset=200')).toEqual(['3', '2']);
	});

	it('repeats: the last of one is the first of the next', async () => {
		const { start, page } = await openLists({ repeats: true });
		await start('1', '2', '3', '4');
		expect(await page('limit=2')).toEqual(['4', '3']);
		expect(await page('limit=2&offset=2')).toEqual(['3', '2']);
		expect(await page('limit=2&offset=4')).toEqual(['2', '1']);
		expect(await page('limit=2&offset=6')).toEqual(['1']);
	});

	it('repeats: a page lists jobs twice, and so does the history of Video Studio', async () => {
		const { start, startStudio, page, studio } = await openLists({ repeats: true });
		await start('1', '2', '3');
		expect(await page('limit=4')).toEqual(['3', '2', '2', '1']);
		const ids = [await startStudio(), await startStudio()];
		expect((await studio()).map((entry: any) => entry.generation_id)).toEqual([
			ids[1],
			ids[0],
			ids[0],
		]);
	});

	it('maxPage leaves a history without pages whole', async () => {
		const { startStudio, studio } = await openLists({ maxPage: 1 });
		await startStudio();
		await startStudio();
		expect(await studio()).toHaveLength(2);
	});
});

describe('order of histories', () => {
	const NUMBERS = ['1', '2', '3', '4', '5', '6', '7', '8'];

	it.each([
		['newest', ['3', '2', '1']],
		['oldest', ['1', '2', '3']],
	] as const)('%s first', async (order, expected) => {
		const { start, page } = await openLists({ order });
		await start('1', '2', '3');
		expect(await page()).toEqual(expected);
	});

	it('shuffled: another one in each answer, decided by the seed', async () => {
		const answers = async (seed: number) => {
			const { start, page } = await openLists({ order: 'shuffled' }, { seed });
			await start(...NUMBERS);
			return [await page(), await page(), await page()];
		};
		const [first, again, other] = [await answers(1), await answers(1), await answers(2)];
		for (const page of first) expect(page.toSorted()).toEqual(NUMBERS);
		expect(new Set(first.map(String)).size).toBe(3);
		expect(again).toEqual(first);
		expect(other).not.toEqual(first);
	});

	it('shuffled: starts again with a reset', async () => {
		const { start, page, sandbox } = await openLists({ order: 'shuffled' });
		await start(...NUMBERS);
		const first = await page();
		sandbox.reset();
		await start(...NUMBERS);
		expect(await page()).toEqual(first);
	});

	it('fixed: always the same, and new jobs are anywhere', async () => {
		const { start, page } = await openLists({ order: 'fixed' });
		await start(...NUMBERS);
		const before = await page();
		expect(before).not.toEqual(NUMBERS);
		expect(before).not.toEqual(NUMBERS.toReversed());
		expect(await page()).toEqual(before);
		await start('9', '10', '11');
		const after = await page();
		const added = ['9', '10', '11'];
		expect(after.filter((prompt) => !added.includes(prompt))).toEqual(before);
		expect(after.slice(0, 3).toSorted()).not.toEqual(added.toSorted());
	});

	it('holds for the history of Video Studio', async () => {
		const { startStudio, studio } = await openLists({ order: 'oldest' });
		const ids = [await startStudio(), await startStudio()];
		expect((await studio()).map((entry: any) => entry.generation_id)).toEqual(ids);
	});
});

describe('entries of histories', () => {
	const ended = async (entries: List['entries'], list: List = {}) => {
		const opened = await openLists({ ...list, entries });
		const [image = ''] = await opened.start('a cat');
		const film = await opened.startStudio();
		await opened.clock.advance(5000);
		const [filmEntry, imageEntry] = await opened.entries();
		const [studioEntry] = await opened.studio();
		return { ...opened, image, film, filmEntry, imageEntry, studioEntry };
	};

	it('have the identifier under any name', async () => {
		const { image, film, filmEntry, imageEntry, studioEntry } = await ended({ idField: 'uid' });
		expect(imageEntry).toMatchObject({ uid: image, status: 'completed' });
		expect(imageEntry).not.toHaveProperty('id');
		expect(filmEntry.uid).toBe(film);
		expect(studioEntry).toEqual({
			uid: film,
			status: 'completed',
			video_url: `${CDN}/media/${film}.mp4`,
		});
	});

	it('have the state under any name', async () => {
		const { imageEntry, studioEntry, film } = await ended({ stateField: 'phase' });
		expect(imageEntry).toMatchObject({ phase: 'completed' });
		expect(imageEntry).not.toHaveProperty('status');
		expect(studioEntry).toEqual({
			generation_id: film,
			phase: 'completed',
			video_url: `${CDN}/media/${film}.mp4`,
		});
	});

	it('urls: leave out the result, and only that', async () => {
		const { imageEntry, filmEntry, studioEntry, image, film, record } = await ended({
			urls: false,
		});
		expect(imageEntry).toEqual({
			id: image,
			status: 'completed',
			generation_type: 'image',
			prompt: 'a cat',
			credits_used: 8,
			created_at: expect.any(String),
			completed_at: expect.any(String),
		});
		expect(filmEntry).not.toHaveProperty('video_url');
		expect(studioEntry).toEqual({ generation_id: film, status: 'completed' });
		expect(await record(image)).toMatchObject({ image_url: `${CDN}/media/${image}.png` });
	});

	it('urls: a failed job has its reason all the same', async () => {
		const { start, clock, entries } = await openLists({ entries: { urls: false } });
		await start('[fail]');
		await clock.advance(5000);
		expect(await entries()).toMatchObject([
			{ status: 'failed', error_message: expect.any(String) },
		]);
	});

	it('types: in both histories or in none', async () => {
		const without = await ended({ types: false });
		expect(without.imageEntry).not.toHaveProperty('generation_type');
		expect(without.studioEntry).not.toHaveProperty('generation_type');
		const having = await ended({ types: true });
		expect(having.imageEntry).toMatchObject({ generation_type: 'image' });
		expect(having.studioEntry).toMatchObject({ generation_type: 'video' });
	});

	it('times: in both histories or in none', async () => {
		const without = await ended({ times: false });
		for (const entry of [without.imageEntry, without.studioEntry]) {
			expect(entry).not.toHaveProperty('created_at');
			expect(entry).not.toHaveProperty('completed_at');
		}
		const { imageEntry, studioEntry, sandbox } = await ended({ times: true });
		const [image, film] = sandbox.jobs.map(({ createdAt }) => createdAt);
		expect(imageEntry.created_at).toBe(new Date(image ?? 0).toISOString());
		expect(studioEntry.created_at).toBe(new Date(film ?? 0).toISOString());
		expect(studioEntry.completed_at).toBe(new Date((film ?? 0) + 5000).toISOString());
	});

	it('zone: times have none', async () => {
		const { imageEntry, studioEntry } = await ended({ times: true }, { zone: false });
		for (const entry of [imageEntry, studioEntry]) {
			expect(entry.created_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+$/);
			expect(entry.completed_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+$/);
		}
	});

	it('enveloped: each is in data', async () => {
		const { imageEntry, studioEntry, image, film } = await ended({ enveloped: true });
		expect(imageEntry).toEqual({ data: expect.objectContaining({ id: image }) });
		expect(studioEntry).toEqual({ data: expect.objectContaining({ generation_id: film }) });
	});

	it('leave the record of the status route as it is shown', async () => {
		const { record, image, get, film } = await ended({
			idField: 'uid',
			stateField: 'phase',
			urls: false,
			types: false,
			times: false,
			enveloped: true,
		});
		expect(await record(image)).toEqual({
			id: image,
			status: 'completed',
			generation_type: 'image',
			prompt: 'a cat',
			credits_used: 8,
			created_at: expect.any(String),
			completed_at: expect.any(String),
			image_url: `${CDN}/media/${image}.png`,
		});
		expect((await get(`/api/v1/video-studio/status/${film}/`)).body).toEqual({
			generation_id: film,
			status: 'completed',
			video_url: `${CDN}/media/${film}.mp4`,
		});
	});
});

describe('histories that lag', () => {
	it('list a new job some time after its creation', async () => {
		const { start, startStudio, page, studio, clock, record } = await openLists({
			lagMs: { min: 2000, max: 2000 },
		});
		const [id = ''] = await start('1');
		await startStudio();
		await clock.advance(1999);
		expect([await page(), await studio()]).toEqual([[], []]);
		expect(await record(id)).toMatchObject({ status: 'processing' });
		await clock.advance(1);
		expect(await page()).toHaveLength(2);
		expect(await studio()).toHaveLength(1);
	});

	it('draw the lag of each job, so that an older one may come later', async () => {
		const { start, page, clock } = await openLists({ lagMs: { min: 1000, max: 9000 } });
		const prompts = Array.from({ length: 20 }, (_, index) => String(index));
		await start(...prompts);
		await clock.advance(999);
		expect(await page()).toEqual([]);
		await clock.advance(4000);
		const early = await page();
		expect(early.length).toBeGreaterThan(0);
		expect(early.length).toBeLessThan(20);
		expect(early).not.toEqual(prompts.toReversed().slice(-early.length));
		expect(await page()).toEqual(early);
		await clock.advance(4001);
		expect(await page()).toEqual(prompts.toReversed());
	});

	it('show the end of a job some time after it', async () => {
		const { start, startStudio, entries, studio, record, get, clock } = await openLists({
			stateLagMs: { min: 3000, max: 3000 },
		});
		const [image = '', failed = ''] = await start('a cat', '[fail]');
		const film = await startStudio();
		await clock.advance(7999);
		expect(await entries(`type=image`)).toEqual(
			[
				{ id: failed, prompt: '[fail]' },
				{ id: image, prompt: 'a cat' },
			].map((entry) => ({
				...entry,
				status: 'processing',
				generation_type: 'image',
				credits_used: 8,
				created_at: expect.any(String),
				completed_at: null,
			})),
		);
		expect(await studio()).toEqual([{ generation_id: film, status: 'processing' }]);
		expect(await record(image)).toMatchObject({ status: 'completed' });
		expect(await record(failed)).toMatchObject({ status: 'failed' });
		const own = await get(`/api/v1/video-studio/status/${film}/`);
		expect(own.body).toMatchObject({ status: 'completed' });
		await clock.advance(1);
		expect(await entries()).toMatchObject([
			{ status: 'completed' },
			{ status: 'failed', error_message: expect.any(String) },
			{ status: 'completed', image_url: `${CDN}/media/${image}.png` },
		]);
		expect(await studio()).toMatchObject([{ status: 'completed' }]);
	});

	it('do not show a queued job as another', async () => {
		const { start, states, clock } = await openLists({ stateLagMs: { min: 3000, max: 3000 } });
		await start('1');
		expect(await states()).toEqual(['queued']);
		await clock.advance(1000);
		expect(await states()).toEqual(['processing']);
	});

	it('list ended jobs, where they list no others, when their end shows', async () => {
		const { start, states, clock } = await openLists({
			lists: 'ended',
			stateLagMs: { min: 3000, max: 3000 },
		});
		await start('1');
		await clock.advance(7999);
		expect(await states()).toEqual([]);
		await clock.advance(1);
		expect(await states()).toEqual(['completed']);
	});
});

describe('histories that keep recent jobs only', () => {
	it('list the newest', async () => {
		const { start, startStudio, page, studio } = await openLists({ keeps: 2 });
		const films = [await startStudio('1'), await startStudio('2'), await startStudio('3')];
		await start('4', '5', '6');
		expect(await page('limit=10')).toEqual(['6', '5']);
		expect(await page('limit=10&offset=2')).toEqual([]);
		expect((await studio()).map((entry: any) => entry.generation_id)).toEqual([films[2], films[1]]);
	});

	it('look for the type among these', async () => {
		const { start, post, page } = await openLists({ keeps: 2 });
		await start('1', '2');
		await post(standard.path, { ...standard.body, prompt: '3' });
		expect(await page()).toEqual(['3', '2']);
		expect(await page('type=image')).toEqual(['2']);
		expect(await page('type=video')).toEqual(['3']);
	});

	it('keep the newest in any order', async () => {
		const { start, page } = await openLists({ keeps: 2, order: 'oldest' });
		await start('1', '2', '3');
		expect(await page()).toEqual(['2', '3']);
	});
});

describe('settings of histories', () => {
	const SETTINGS = '/sandbox/settings';

	it('change while the sandbox runs, for jobs that are there too', async () => {
		const { start, clock, patch, entries, settings } = await openLists();
		const [id] = await start('1', '2', '3');
		await clock.advance(5000);
		const changed = await patch(SETTINGS, {
			shapes: {
				list: {
					body: 'dataResults',
					order: 'oldest',
					maxPage: 1,
					repeats: true,
					ignoresOffset: true,
					keeps: 3,
					lagMs: { max: 60_000 },
					stateLagMs: { min: 1000, max: 1000 },
					entries: { idField: 'uid', urls: false, types: false, times: false, enveloped: true },
				},
			},
		});
		expect(changed.status).toBe(200);
		expect(settings.shapes.list).toMatchObject({
			pageSize: 20,
			lagMs: { min: 0, max: 60_000 },
			entries: { idField: 'uid', stateField: null },
		});
		await clock.advance(60_000);
		expect(await entries('limit=5&offset=1')).toEqual({
			success: true,
			data: {
				results: [{ data: { uid: id, status: 'completed', prompt: '1', credits_used: 8 } }],
			},
		});
		const back = { order: 'newest', maxPage: null, repeats: false, entries: { idField: null } };
		await patch(SETTINGS, { shapes: { list: { ...back, body: 'items', keeps: null } } });
		expect(await entries('limit=1')).toMatchObject({
			items: [{ data: { id: expect.any(String), prompt: '3' } }],
			total: 3,
		});
	});

	it.each([
		{ order: 'random' },
		{ body: 'pages' },
		{ maxPage: 0 },
		{ keeps: -1 },
		{ repeats: 'yes' },
		{ lagMs: { min: 2, max: 1 } },
		{ stateLagMs: { min: 1 } },
		{ entries: { idField: '' } },
		{ entries: { colour: 'red' } },
	])('refuse %j', async (list) => {
		const { patch, settings } = await openLists();
		const before = structuredClone(settings.shapes);
		const { status, body } = await patch(SETTINGS, { shapes: { list } });
		expect(status).toBe(400);
		expect(body).toEqual({ success: false, error: expect.stringContaining('shapes.list.') });
		expect(settings.shapes).toEqual(before);
	});
});
