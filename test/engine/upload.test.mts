import fs from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import type { IBinaryData } from 'n8n-workflow';

import { mp3File, sha256Of, wavFile, type MadeFile } from '../support/audioFiles.mts';
import { keepBinaryData, runInEngine } from '../support/engine.mts';
import { nodeContext } from '../support/nodeContext.mts';
import { flat } from '../support/flat.mts';
import { useSandbox } from '../support/useSandbox.mts';

/** Files of items and of URLs on their way to the service, through n8n's own HTTP client. */

const sandbox = useSandbox();
let folder: string;

beforeAll(async () => {
	folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mediagen-upload-'));
});

afterAll(async () => {
	await fs.rm(folder, { recursive: true });
});

beforeEach(async () => {
	await keepBinaryData('filesystem', folder);
});

jest.setTimeout(60_000);

interface Sending {
	/** Files of the item, by property, or URLs, by field. */
	files?: Record<string, MadeFile>;
	urls?: Record<string, string>;
	values?: Record<string, unknown>;
	uploadAs?: 'multipart' | 'base64' | 'url';
	baseUrl?: string;
}

/** Orders a mashup. What went wrong is an item. */
async function send({ files = {}, urls = {}, values = {}, ...settings }: Sending) {
	const credential = {
		...{ baseUrl: sandbox.url, apiKey: sandbox.key, headerForm: 'bearer', ...settings },
		...sandbox.settings.openPaths,
	};
	const { helpers } = nodeContext(credential);
	const binary: Record<string, IBinaryData> = {};
	for (const [name, file] of Object.entries(files)) {
		binary[name] = await helpers.prepareBinaryData(Readable.from(file.chunks()), `${name}.wav`);
	}
	const names = Object.fromEntries(Object.keys(files).map((name) => [name, name]));
	const { outputs, error } = await runInEngine({
		...{ binary, credential },
		node: { type: 'n8n-nodes-mediagen.mediaGenMusic', onError: 'continueRegularOutput' },
		parameters: {
			...{ resource: 'song', operation: 'mashup', waitForCompletion: false },
			...{ title: 'Mash', style: 'calm', model: 'V5_5', ...values, ...names, ...urls },
		},
	});
	expect(error).toBeUndefined();
	return outputs[0]![0]!.json;
}

async function failed(sending: Sending) {
	const { error, description, charged } = flat(await send(sending));
	return { error, description, charged };
}

const entry = () => sandbox.journal.entries[0];

const fileEntry = (name: string, file: MadeFile) => ({
	name,
	fileName: `${name}.wav`,
	type: 'audio/wav',
	size: file.size,
	sha256: sha256Of(file),
});

const first = wavFile({ seconds: 3 });
const second = wavFile({ seconds: 5, sampleRate: 44_100, channels: 2 });

describe.each(['filesystem', 'default'] as const)('n8n keeps files in its mode %s', (mode) => {
	test('a form has the fields as texts and the files whole', async () => {
		await keepBinaryData(mode, folder);
		const additionalFields = { duration: 30.5, instrumental: true };
		const values = { prompt: 'first line\nsecond – Ω', additionalFields };
		// As from any browser.
		const job = await send({ files: { upload: first, upload2: second }, values });
		expect(job).toMatchObject({ jobId: sandbox.jobs[0]?.id });
		expect(entry()?.body).toEqual({
			fields: {
				title: 'Mash',
				style: 'calm',
				model: 'V5_5',
				duration: '30.5',
				instrumental: 'true',
				prompt: 'first line\r\nsecond – Ω',
			},
			files: [fileEntry('upload', first), fileEntry('upload2', second)],
		});
		expect(entry()?.headers).toMatchObject({
			'content-type': expect.stringMatching(/^multipart\/form-data; boundary=\S+$/),
			'content-length': expect.stringMatching(/^\d+$/),
			authorization: `Bearer ${sandbox.key}`,
			accept: 'application/json',
		});
		expect(entry()?.headers).not.toHaveProperty('transfer-encoding');
	});
});

test('base64: the file as a text of the JSON body', async () => {
	sandbox.settings.shapes.music.upload = 'base64';
	const large = wavFile({ seconds: 30, sampleRate: 48_000, channels: 2 });
	await send({ files: { upload: large, upload2: first }, uploadAs: 'base64' });
	const { upload } = entry()?.body as { upload: string };
	const bytes = Buffer.from(upload, 'base64');
	expect(sha256Of({ size: bytes.length, chunks: () => [bytes] })).toBe(sha256Of(large));
});

test('URL: nothing but its text', async () => {
	sandbox.settings.shapes.music.upload = 'url';
	const urls = { upload: 'https://cdn.example/a.mp3', upload2: 'https://cdn.example/b.wav' };
	await send({ urls, uploadAs: 'url' });
	expect(entry()?.body).toEqual({ title: 'Mash', style: 'calm', model: 'V5_5', ...urls });
});

/** A server on its own, for media and for services that behave badly. */
async function listen(handle: Parameters<typeof createServer>[1]) {
	const server = createServer(handle);
	servers.push(server);
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const servers: Server[] = [];

afterEach(() => {
	for (const server of servers.splice(0)) {
		server.closeAllConnections();
		server.close();
	}
});

describe('a URL in a form', () => {
	const song = mp3File({ seconds: 400 });

	test('is fetched, redirects followed, without the key', async () => {
		const seen: unknown[] = [];
		const url = await listen((request, response) => {
			seen.push(request.headers.authorization);
			if (request.url === '/go') return response.writeHead(302, { location: '/song.mp3' }).end();
			response.writeHead(200, { 'content-type': 'audio/mpeg' });
			return Readable.from(song.chunks()).pipe(response);
		});
		await send({ urls: { upload: `${url}/go`, upload2: `${url}/song.mp3` } });
		const sent = { type: 'audio/mpeg', size: song.size, sha256: sha256Of(song) };
		expect(entry()?.body).toMatchObject({
			files: [
				{ ...sent, fileName: 'go' },
				{ ...sent, fileName: 'song.mp3' },
			],
		});
		expect(seen).toHaveLength(3);
		expect(seen.every((header) => header === undefined)).toBe(true);
	});

	test('that leads to a web page: nothing is sent', async () => {
		const url = await listen((_, response) => {
			response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Log in</p>');
		});
		const { error, charged } = await failed({ urls: { upload: url, upload2: url } });
		expect(error).toContain(
			`The file ${url} could not be uploaded: The media address sent text/html`,
		);
		expect(charged).toBe('no');
		expect(sandbox.journal.entries).toEqual([]);
	});

	test('that breaks off in the middle: no job, no doubt', async () => {
		const url = await listen((_, response) => {
			response.writeHead(200, { 'content-length': song.size });
			response.write(Buffer.alloc(1000, 1), () => response.socket?.resetAndDestroy());
		});
		const { error, description, charged } = await failed({ urls: { upload: url, upload2: url } });
		expect(error).toMatch(/The file .* could not be uploaded: The download broke off/);
		expect(description).toContain('nothing was charged');
		expect(charged).toBe('no');
		expect(sandbox.jobs).toEqual([]);
	});
});

test('a service that resets when it has everything: in doubt', async () => {
	const baseUrl = await listen((request) => {
		request.resume().on('end', () => request.socket.resetAndDestroy());
	});
	const files = { upload: first, upload2: second };
	expect((await failed({ files, baseUrl })).charged).toBe('unknown');
});
