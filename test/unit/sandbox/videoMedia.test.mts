import { PNG } from 'pngjs';

import { openSandbox } from './harness.mts';
import { readMp4 } from './mp4.mts';
import { VIDEO_REQUESTS, type RequestName } from './videoRequests.mts';

const finished = async (name: RequestName, change: object = {}) => {
	const { path, body } = VIDEO_REQUESTS[name];
	const opened = await openSandbox();
	await opened.post(path, { ...body, ...change });
	await opened.clock.advance(5000);
	const media = `/media/${opened.sandbox.jobs[0]?.id}`;
	return { ...opened, media };
};

const LANDSCAPE = [320, 180];
const PORTRAIT = [180, 320];
const SQUARE = [240, 240];

describe('video files', () => {
	it.each<[RequestName, object, number[]]>([
		['standard', { aspect_ratio: '16:9' }, LANDSCAPE],
		['standard', { aspect_ratio: '9:16' }, PORTRAIT],
		['vidA31', { aspectRatio: 'Auto' }, LANDSCAPE],
		['vidA31', { aspectRatio: '9:16' }, PORTRAIT],
		['vidB26', { aspectRatio: '1:1' }, SQUARE],
		['vidB30', { aspectRatio: '3:4' }, PORTRAIT],
		['vidC', { aspect_ratio: 'landscape' }, LANDSCAPE],
		['vidC', { aspect_ratio: 'portrait' }, PORTRAIT],
		['vidC', { aspect_ratio: 'square' }, SQUARE],
		['vidD', { aspect_ratio: '1:1' }, SQUARE],
		['vidE26', {}, LANDSCAPE],
		['videoStudio', { aspect_ratio: '9:16' }, PORTRAIT],
	])('%s with %j is an MP4 of %j', async (name, change, [width, height]) => {
		const { get, media } = await finished(name, change);
		const { status, headers, bytes } = await get(`${media}.mp4`, { authorization: null });
		expect(status).toBe(200);
		expect(headers).toMatchObject({
			'content-type': 'video/mp4',
			'content-length': String(bytes.length),
		});
		expect(readMp4(bytes)).toEqual({ codec: 'avc1', width, height, seconds: 1 });
		expect(bytes.length).toBeLessThan(10_000);
	});

	it('have a thumbnail, and no other name', async () => {
		const { get, media } = await finished('vidC', { aspect_ratio: 'portrait' });
		const { bytes } = await get(`${media}-thumbnail.png`);
		expect(PNG.sync.read(bytes)).toMatchObject({ width: 256, height: 455 });
		expect((await get(`${media}.png`)).status).toBe(404);
		expect((await get(`${media}-thumbnail.mp4`)).status).toBe(404);
		expect((await get(`${media}.mov`)).status).toBe(404);
	});

	it('are not there before the job is completed', async () => {
		const { path, body } = VIDEO_REQUESTS.vidD;
		const { post, get, sandbox, clock } = await openSandbox();
		await post(path, body);
		const media = `/media/${sandbox.jobs[0]?.id}.mp4`;
		await clock.advance(4999);
		expect((await get(media)).status).toBe(404);
		await clock.advance(1);
		expect((await get(media)).status).toBe(200);
	});
});
