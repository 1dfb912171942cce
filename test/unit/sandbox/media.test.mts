import { PNG } from 'pngjs';

import { openSandbox } from './harness.mts';

describe('media', () => {
	const picture = async (body: object, file = '') => {
		const { get, image, clock } = await openSandbox();
		const id = await image(body);
		await clock.advance(5000);
		return get(`/media/${id}${file}.png`, { authorization: null });
	};

	it.each([
		['1:1', 512, 512],
		['3:2', 768, 512],
		['2:3', 512, 768],
	])('is a PNG of the ratio %s', async (size, width, height) => {
		const answer = await picture({ prompt: 'a cat', size });
		expect(answer.status).toBe(200);
		expect(answer.headers['content-type']).toBe('image/png');
		const { data, ...png } = PNG.sync.read(answer.bytes);
		expect(png).toMatchObject({ width, height });
		expect(new Set(data.subarray(0, width * 4)).size).toBeGreaterThan(10);
	});

	it('depends on the prompt alone', async () => {
		const { bytes } = await picture({ prompt: 'a cat' });
		expect((await picture({ prompt: 'a cat' })).bytes.equals(bytes)).toBe(true);
		expect((await picture({ prompt: 'a dog' })).bytes.equals(bytes)).toBe(false);
	});

	it('stays small, whatever ratio is asked for', async () => {
		const { post, get, clock } = await openSandbox();
		const body = { prompt: 'a snake', aspectRatio: '9999:1' };
		const id = (await post('/api/v1/image/generate', body)).body.data.generation_id;
		await clock.advance(5000);
		const { width, height } = PNG.sync.read((await get(`/media/${id}.png`)).bytes);
		expect([width, height]).toEqual([1024, 512]);
	});

	it('has a thumbnail, half as wide and high', async () => {
		const { status, bytes } = await picture({ prompt: 'a cat', size: '3:2' }, '-thumbnail');
		expect(status).toBe(200);
		expect(PNG.sync.read(bytes)).toMatchObject({ width: 384, height: 256 });
	});

	it('is not there before the job is completed, nor for a failed one', async () => {
		const { get, image, clock, journal } = await openSandbox();
		const ids = [await image(), await image({ prompt: '[fail]' })];
		const statuses = async () =>
			Promise.all(ids.map(async (id) => (await get(`/media/${id}.png`)).status));
		expect(await statuses()).toEqual([404, 404]);
		await clock.advance(5000);
		expect(await statuses()).toEqual([200, 404]);
		expect(journal.ofKind('media')).toHaveLength(4);
	});
});
