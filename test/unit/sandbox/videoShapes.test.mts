import { openSandbox } from './harness.mts';
import { OPEN_REQUESTS, VIDEO_REQUESTS } from './videoRequests.mts';

const CDN = 'https://cdn.example';
const { standard, vidA31, vidC, vidD, videoStudio } = VIDEO_REQUESTS;

describe('shapes of video answers that are not shown', () => {
	it.each(
		OPEN_REQUESTS.flatMap((request) =>
			['generation_id', 'task_id', 'job_id', 'id'].flatMap((idField) =>
				[true, false].map((enveloped) => ({ ...request, idField, enveloped })),
			),
		),
	)(
		'$operation: $idField, enveloped $enveloped',
		async ({ path, body, credits, idField, enveloped }) => {
			const { post, get, sandbox, clock } = await openSandbox({
				mediaBase: CDN,
				shapes: {
					creation: { idField, enveloped, stateField: 'state' },
					record: { enveloped, stateField: 'phase', resultUrl: 'output.videos[].url' },
				},
			});
			const wrapped = (data: object) => (enveloped ? { success: true, data } : data);
			const created = await post(path, body);
			const id = sandbox.jobs[0]?.id;
			expect(created.body).toEqual(
				wrapped({
					[idField]: id,
					state: 'processing',
					credits_used: credits,
					credits_remaining: 1050 - credits,
				}),
			);

			await clock.advance(5000);
			const [general, own] = await Promise.all([
				get(`/api/v1/generate/${id}/`),
				get(`/open/status/${id}/`),
			]);
			const url = `${CDN}/media/${id}.mp4`;
			if (idField === 'generation_id') {
				expect(general.body).toMatchObject({ id, status: 'completed', video_url: url });
				expect(own.status).toBe(404);
			} else {
				expect(general.status).toBe(404);
				expect(own.body).toEqual(
					wrapped({ [idField]: id, phase: 'completed', output: { videos: [{ url }] } }),
				);
			}
		},
	);

	it('Video Studio: its record follows the settings', async () => {
		const { post, get, sandbox, clock, settings } = await openSandbox({ mediaBase: CDN });
		await post(videoStudio.path, videoStudio.body);
		await post(videoStudio.path, { ...videoStudio.body, prompt: '[fail]' });
		await clock.advance(5000);
		const [id, failed] = sandbox.jobs.map((job) => job.id);
		Object.assign(settings.shapes.record, {
			enveloped: true,
			stateField: 'job_state',
			errorField: 'reason',
			resultUrl: 'urls[]',
			secondUrl: 'poster',
			echo: true,
		});
		const status = async (job?: string) => (await get(`/api/v1/video-studio/status/${job}/`)).body;
		expect(await status(id)).toEqual({
			success: true,
			data: {
				generation_id: id,
				job_state: 'completed',
				request: videoStudio.body,
				urls: [`${CDN}/media/${id}.mp4`],
				poster: `${CDN}/media/${id}-thumbnail.png`,
			},
		});
		expect(await status(failed)).toMatchObject({
			data: { job_state: 'failed', reason: expect.any(String) },
		});
	});

	it('what is shown stays as it is', async () => {
		const { post, get, record, clock } = await openSandbox({
			shapes: {
				creation: { enveloped: false, idField: 'job_id', stateField: 'state', credits: false },
				record: { enveloped: true, stateField: 'state', resultUrl: 'output' },
			},
		});
		const video = (await post(standard.path, standard.body)).body;
		expect(video.data).toMatchObject({ status: 'processing', credits_used: 150 });
		const task = (await post(vidA31.path, vidA31.body)).body;
		expect(task.data).toMatchObject({ status: 'processing', credits_charged: 100 });
		await clock.advance(5000);
		const shown = { status: 'completed', video_url: expect.any(String) };
		expect(await record(video.data.generation_id)).toMatchObject(shown);
		const { body } = await get(`/vidA31/api/status/${task.data.task_id}/`);
		expect(body).toMatchObject({ success: true, data: shown });
	});

	it('status paths may differ by family', async () => {
		const { post, get, sandbox } = await openSandbox({
			openPaths: { vidCStatusPath: '/vidC/jobs/{id}', vidDStatusPath: '/vidD/{job}/state/' },
			shapes: { creation: { idField: 'job_id' } },
		});
		await post(vidC.path, vidC.body);
		await post(vidD.path, vidD.body);
		const [c, d] = sandbox.jobs.map(({ id }) => id);
		const statuses = await Promise.all(
			[`/vidC/jobs/${c}`, `/vidC/jobs/${d}`, `/vidD/${c}/state/`, `/vidD/${d}/state/`].map(
				async (path) => (await get(path)).status,
			),
		);
		expect(statuses).toEqual([200, 404, 404, 200]);
	});

	it('families may share a status path, whatever its placeholder is called', async () => {
		const { post, get, sandbox } = await openSandbox({
			openPaths: { vidCStatusPath: '/state/{id}/', vidDStatusPath: '/state/{job_id}/' },
			shapes: { creation: { idField: 'id' } },
		});
		await post(vidC.path, vidC.body);
		await post(vidD.path, vidD.body);
		for (const { id } of sandbox.jobs) expect((await get(`/state/${id}/`)).status).toBe(200);
	});

	it('paths of creations that are not shown are settings', async () => {
		const { vidCImage, vidE } = VIDEO_REQUESTS;
		const { post } = await openSandbox({ openPaths: { vidEPath: '/vidE/create' } });
		expect((await post(vidE.path, vidE.body)).status).toBe(404);
		expect((await post('/vidE/create', vidE.body)).status).toBe(201);
		expect((await post(vidCImage.path, vidCImage.body)).status).toBe(201);
	});
});
