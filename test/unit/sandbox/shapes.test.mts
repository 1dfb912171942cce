import { setAt } from '../../../sandbox/setAt.mts';
import { openSandbox } from './harness.mts';

const UNIFIED = '/api/v1/image/generate';

describe('shapes of what is not shown', () => {
	it('creation: enveloped and flat, under every name', async () => {
		const { post, settings, sandbox } = await openSandbox();
		const { creation } = settings.shapes;

		expect((await post(UNIFIED, { prompt: 'a' })).body).toEqual({
			success: true,
			data: {
				generation_id: sandbox.jobs[0]?.id,
				status: 'processing',
				credits_used: 8,
				credits_remaining: 1042,
			},
		});
		Object.assign(creation, { enveloped: false, idField: 'job_id', stateField: 'state' });
		expect((await post(UNIFIED, { prompt: 'a' })).body).toEqual({
			job_id: sandbox.jobs[1]?.id,
			state: 'processing',
			credits_used: 8,
			credits_remaining: 1034,
		});
		Object.assign(creation, { idField: 'id', credits: false });
		expect((await post(UNIFIED, { prompt: 'a' })).body).toEqual({
			id: sandbox.jobs[2]?.id,
			state: 'processing',
		});
	});

	it('creation: what is shown stays as it is', async () => {
		const shapes = { creation: { enveloped: false, idField: 'job_id' } };
		const { post } = await openSandbox({ shapes });
		const { body } = await post('/api/v1/generate/', { prompt: 'a' });
		expect(body).toMatchObject({ success: true, data: { generation_id: expect.any(String) } });
	});

	it.each([
		['image_url', (url: string) => ({ image_url: url })],
		['url', (url: string) => ({ url })],
		['result.url', (url: string) => ({ result: { url } })],
		['images[]', (url: string) => ({ images: [url] })],
		['images[].url', (url: string) => ({ images: [{ url }] })],
	])('record: result URL at %s', async (resultUrl, expected) => {
		const shapes = { record: { resultUrl } };
		const { image, record, clock } = await openSandbox({
			shapes,
			mediaBase: 'https://cdn.example',
		});
		const id = await image();
		expect(await record(id)).not.toMatchObject(expected(expect.anything() as string));
		await clock.advance(5000);
		expect(await record(id)).toMatchObject(expected(`https://cdn.example/media/${id}.png`));
	});

	it('record: a second URL, and the request repeated', async () => {
		const shapes = { record: { resultUrl: 'urls[]', secondUrl: 'urls[]', echo: true } };
		const { image, record, clock } = await openSandbox({
			shapes,
			mediaBase: 'https://cdn.example',
		});
		const id = await image({ prompt: 'a cat', size: '3:2' });
		await clock.advance(5000);
		expect(await record(id)).toMatchObject({
			request: { prompt: 'a cat', size: '3:2' },
			urls: [
				`https://cdn.example/media/${id}.png`,
				`https://cdn.example/media/${id}-thumbnail.png`,
			],
		});
	});

	it('status: another identifier is served on the open route only', async () => {
		const shapes = { creation: { idField: 'job_id' } };
		const { post, get, clock } = await openSandbox({ shapes, mediaBase: 'https://cdn.example' });
		const id = (await post(UNIFIED, { prompt: 'a' })).body.data.job_id;
		expect((await get(`/api/v1/generate/${id}/`)).status).toBe(404);
		expect((await get(`/open/status/${id}/`)).body).toEqual({ job_id: id, status: 'queued' });
		await clock.advance(5000);
		expect((await get(`/open/status/${id}/`)).body).toEqual({
			job_id: id,
			status: 'completed',
			image_url: `https://cdn.example/media/${id}.png`,
		});
	});

	it('status: path, envelope and names are settings', async () => {
		const { post, get, clock } = await openSandbox({
			openPaths: { imageStatusPath: '/images/{id}/state' },
			shapes: {
				creation: { idField: 'task_id' },
				record: { enveloped: true, stateField: 'state', errorField: 'reason' },
			},
		});
		const id = (await post(UNIFIED, { prompt: '[fail]' })).body.data.task_id;
		await clock.advance(5000);
		expect((await get(`/open/status/${id}/`)).status).toBe(404);
		expect((await get(`/images/${id}/state`)).body).toEqual({
			success: true,
			data: { task_id: id, state: 'failed', reason: expect.any(String) },
		});
	});

	it('status: a generation_id is served on the route of generations only', async () => {
		const { post, get } = await openSandbox();
		const id = (await post(UNIFIED, { prompt: 'a' })).body.data.generation_id;
		expect((await get(`/api/v1/generate/${id}/`)).status).toBe(200);
		expect((await get(`/open/status/${id}/`)).status).toBe(404);
	});

	it('lists: six bodies', async () => {
		const { get, image, settings } = await openSandbox();
		const id = await image();
		const { list } = settings.shapes;
		const history = async () => (await get('/api/v1/generate/history/')).body;
		expect(await history()).toMatchObject([{ id }]);
		list.body = 'results';
		expect(await history()).toMatchObject({ results: [{ id }], count: 1 });
		list.body = 'items';
		expect(await history()).toEqual({ items: [expect.objectContaining({ id })], total: 1 });
		list.body = 'data';
		expect(await history()).toMatchObject({ success: true, data: [{ id }] });
		list.body = 'dataResults';
		expect(await history()).toEqual({
			success: true,
			data: { results: [expect.objectContaining({ id })] },
		});
		list.body = 'none';
		expect(await history()).toEqual({ success: true, data: { count: 1 } });
	});
});

describe('setAt', () => {
	it('keeps what is there', () => {
		const record = { result: { kind: 'image' }, urls: ['a'] };
		setAt(record, 'result.url', 'b');
		setAt(record, 'urls[]', 'c');
		setAt(record, 'pages[].parts[]', 'd');
		expect(record).toEqual({
			result: { kind: 'image', url: 'b' },
			urls: ['a', 'c'],
			pages: [{ parts: ['d'] }],
		});
	});
});
