import { openMusic } from './musicHarness.mts';
import { acceptedBody, MUSIC_IDS, MUSIC_REQUESTS } from './musicRequests.mts';

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

describe('music operations', () => {
	it('are the 21 of the document and one that it does not list', () => {
		expect(MUSIC_IDS).toHaveLength(22);
	});

	it.each(MUSIC_IDS)('%s is submitted, charged and finished', async (id) => {
		const opened = await openMusic();
		const { submit, status, account, journal, clock, sandbox } = opened;
		const body = await acceptedBody(opened, id);
		account.charges.length = 0;
		const purchased = account.credits.purchased;

		const created = await submit(id, body);
		const { resource, credits } = MUSIC_REQUESTS[id];
		expect(created.status).toBe(201);
		expect(created.body).toEqual({
			success: true,
			data: {
				generation_id: expect.stringMatching(UUID),
				status: 'processing',
				credits_used: credits,
				credits_remaining: purchased - credits + 50,
			},
		});
		const jobId = created.body.data.generation_id;
		const operation = `${resource}.${id}`;
		expect(account.charges).toEqual([{ jobId, operation, credits, at: clock.now() }]);
		expect(account.credits.purchased).toBe(purchased - credits);
		expect(journal.to(operation).at(-1)).toMatchObject({ kind: 'create', status: 201, body });

		const queued = await status(jobId);
		expect(queued.status).toBe(200);
		expect(queued.body).toEqual({ generation_id: jobId, status: 'queued' });
		await clock.advance(1000);
		expect((await status(jobId)).body).toEqual({ generation_id: jobId, status: 'processing' });
		await clock.advance(4000);
		expect((await status(jobId)).body).toEqual({
			generation_id: jobId,
			status: 'completed',
			result: expect.any(Object),
		});
		expect(sandbox.jobs.at(-1)).toMatchObject({ id: jobId, state: 'completed' });
	});

	it.each([
		['separate_vocal', {}, 10],
		['split_stem', {}, 50],
		['split_stem_advanced', { stem_name: 'drums' }, 20],
	])('stems by %s', async (separation_type, more, credits) => {
		const { submit, account } = await openMusic();
		const upload = 'https://media.example/track.wav';
		expect((await submit('stems', { upload, separation_type, ...more })).status).toBe(201);
		expect(account.charges).toMatchObject([{ credits }]);
	});

	it('need a key and credits', async () => {
		const { post, submit, account, sandbox } = await openMusic();
		const body = { model: 'V5_5' };
		const path = '/open/music/generate/';
		expect((await post(path, body, { authorization: null })).status).toBe(401);
		account.credits.purchased = 11;
		expect((await submit('generate', body)).status).toBe(402);
		expect((await submit('lyrics', { prompt: 'rain' })).status).toBe(201);
		expect(sandbox.jobs).toHaveLength(1);
	});

	it('run 5 at a time', async () => {
		const { submit } = await openMusic();
		const statuses = [];
		for (let sent = 0; sent < 6; sent++) {
			statuses.push((await submit('lyrics', { prompt: 'rain' })).status);
		}
		expect(statuses).toEqual([201, 201, 201, 201, 201, 429]);
	});

	it('fail where a text says so, and keep the credits', async () => {
		const { submit, status, clock, account } = await openMusic();
		const { body } = await submit('lyrics', { prompt: 'rain [fail]' });
		await clock.advance(5000);
		expect((await status(body.data.generation_id)).body).toEqual({
			generation_id: body.data.generation_id,
			status: 'failed',
			error_message: 'The sandbox was asked to fail this generation.',
		});
		expect(account.credits.purchased).toBe(999);
	});

	it('meet faults, as any operation', async () => {
		const { submit, sandbox } = await openMusic();
		const fault = { kind: 'status', status: 500 } as const;
		sandbox.faults.add({ match: { operation: 'lyrics.lyrics' }, fault, when: 'after' });
		expect((await submit('lyrics', { prompt: 'rain' })).status).toBe(500);
		expect((await submit('style_boost', { content: 'calm' })).status).toBe(201);
		expect(sandbox.jobs).toHaveLength(2);
	});

	it('are not there under another name', async () => {
		const { submit, get } = await openMusic();
		expect((await submit('karaoke', {})).status).toBe(404);
		expect((await submit('run', {})).status).toBe(404);
		expect((await get('/open/music/generate/')).status).toBe(404);
	});
});

describe('status of music jobs', () => {
	it.each(['generation_id', 'task_id', 'job_id', 'id'])(
		'is read at its own route, with the identifier as %s',
		async (idField) => {
			const { submit, status, get } = await openMusic({}, { shapes: { creation: { idField } } });
			const id = (await submit('lyrics', { prompt: 'rain' })).body.data[idField];
			expect((await status(id)).body).toEqual({ [idField]: id, status: 'queued' });
			expect((await get(`/api/v1/generate/${id}/`)).status).toBe(404);
			expect((await get(`/open/status/${id}/`)).status).toBe(404);
		},
	);

	it('is not that of other jobs', async () => {
		const { image, status } = await openMusic();
		expect((await status(await image())).status).toBe(404);
	});

	it('has the names and the envelope of the settings', async () => {
		const record = { enveloped: true, stateField: 'state', errorField: 'reason' };
		const { make } = await openMusic({}, { shapes: { record } });
		const { id, record: failed } = await make('lyrics', { prompt: '[fail]' });
		expect(failed).toEqual({
			success: true,
			data: { generation_id: id, state: 'failed', reason: expect.any(String) },
		});
	});

	it('is not in the history of generations', async () => {
		const { submit, image, get } = await openMusic();
		await submit('lyrics', { prompt: 'rain' });
		const id = await image();
		expect((await get('/api/v1/generate/history/')).body).toMatchObject([{ id }]);
	});

	it('has paths of the settings', async () => {
		const openPaths = {
			musicSubmitPath: '/studio/run/{operation}',
			musicStatusPath: '/studio/jobs/{id}',
		};
		const { post, get } = await openMusic({}, { openPaths });
		expect((await post('/open/music/lyrics/', { prompt: 'rain' })).status).toBe(404);
		const { body } = await post('/studio/run/lyrics', { prompt: 'rain' });
		expect((await get(`/studio/jobs/${body.data.generation_id}`)).status).toBe(200);
	});
});
