import { openSandbox } from './harness.mts';
import { VIDEO_REQUESTS } from './videoRequests.mts';

const { standard, vidA31, videoStudio } = VIDEO_REQUESTS;
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const open = () => openSandbox({ mediaBase: 'https://cdn.example' });

describe('standard video', () => {
	it('answers a generation creation result and a generation record', async () => {
		const { post, record, sandbox, clock } = await open();
		const created = await post(standard.path, standard.body);
		expect(created.body).toEqual({
			success: true,
			data: {
				generation_id: expect.stringMatching(UUID),
				status: 'processing',
				credits_used: 150,
				credits_remaining: 900,
				message: expect.any(String),
			},
		});
		const id = sandbox.jobs[0]?.id ?? '';
		const queued = {
			id,
			generation_type: 'video',
			status: 'queued',
			prompt: standard.body.prompt,
			video_model: 'modelA_fast',
			credits_used: 150,
			created_at: '2026-01-01T00:00:00.000Z',
			completed_at: null,
		};
		expect(await record(id)).toEqual(queued);
		await clock.advance(5000);
		expect(await record(id)).toEqual({
			...queued,
			status: 'completed',
			completed_at: '2026-01-01T00:00:05.000Z',
			video_url: `https://cdn.example/media/${id}.mp4`,
		});
	});

	it('says why it failed', async () => {
		const { post, record, clock, sandbox } = await open();
		await post(standard.path, { ...standard.body, prompt: 'a kite [fail]' });
		await clock.advance(5000);
		const failed = await record(sandbox.jobs[0]?.id ?? '');
		expect(failed).toMatchObject({ status: 'failed', error_message: expect.any(String) });
		expect(failed).not.toHaveProperty('video_url');
	});
});

describe('family A', () => {
	const create = async (body: object = vidA31.body) => {
		const sandbox = await open();
		const created = await sandbox.post(vidA31.path, body);
		const id: string = created.body.data.task_id;
		return { ...sandbox, created, id, status: () => sandbox.get(`/vidA31/api/status/${id}/`) };
	};

	it('answers a task, and its status in the envelope', async () => {
		const { created, id, status, clock } = await create();
		expect(created.body).toEqual({
			success: true,
			data: {
				task_id: id,
				status: 'processing',
				model: 'modelA_fast',
				credits_charged: 100,
				estimated_time: '5 seconds',
			},
		});
		expect((await status()).body).toEqual({ success: true, data: { status: 'queued' } });
		await clock.advance(1000);
		expect((await status()).body).toEqual({ success: true, data: { status: 'processing' } });
		await clock.advance(4000);
		expect((await status()).body).toEqual({
			success: true,
			data: {
				status: 'completed',
				video_url: `https://cdn.example/media/${id}.mp4`,
				resolution: '1080p',
				duration: 8,
			},
		});
	});

	it('says why it failed', async () => {
		const { status, clock } = await create({ ...vidA31.body, prompt: '[fail]' });
		await clock.advance(5000);
		expect((await status()).body).toEqual({
			success: true,
			data: { status: 'failed', error_message: expect.any(String) },
		});
	});

	it('is read at its own route alone', async () => {
		const { id, get } = await create();
		expect((await get(`/api/v1/generate/${id}/`)).status).toBe(404);
		expect((await get(`/open/status/${id}/`)).status).toBe(404);
		expect((await get(`/api/v1/video-studio/status/${id}/`)).status).toBe(404);
	});
});

describe('Video Studio', () => {
	it('is read at its own route, whatever its identifier is called', async () => {
		for (const idField of ['generation_id', 'job_id', 'id']) {
			const { post, get, clock } = await openSandbox({
				mediaBase: 'https://cdn.example',
				shapes: { creation: { idField } },
			});
			const created = await post(videoStudio.path, videoStudio.body);
			const id = created.body.data[idField];
			const status = () => get(`/api/v1/video-studio/status/${id}/`);
			expect((await status()).body).toEqual({ [idField]: id, status: 'queued' });
			await clock.advance(5000);
			expect((await status()).body).toEqual({
				[idField]: id,
				status: 'completed',
				video_url: `https://cdn.example/media/${id}.mp4`,
			});
			const general = await get(`/api/v1/generate/${id}/`);
			expect(general.status).toBe(idField === 'generation_id' ? 200 : 404);
		}
	});

	it('fails a job whose prompt says so, wherever it is', async () => {
		const { post, sandbox, clock } = await open();
		await post(videoStudio.path, { input: { shots: [{ text: 'a kite [fail]' }] } });
		await clock.advance(5000);
		expect(sandbox.jobs.map(({ state }) => state)).toEqual(['failed']);
	});
});
