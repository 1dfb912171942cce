import { MADE_UP_CATALOG } from '../../support/madeUpOperations.mts';
import { openSandbox } from './harness.mts';

const open = () => openSandbox({ catalogs: [MADE_UP_CATALOG], mediaBase: 'https://cdn.example' });

const PATH = '/vidZ/generate/';
const text = { mode: 'text', prompt: 'a film', model: 'fast', seconds: 3 };

/** What the service would do is told by the table of a family alone. */
describe('a family that only its table knows', () => {
	it('has its own answers', async () => {
		const { post, get, clock } = await open();
		const created = await post(PATH, { ...text, seconds: 4, model: 'fine', sound: true });
		expect(created.status).toBe(201);
		expect(created.body).toEqual({
			success: true,
			data: {
				task_id: expect.any(String),
				status: 'processing',
				model: 'fine',
				credits_charged: 308,
				estimated_time: '5 seconds',
			},
		});
		const id = created.body.data.task_id;
		const status = () => get(`/vidZ/status/${id}/`);
		expect((await status()).body).toEqual({ success: true, data: { status: 'queued' } });
		await clock.advance(5000);
		expect((await status()).body.data).toMatchObject({
			status: 'completed',
			video_url: `https://cdn.example/media/${id}.mp4`,
		});
		expect((await get(`/api/v1/generate/${id}/`)).status).toBe(404);
	});

	it('tells operations at the same path apart', async () => {
		const { post, journal } = await open();
		await post(PATH, text);
		await post(PATH, { ...text, mode: 'image' });
		await post(PATH, { prompt: 'a film' });
		expect(journal.entries.map(({ operation, status }) => [operation, status])).toEqual([
			['vidZ.textToVideo', 201],
			['vidZ.imageToVideo', 400],
			[undefined, 400],
		]);
	});
});
