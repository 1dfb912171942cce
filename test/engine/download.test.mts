import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { INodeExecutionData } from 'n8n-workflow';

import {
	keepBinaryData,
	runInEngine,
	type BinaryStore,
	type EngineOptions,
} from '../support/engine.mts';
import { sha256Of, startMediaServer, type MediaServer } from '../support/mediaServer.mts';
import { useSandbox } from '../support/useSandbox.mts';

/** Media as files: n8n's own request helper and binary data, against a place for media. */

const sandbox = useSandbox({ jobMs: { min: 0, max: 0 } });
let media: MediaServer;
let folder: string;
let store: BinaryStore;

beforeAll(async () => {
	media = await startMediaServer();
	folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mediagen-binary-'));
});

afterAll(async () => {
	await media.close();
	await fs.rm(folder, { recursive: true });
});

beforeEach(async () => {
	media.reset();
	store = await keepBinaryData('filesystem', folder);
});

jest.setTimeout(30_000);

const MB = 1024 * 1024;

/** Of the collection *Options*, and the switch that stands before it. */
interface Options extends Record<string, unknown> {
	downloadMedia?: boolean;
}

const run = async (
	{ downloadMedia = true, ...options }: Options = {},
	more: Partial<EngineOptions> = {},
) =>
	await runInEngine({
		parameters: {
			resource: 'image',
			operation: 'generate',
			prompt: 'a lighthouse',
			size: '1:1',
			downloadMedia,
			options,
		},
		credential: { baseUrl: sandbox.url, apiKey: sandbox.key, headerForm: 'bearer' },
		...more,
	});

const onlyItem = async (...parameters: Parameters<typeof run>): Promise<INodeExecutionData> => {
	const { outputs, error } = await run(...parameters);
	expect(error).toBeUndefined();
	expect(outputs[0]).toHaveLength(1);
	return outputs[0]?.[0] as INodeExecutionData;
};

const sha256In = async ({ binary }: INodeExecutionData, property = 'data') => {
	const file = binary?.[property];
	if (!file) throw new Error(`There is no ${property}`);
	return createHash('sha256')
		.update(await store.getAsBuffer(file))
		.digest('hex');
};

/** Files below the folder of n8n's binary data, whole or begun, without their metadata. */
const filesKept = async () => {
	const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
	return entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.metadata')).length;
};

