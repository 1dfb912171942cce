import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { joined, noise, sha256Of, type MadeFile } from '../support/audioFiles.mts';
import {
	credentialFor,
	keepBinaryData,
	runInEngine,
	type BinaryStore,
	type EngineOptions,
} from '../support/engine.mts';
import { memoryOf } from '../support/memoryOf.mts';
import { usePlayedServer, type Answer } from '../support/playedServer.mts';
import { useSandbox } from '../support/useSandbox.mts';

/** Media as files: n8n's own request helper and binary data, against a place for media. */

const sandbox = useSandbox({ jobMs: { min: 0, max: 0 } });
const media = usePlayedServer();
let folder: string;
let store: BinaryStore;

beforeAll(async () => {
	folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mediagen-binary-'));
});

afterAll(async () => {
	await fs.rm(folder, { recursive: true });
});

beforeEach(async () => {
	store = await keepBinaryData('filesystem', folder);
});

const MB = 1024 * 1024;

const GENERATE = {
	...{ resource: 'image', operation: 'generate', prompt: 'a lighthouse', size: '1:1' },
	downloadMedia: true,
};

const png = (bytes: number) => joined(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), noise(bytes - 8));

/** The file, or its first bytes, after which the connection breaks or stands still. */
function sending(file: MadeFile, more: Answer = {}, bytes = Infinity): Answer {
	const headers = { 'content-type': 'image/png', 'content-length': file.size };
	return { headers, body: firstBytes(file, bytes), ...more };
}

function* firstBytes(file: MadeFile, bytes: number): Generator<Buffer> {
	let left = bytes;
	for (const chunk of file.chunks()) {
		yield chunk.subarray(0, left);
		left -= chunk.length;
		if (left <= 0) return;
	}
}

const run = async (parameters: IDataObject = {}, more: Partial<EngineOptions> = {}) =>
	await runInEngine({
		parameters: { ...GENERATE, ...parameters },
		credential: credentialFor(sandbox),
		...more,
	});

/** Runs it with what the address of the media answers. */
async function onlyItem(...answers: Answer[]): Promise<INodeExecutionData> {
	sandbox.settings.mediaBase = media.serve(...answers);
	const { outputs, error } = await run();
	expect(error).toBeUndefined();
	expect(outputs[0]).toHaveLength(1);
	return outputs[0]![0]!;
}

const sha256In = async ({ binary }: INodeExecutionData) =>
	createHash('sha256')
		.update(await store.getAsBuffer(binary!.data!))
		.digest('hex');

/** Files below the folder of n8n's binary data, whole or begun, without their metadata. */
const filesKept = async () => {
	const entries = await fs.readdir(folder, { recursive: true, withFileTypes: true });
	return entries.filter((entry) => entry.isFile() && !entry.name.endsWith('.metadata')).length;
};

const downloadErrors = ({ json }: INodeExecutionData) => Object(json.details).downloadErrors;

describe.each(['filesystem', 'default'] as const)('in the mode %s', (mode) => {
	beforeEach(async () => {
		store = await keepBinaryData(mode, folder);
	});

	test.each([8, 3_000_001])('a file of %i bytes is kept whole', async (bytes) => {
		const file = png(bytes);
		const item = await onlyItem(sending(file));
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
		expect(await sha256In(item)).toBe(sha256Of(file));
	});

	test.each([0, 200_000])('one that breaks off after %i bytes is fetched again', async (bytes) => {
		const before = await filesKept();
		const file = png(1_000_000);
		const item = await onlyItem(sending(file, { end: 'reset' }, bytes), sending(file));
		expect(downloadErrors(item)).toBeUndefined();
		expect(await sha256In(item)).toBe(sha256Of(file));
		expect(media.requests).toHaveLength(2);
		expect((await filesKept()) - before).toBe(mode === 'filesystem' ? 1 : 0);
	});
});

test('a file of 200 MB passes through without filling the memory', async () => {
	// What n8n loads and compiles for the first file is not ours.
	await onlyItem(sending(png(50 * MB)));
	const growth = await memoryOf(async () => {
		const item = await onlyItem(sending(png(200 * MB)));
		expect(downloadErrors(item)).toBeUndefined();
		expect(item.binary?.data).toMatchObject({ fileSize: '210 MB' });
	});
	expect(growth).toBeLessThan(96 * MB);
});

test('the item is kept when its download fails; a body without end of an error is not read', async () => {
	const item = await onlyItem(sending(noise(Infinity), { status: 404, headers: {} }));
	const error = 'The media address answered with status 404';
	expect(item.json).toMatchObject({ status: 'completed', mediaUrl: expect.any(String) });
	expect(downloadErrors(item)).toEqual([{ url: item.json.mediaUrl, error }]);
	expect(item.binary).toBeUndefined();
	expect(item.pairedItem).toEqual({ item: 0 });
	await media.untilClosed();
	expect(media.requests).toEqual([expect.objectContaining({ closed: 'broken' })]);
	expect(media.requests[0]?.sent).toBeLessThan(16 * MB);
});

test('the key is in no request to the media address, also where that redirects', async () => {
	const location = media.serve(sending(png(1000)));
	await onlyItem({ status: 302, headers: { location } });
	expect(media.requests).toHaveLength(2);
	expect(JSON.stringify(media.requests)).not.toContain(sandbox.key);
	const headers = media.requests.flatMap((request) => Object.keys(request.headers));
	expect(headers).not.toContain('authorization');
});

test('a download that stalls ends when the user stops, and leaves nothing open', async () => {
	sandbox.settings.mediaBase = media.serve(sending(png(MB), { end: 'never' }, 100_000));
	const stop = new AbortController();
	const running = run({}, { signal: stop.signal });
	while ((media.requests[0]?.sent ?? 0) < 100_000) await sleep(20);
	stop.abort();
	await running;
	await media.untilClosed();
	expect(media.requests).toEqual([expect.objectContaining({ closed: 'broken' })]);
});
