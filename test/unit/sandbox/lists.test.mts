import { IMAGE_CATALOG } from '../../../nodes/shared/spec/catalogs.ts';
import { MADE_UP_CATALOG } from '../../support/madeUpOperations.mts';
import { openSandbox } from './harness.mts';
import { VIDEO_REQUESTS } from './videoRequests.mts';

const HISTORY = '/api/v1/generate/history/';
const prompts = (records: { prompt: string }[]) => records.map(({ prompt }) => prompt);

describe('history', () => {
	const withJobs = async (count: number) => {
		const catalogs = [IMAGE_CATALOG, MADE_UP_CATALOG];
		const sandbox = await openSandbox({ catalogs, limits: { concurrent: 100 } });
		for (let number = 1; number <= count; number++) {
			await sandbox.image({ prompt: `number ${number}` });
		}
		return sandbox;
	};

	it('gives the newest first, page by page', async () => {
		const { get } = await withJobs(5);
		const page = async (query: string) => prompts((await get(`${HISTORY}?${query}`)).body);
		expect(await page('')).toEqual(['number 5', 'number 4', 'number 3', 'number 2', 'number 1']);
		expect(await page('limit=2')).toEqual(['number 5', 'number 4']);
		expect(await page('limit=2&offset=2')).toEqual(['number 3', 'number 2']);
		expect(await page('limit=2&offset=4')).toEqual(['number 1']);
		expect(await page('limit=2&offset=6')).toEqual([]);
	});

	it('has a page size of its own where no limit is sent', async () => {
		const { get, settings } = await withJobs(25);
		expect((await get(HISTORY)).body).toHaveLength(20);
		settings.shapes.list.pageSize = 3;
		expect((await get(HISTORY)).body).toHaveLength(3);
	});

	it('keeps to the type', async () => {
		const { get, post } = await withJobs(1);
		await post('/vidZ/generate/', { mode: 'text', prompt: 'a film', model: 'fast', seconds: 3 });
		expect(prompts((await get(HISTORY)).body)).toEqual(['a film', 'number 1']);
		expect(prompts((await get(`${HISTORY}?type=image`)).body)).toEqual(['number 1']);
		expect(prompts((await get(`${HISTORY}?type=video`)).body)).toEqual(['a film']);
	});
});

describe('Video Studio history', () => {
	const { standard, videoStudio } = VIDEO_REQUESTS;
	const start = async (settings = {}) => {
		const opened = await openSandbox({ mediaBase: 'https://cdn.example', ...settings });
		await opened.post(videoStudio.path, videoStudio.body);
		await opened.clock.advance(5000);
		await opened.post(standard.path, standard.body);
		await opened.post(videoStudio.path, videoStudio.body);
		const ids = opened.sandbox.jobs.map(({ id }) => id);
		return { ...opened, ids, history: () => opened.get('/api/v1/video-studio/history/') };
	};

	it('gives its own jobs, the newest first', async () => {
		const { history, ids } = await start();
		const answer = await history();
		expect(answer.status).toBe(200);
		expect(answer.body).toEqual([
			{ generation_id: ids[2], status: 'queued' },
			{
				generation_id: ids[0],
				status: 'completed',
				video_url: `https://cdn.example/media/${ids[0]}.mp4`,
			},
		]);
	});

	it('follows the shapes of the settings', async () => {
		const shapes = {
			creation: { idField: 'job_id' },
			record: { stateField: 'state', resultUrl: 'url' },
			list: { body: 'results' },
		};
		const { history, ids } = await start({ shapes });
		expect((await history()).body).toEqual({
			results: [
				{ job_id: ids[2], state: 'queued' },
				{ job_id: ids[0], state: 'completed', url: `https://cdn.example/media/${ids[0]}.mp4` },
			],
			count: 2,
		});
	});

	it('takes no query parameters, since none is shown', async () => {
		const { get } = await openSandbox();
		const answer = await get('/api/v1/video-studio/history/?limit=1');
		expect(answer.body.details).toEqual({ limit: 'Unknown field.' });
	});

	it('is part of the history of all generations', async () => {
		const { get, ids, image } = await start();
		await image();
		const videos = (await get(`${HISTORY}?type=video`)).body;
		expect(videos.map(({ id }: { id: string }) => id)).toEqual([...ids].reverse());
		expect(videos[1]).toMatchObject({
			generation_type: 'video',
			status: 'queued',
			video_model: 'modelA_fast',
		});
		expect((await get(HISTORY)).body).toHaveLength(4);
	});
});

describe('model listings', () => {
	it('has image models', async () => {
		const { get } = await openSandbox();
		const answer = await get('/api/v1/models/image/');
		expect(answer.status).toBe(200);
		expect(answer.body.length).toBeGreaterThan(1);
	});

	it('has video models with capabilities, ratios, durations and quality modes', async () => {
		const { get } = await openSandbox();
		const answer = await get('/api/v1/models/video/');
		expect(answer.status).toBe(200);
		expect(answer.body.length).toBeGreaterThan(1);
		for (const entry of answer.body) {
			expect(entry).toMatchObject({
				capabilities: expect.any(Array),
				aspect_ratios: expect.any(Array),
				durations: expect.any(Array),
				quality_modes: expect.any(Array),
			});
		}
	});
});
