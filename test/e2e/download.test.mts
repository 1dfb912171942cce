import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';

import { sha256Of, startMediaServer, type MediaServer } from '../support/mediaServer.mts';
import { leastGrowth } from '../support/processMemory.mts';
import { useSharedN8n } from '../support/useRealN8n.mts';
import type { Item } from '../../tools/lib/n8nClient.mts';

/** Media as files in a real n8n server that keeps them in its file system. */

const n8n = useSharedN8n({
	sandbox: { jobMs: { min: 0, max: 0 } },
});

let media: MediaServer;

beforeAll(async () => {
	media = await startMediaServer();
});

afterAll(async () => {
	await media.close();
});

beforeEach(() => {
	media.reset();
});

jest.setTimeout(120_000);

const MB = 1024 * 1024;

const MP4 = { start: '\0\0\0\x20ftypisom', contentType: 'video/mp4' };

const download = async (mediaBase: string, options = {}) => {
	n8n.sandbox.settings.mediaBase = mediaBase;
	const { outputs, error } = await n8n.run({
		parameters: {
			resource: 'image',
			operation: 'generate',
			prompt: 'a lighthouse',
			size: '1:1',
			downloadMedia: true,
			options,
		},
	});
	expect(error).toBeUndefined();
	const [item] = outputs[0] ?? [];
	if (!item) throw new Error('There is no item');
	return item;
};

const sha256In = async (item: Item, property = 'data') => {
	const hash = createHash('sha256');
	await pipeline(await n8n.client.download(item.binary[property]), hash);
	return hash.digest('hex');
};

test('a file of 200 MB passes through n8n without filling its memory', async () => {
	// What n8n loads and compiles for the first run is not ours.
	await download(media.serve({ ...MP4, bytes: 50 * MB }));
	const serving = { ...MP4, bytes: 200 * MB };
	const url = media.serve(serving);

	let item: Item | undefined;
	const growth = await leastGrowth(n8n.server.pid, 64 * MB, async () => {
		item = await download(url);
	});
	expect(growth).toBeLessThan(64 * MB);

	expect(item?.json.details.downloadErrors).toBeUndefined();
	expect(item?.binary.data).toMatchObject({
		mimeType: 'video/mp4',
		fileName: '01-a-lighthouse.mp4',
		fileExtension: 'mp4',
		fileSize: '210 MB',
	});
	expect(item && (await sha256In(item))).toBe(sha256Of(serving));
});

test('a file that breaks off in the middle is fetched again, and kept whole', async () => {
	const serving = { bytes: 20 * MB, cutAfter: 10 * MB, times: 2 };
	const item = await download(media.serve(serving));
	expect(item.json.details.downloadErrors).toBeUndefined();
	expect(await sha256In(item)).toBe(sha256Of(serving));
	expect(media.requests.map(({ closed }) => closed)).toEqual(['broken', 'broken', 'whole']);
});

test('a file that cannot be had: the item stays, says why, and the next node receives it', async () => {
	n8n.sandbox.settings.mediaBase = media.serve({ status: 410 });
	const { execution, after } = await n8n.run({
		parameters: {
			resource: 'image',
			operation: 'generate',
			prompt: 'a lighthouse',
			size: '1:1',
			downloadMedia: true,
		},
		after: {
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: {
				mode: 'raw',
				jsonOutput:
					'={{ { "url": $json.mediaUrl, "why": $json.details.downloadErrors[0].error } }}',
			},
		},
	});
	expect(execution.status).toBe('success');
	expect(after.map(({ json }) => json)).toEqual([
		{
			url: expect.stringMatching(/^http/),
			why: 'The media address answered with status 410',
		},
	]);
});

test("the service's key is in no request to the media address", async () => {
	await download(media.serve({ redirect: media.serve() }));
	expect(media.requests).toHaveLength(2);
	expect(JSON.stringify(media.requests)).not.toContain(n8n.sandbox.key);
	expect(media.requests.flatMap(({ headers }) => Object.keys(headers))).not.toContain(
		'authorization',
	);
});
