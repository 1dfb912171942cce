import axios from 'axios';
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
	return { ...opened, media, url: `${opened.sandbox.url}${media}.mp4` };
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
			'accept-ranges': 'bytes',
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

describe('parts of files', () => {
	const download = (url: string, range?: string) =>
		axios.get<Buffer>(url, {
			headers: range ? { Range: range } : {},
			responseType: 'arraybuffer',
			validateStatus: () => true,
		});

	it.each<[string, (size: number) => [first: number, last: number]]>([
		['bytes=0-99', () => [0, 99]],
		['bytes=100-', (size) => [100, size - 1]],
		['bytes=-10', (size) => [size - 10, size - 1]],
		['bytes=-999999', (size) => [0, size - 1]],
		['bytes=5-999999', (size) => [5, size - 1]],
		['bytes=0-0', () => [0, 0]],
	])('%s', async (range, expected) => {
		const { url } = await finished('vidE26');
		const { data: whole } = await download(url);
		const [first, last] = expected(whole.length);
		const { status, headers, data } = await download(url, range);
		expect(status).toBe(206);
		expect(headers).toMatchObject({
			'content-type': 'video/mp4',
			'content-range': `bytes ${first}-${last}/${whole.length}`,
			'content-length': String(last - first + 1),
		});
		expect(data.equals(whole.subarray(first, last + 1))).toBe(true);
	});

	it.each(['bytes=', 'bytes=-', 'bytes=9-3', 'bytes=0-1,5-6', 'lines=1-2'])(
		'%s: the whole file',
		async (range) => {
			const { url } = await finished('vidE26');
			const { status, data } = await download(url, range);
			expect(status).toBe(200);
			expect(readMp4(data).codec).toBe('avc1');
		},
	);

	it.each(['bytes=999999-', 'bytes=-0'])('%s: 416', async (range) => {
		const { url } = await finished('vidE26');
		const { data: whole } = await download(url);
		const { status, headers, data } = await download(url, range);
		expect(status).toBe(416);
		expect(headers['content-range']).toBe(`bytes */${whole.length}`);
		expect(data).toHaveLength(0);
	});
});