const untilClosed = async () => {
	while (media.requests.some(({ closed }) => closed === undefined)) {
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
};

const downloadErrors = ({ json }: INodeExecutionData) =>
	(Object(json.details).downloadErrors as Array<{ url: string; error: string }> | undefined)?.map(
		({ error }) => error,
	);

describe.each(['filesystem', 'default'] as const)('in the mode %s', (mode) => {
	beforeEach(async () => {
		store = await keepBinaryData(mode, folder);
	});

	test.each([1, 63, 64, 65, 65_536, 3_000_001])(
		'a file of %i bytes is kept whole',
		async (bytes) => {
			const serving = { bytes, contentType: 'image/png' };
			sandbox.settings.mediaBase = media.serve(serving);
			const item = await onlyItem();
			expect(item.json).toMatchObject({ status: 'completed', mediaUrl: expect.any(String) });
			expect(downloadErrors(item)).toBeUndefined();
			expect(item.binary).toEqual({
				data: expect.objectContaining({
					fileName: '01-a-lighthouse.png',
					fileExtension: 'png',
					mimeType: 'image/png',
					fileType: 'image',
					bytes,
				}),
			});
			expect(await sha256In(item)).toBe(sha256Of(serving));
		},
	);

	test.each([0, 10, 64, 200_000])(
		'one that breaks off after %i bytes is fetched again',
		async (cutAfter) => {
			const before = await filesKept();
			const serving = { bytes: 1_000_000, cutAfter, times: 1 };
			sandbox.settings.mediaBase = media.serve(serving);
			const item = await onlyItem();
			expect(downloadErrors(item)).toBeUndefined();
			expect(await sha256In(item)).toBe(sha256Of(serving));
			expect(media.requests).toHaveLength(2);
			expect((await filesKept()) - before).toBe(mode === 'filesystem' ? 1 : 0);
		},
	);
});

describe('the item', () => {
	test('several results make several files, in fields named after the first', async () => {
		sandbox.settings.mediaBase = media.serve();
		sandbox.settings.shapes.record.secondUrl = 'photo_url';
		const item = await onlyItem({ binaryPropertyName: 'image' });
		expect(Object.keys(item.binary ?? {})).toEqual(['image', 'image_1']);
		expect(item.binary?.image_1?.fileName).toBe('01-a-lighthouse-2.png');
		const pinned = await onlyItem({ resultField: 'photo_url' });
		expect(Object.values(pinned.binary ?? {}).map(({ fileName }) => fileName)).toEqual([
			'01-a-lighthouse.png',
		]);
	});

	test('has no files unless asked', async () => {
		sandbox.settings.mediaBase = media.serve();
		const item = await onlyItem({ downloadMedia: false, binaryPropertyName: 'image' });
		expect(item.binary).toBeUndefined();
		expect(media.requests).toEqual([]);
	});

	test("not simplified, is the service's record, with files", async () => {
		sandbox.settings.mediaBase = media.serve();
		const item = await onlyItem({ simplify: false });
		expect(item.json).toMatchObject({ id: sandbox.jobs[0]?.id, generation_type: 'image' });
		expect(item.binary?.data?.mimeType).toBe('image/png');
	});

	test.each(['get', 'wait'])('of Job > %s has files, too', async (operation) => {
		await onlyItem({ downloadMedia: false });
		sandbox.settings.mediaBase = media.serve();
		const jobId = sandbox.jobs[0]?.id;
		const item = await onlyItem(
			{},
			{
				parameters: {
					resource: 'job',
					operation,
					jobId,
					downloadMedia: true,
					options: { binaryPropertyName: 'file' },
				},
			},
		);
		expect(item.binary?.file?.fileName).toBe('01-a-lighthouse.png');
	});

	test('of a job that has not finished has none', async () => {
		sandbox.settings.jobMs = { min: 60_000, max: 60_000 };
		const { outputs } = await run({}, { parameters: waitless });
		const parameters = {
			resource: 'job',
			operation: 'get',
			jobId: outputs[0]?.[0]?.json.jobId,
			downloadMedia: true,
		};
		const item = await onlyItem({}, { parameters });
		expect(item.json).toMatchObject({ mediaUrl: null });
		expect(item.binary).toBeUndefined();
	});

	const waitless = {
		resource: 'image',
		operation: 'generate',
		prompt: 'a lighthouse',
		size: '1:1',
		waitForCompletion: false,
	};

	test('the type is what the server tells, and the extension follows it', async () => {
		sandbox.settings.mediaBase = media.serve({ contentType: 'video/mp4' });
		const item = await onlyItem();
		expect(item.binary?.data).toMatchObject({
			mimeType: 'video/mp4',
			fileType: 'video',
			fileName: '01-a-lighthouse.mp4',
			fileExtension: 'mp4',
		});
	});

	test('is kept when its download fails, with the reason and a hint', async () => {
		sandbox.settings.mediaBase = media.serve({ status: 404 });
		const { outputs, error, run: whole } = await run();
		expect(error).toBeUndefined();
		const [item] = outputs[0] ?? [];
		expect(item?.json).toMatchObject({
			status: 'completed',
			mediaUrl: expect.stringContaining('http'),
			details: {
				downloadErrors: [
					{
						url: item?.json.mediaUrl,
						error: 'The media address answered with status 404',
					},
				],
			},
		});
		expect(item?.binary).toBeUndefined();
		expect(item?.pairedItem).toEqual({ item: 0 });
		expect(whole.data.resultData.runData.MediaGen?.[0]?.hints).toContainEqual(
			expect.objectContaining({
				type: 'warning',
				message: `Row 1, "a lighthouse": ${String(item?.json.mediaUrl)} was not downloaded. The media address answered with status 404`,
			}),
		);
		expect(media.requests).toHaveLength(1);
	});

	test('a body without end of an error is not read', async () => {
		sandbox.settings.mediaBase = media.serve({ bytes: Infinity, status: 404 });
		const item = await onlyItem();
		expect(downloadErrors(item)).toHaveLength(1);
		await untilClosed();
		expect(media.requests).toEqual([expect.objectContaining({ closed: 'broken' })]);
		expect(media.requests[0]?.sent).toBeLessThan(16 * MB);
	});
});

describe('the key', () => {
	test('is in no request to the media address', async () => {
		sandbox.settings.mediaBase = media.serve({ redirect: media.serve() });
		await onlyItem();
		expect(media.requests).toHaveLength(2);
		expect(JSON.stringify(media.requests)).not.toContain(sandbox.key);
		expect(media.requests.flatMap(({ headers }) => Object.keys(headers))).not.toContain(
			'authorization',
		);
	});

	test("is not even where the media is at the service's own address", async () => {
		const item = await onlyItem();
		expect(item.binary?.data?.mimeType).toBe('image/png');
		const [request] = sandbox.journal.ofKind('media');
		expect(request).toBeDefined();
		expect(JSON.stringify(request)).not.toContain(sandbox.key);
	});
});

test('a download that stalls ends when the user stops, and leaves nothing open', async () => {
	sandbox.settings.mediaBase = media.serve({ bytes: MB, stallAfter: 100_000 });
	const stop = new AbortController();
	const running = run({}, { signal: stop.signal });
	while ((media.requests[0]?.sent ?? 0) < 100_000) {
		await new Promise((resolve) => setTimeout(resolve, 20));
	}
	stop.abort();
	await running;
	await untilClosed();
	expect(media.requests).toEqual([expect.objectContaining({ closed: 'broken' })]);
});
