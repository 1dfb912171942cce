import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { mp3File, sha256Of, wavFile, type MadeFile } from '../support/audioFiles.mts';
import { credentialFor, keepBinaryData, runInEngine } from '../support/engine.mts';
import { flat } from '../support/flat.mts';
import { usePlayedServer } from '../support/playedServer.mts';
import { useSandbox } from '../support/useSandbox.mts';

/** Files of items and of URLs on their way to the service, through n8n's own HTTP client. */

const sandbox = useSandbox();
const media = usePlayedServer();
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

interface Sending {
	/** Files of the item, by property, or URLs, by field. */
	files?: Record<string, MadeFile>;
	urls?: Record<string, string>;
	values?: Record<string, unknown>;
	baseUrl?: string;
}

/** Orders a mashup. What went wrong is an item. */
async function send({ files = {}, urls = {}, values = {}, ...settings }: Sending) {
	const names = Object.fromEntries(Object.keys(files).map((name) => [name, name]));
	const { outputs, error } = await runInEngine({
		...{ kind: 'music', files, node: { onError: 'continueRegularOutput' } },
		credential: { ...credentialFor(sandbox), ...settings, ...sandbox.settings.openPaths },
		parameters: {
			...{ resource: 'song', operation: 'mashup', waitForCompletion: false },
			...{ title: 'Mash', style: 'calm', model: 'V5_5', ...values, ...names, ...urls },
		},
	});
	expect(error).toBeUndefined();
	return flat(outputs[0]![0]!.json);
}

const entry = () => sandbox.journal.entries[0];

const fileEntry = (name: string, file: MadeFile) => ({
	...{ name, fileName: `${name}.wav`, type: 'audio/wav' },
	...{ size: file.size, sha256: sha256Of(file) },
});

const first = wavFile({ seconds: 3 });
const second = wavFile({ seconds: 30, sampleRate: 44_100, channels: 2 });

test.each(['filesystem', 'default'] as const)(
	'a form has the fields as texts and the files whole, in the mode %s',
	async (mode) => {
		await keepBinaryData(mode, folder);
		const additionalFields = { duration: 30.5, instrumental: true };
		const values = { prompt: 'first line\nsecond – Ω', additionalFields };
		const job = await send({ files: { upload: first, upload2: second }, values });
		expect(job).toMatchObject({ jobId: sandbox.jobs[0]?.id });
		expect(entry()?.body).toEqual({
			fields: {
				...{ title: 'Mash', style: 'calm', model: 'V5_5', duration: '30.5', instrumental: 'true' },
				// As from any browser.
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
	},
);

describe('a URL in a form', () => {
	const song = mp3File({ seconds: 400 });
	const headers = { 'content-type': 'audio/mpeg', 'content-length': song.size };

	test('is fetched, redirects followed, without the key', async () => {
		media.answer = ({ path }) =>
			path === '/go'
				? { status: 302, headers: { location: '/song.mp3' } }
				: { headers, body: song.chunks() };
		await send({ urls: { upload: `${media.url}/go`, upload2: `${media.url}/song.mp3` } });
		const sent = { type: 'audio/mpeg', size: song.size, sha256: sha256Of(song) };
		expect(entry()?.body).toMatchObject({
			files: [
				{ ...sent, fileName: 'go' },
				{ ...sent, fileName: 'song.mp3' },
			],
		});
		expect(media.requests).toHaveLength(3);
		for (const request of media.requests)
			expect(request.headers).not.toHaveProperty('authorization');
	});

	test('that leads to a web page: nothing is sent', async () => {
		const url = media.serve({ headers: { 'content-type': 'text/html' }, body: ['<p>Log in</p>'] });
		const { error, charged } = await send({ urls: { upload: url, upload2: url } });
		expect(error).toContain(
			`The file ${url} could not be uploaded: The media address sent text/html`,
		);
		expect(charged).toBe('no');
		expect(sandbox.journal.entries).toEqual([]);
	});

	test('that breaks off in the middle, three times: no job, no doubt', async () => {
		const url = media.serve({ headers, body: [Buffer.alloc(1000, 1)], end: 'reset' });
		const { error, description, charged } = await send({ urls: { upload: url, upload2: url } });
		expect(error).toMatch(/The file .* could not be uploaded: The download broke off/);
		expect(description).toContain('nothing was charged');
		expect(media.requests).toHaveLength(3);
		expect(charged).toBe('no');
		expect(sandbox.jobs).toEqual([]);
	});
});
