import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { songWav } from '../../../sandbox/wav.mts';
import { bytesOf, mp3File, wavFile } from '../../support/audioFiles.mts';
import { openSandbox } from './harness.mts';

type MusicShape = NonNullable<NonNullable<SandboxSettingsInput['shapes']>['music']>;

const AUDIO_URL = 'https://media.example/track.mp3';
const COVER = 'upload_cover';

async function openMusic(music: MusicShape = { upload: 'url' }) {
	const opened = await openSandbox({ shapes: { music } });
	const submit = async (operation: string, body: object) =>
		await opened.create(`/open/music/${operation}/`, body);
	return {
		...opened,
		submit,
		/** Submits an operation and waits until it is completed. */
		make: async (operation: string, body: object) => {
			const { id } = await submit(operation, body);
			await opened.clock.advance(5000);
			const { body: record } = await opened.get(`/open/music/status/${id}/`);
			return { id, record, takes: record.result?.tracks ?? record.result?.stems ?? [] };
		},
		form: async (parts: Record<string, string | Buffer>, name = 'track.wav') => {
			const form = new FormData();
			for (const [field, part] of Object.entries(parts)) {
				if (typeof part === 'string') form.append(field, part);
				else form.append(field, new Blob([new Uint8Array(part)]), name);
			}
			return await opened.create(`/open/music/${COVER}/`, form);
		},
	};
}

describe('results', () => {
	const id = expect.any(String);

	test.each<[MusicShape['record'], (url: (take: number) => string) => object]>([
		['nested', (url) => ({ result: { tracks: [take(url(1)), take(url(2))] } })],
		['flat', (url) => ({ tracks: [1, 2].map((n) => ({ id, title: id, url: url(n) })) })],
		['lists', (url) => ({ audio_ids: [id, id], audio_urls: [url(1), url(2)] })],
	])('two takes of a song: %s', async (record, expected) => {
		const { make } = await openMusic({ record, upload: 'url' });
		const { id: job, record: body } = await make('generate', { model: 'V5' });
		const url = (number: number) => `https://cdn.example/media/${job}-${number}.wav`;
		expect(body).toEqual({ generation_id: job, status: 'completed', ...expected(url) });
	});

	const take = (audio_url: string) => ({ audio_id: id, title: id, duration: 4, audio_url });

	test.each([
		['stems', { upload: AUDIO_URL, separation_type: 'separate_vocal' }, 2],
		['stems', { upload: AUDIO_URL, separation_type: 'split_stem' }, 12],
		['sounds', { prompt: 'rain', model: 'V5' }, 1],
		['lyrics', { prompt: 'rain' }, 0],
	])('%s of %j: %d takes', async (operation, body, count) => {
		const { make } = await openMusic();
		expect((await make(operation, body)).takes).toHaveLength(count);
	});

	test('each take is a WAV of its own, which a conversion and new links repeat', async () => {
		const { make, get } = await openMusic();
		const load = async ({ audio_url }: { audio_url: string }) =>
			(await get(new URL(audio_url).pathname, { authorization: undefined })).bytes;
		const { id: source, takes } = await make('generate', { model: 'V5' });
		const [first, second] = [await load(takes[0]), await load(takes[1])];
		expect(first.toString('latin1', 0, 12)).toMatch(/^RIFF....WAVE$/s);
		expect(first.equals(second)).toBe(false);
		const wav = await make('wav', { source, audio_id: takes[0].audio_id });
		expect((await load(wav.takes[0])).equals(first)).toBe(true);
		const again = await make('recovery', { source });
		expect((await load(again.takes[1])).equals(second)).toBe(true);
		expect(again.takes[1].audio_url).not.toBe(takes[1].audio_url);
	});
});

test('the earlier job is one of an allowed operation, completed, and has the take', async () => {
	const { make, submit, image, clock } = await openMusic();
	const problem = async (operation: string, body: object) =>
		(await submit(operation, body)).body.details;
	const started = await submit('generate', { model: 'V5', prompt: '[fail]' });
	expect(await problem('recovery', { source: started.id })).toEqual({
		source: 'This job is queued.',
	});
	await clock.advance(5000);
	expect(await problem('recovery', { source: started.id })).toEqual({
		source: 'This job is failed.',
	});
	const { id: source } = await make('generate', { model: 'V5' });
	const picture = await image();
	for (const other of [picture, 'no id', 7]) {
		expect(Object.keys(await problem('recovery', { source: other }))).toEqual(['source']);
	}
	expect(await problem('midi', { source })).toEqual({
		source: 'Must be the id of a job of: stems.',
	});
	expect(Object.keys(await problem('wav', { source, audio_id: 'take' }))).toEqual(['audio_id']);
});

describe('files', () => {
	const WAV = songWav('an upload');
	const MP3 = bytesOf(mp3File({ seconds: 1 }));
	/** Of 100 samples a second, so that they are small. */
	const wavOf = (seconds: number) => bytesOf(wavFile({ seconds, sampleRate: 100 }));
	const TEXT = Buffer.from('This is a text, whatever its name says.');
	const model = 'V5';
	const base64 = (bytes: Buffer) => bytes.toString('base64');

	test.each<[MusicShape['upload'], string, string | number | Buffer, string?]>([
		['multipart', 'WAV', WAV],
		['multipart', 'MP3', MP3],
		['multipart', '8 minutes', wavOf(480)],
		['multipart', 'more', wavOf(481), 'Must not be longer than 8 minutes.'],
		['multipart', 'no audio', TEXT, 'Must be an MP3 or WAV file.'],
		['multipart', 'nothing', Buffer.alloc(0), 'Must be an MP3 or WAV file.'],
		['multipart', 'a URL', AUDIO_URL, 'Must be a file in a multipart form.'],
		['base64', 'MP3', base64(MP3)],
		['base64', '8 minutes', base64(wavOf(480))],
		['base64', 'large', base64(bytesOf(wavFile({ seconds: 60, sampleRate: 48_000 })))],
		['base64', 'more', base64(wavOf(481)), 'Must not be longer than 8 minutes.'],
		['base64', 'a part', WAV, 'Must be a file in base64.'],
		['base64', 'half of it', base64(WAV).slice(0, -1), 'Must be a file in base64.'],
		['base64', 'a number', 5, 'Must be a file in base64.'],
		['url', 'a URL', AUDIO_URL],
		['url', 'a part', WAV, 'Expected string'],
		['url', 'a path', '/track.wav', 'Must be a URL'],
	])('%s: %s', async (mode, _, upload, message = '') => {
		const { form, submit, sandbox } = await openMusic({ upload: mode! });
		const { status, body } = Buffer.isBuffer(upload)
			? await form({ model, upload })
			: await submit(COVER, { model, upload });
		expect(status).toBe(message ? 400 : 201);
		if (message) expect(body.details.upload).toContain(message);
		expect(sandbox.account.charges).toHaveLength(message ? 0 : 1);
	});

	test('come with texts, read by their types, and stand in the journal without their bytes', async () => {
		const { form, sandbox } = await openMusic({ upload: 'multipart' });
		const texts = { model, instrumental: 'false', style_weight: '0.29', title: '7' };
		const { id } = await form({ ...texts, upload: WAV }, 'größe [fail].wav');
		const file = { fileName: 'größe [fail].wav', size: WAV.length };
		expect(sandbox.jobs[0]).toMatchObject({
			id,
			outcome: 'failed',
			body: { model, instrumental: false, style_weight: 0.29, title: '7', upload: file },
		});
		expect(sandbox.journal.entries[0]!.body).toMatchObject({
			fields: texts,
			files: [{ name: 'upload', ...file }],
		});
		const refused = await form({ ...texts, instrumental: 'yes', upload: WAV });
		expect(Object.keys(refused.body.details)).toEqual(['instrumental']);
	});

	test.each([
		'',
		'hello',
		'--x\r\n\r\nb',
		'--x\r\nContent-Disposition: form-data; name="a"\r\n\r\nb',
	])('a form that is none: %j', async (text) => {
		const { call } = await openMusic({ upload: 'multipart' });
		const type = { 'content-type': 'multipart/form-data; boundary=x' };
		expect((await call('POST', `/open/music/${COVER}/`, text, type)).status).toBe(400);
	});
});

test('the catalog has the 21 operations with their fields, in the language of its path', async () => {
	const { get } = await openMusic();
	const { models, operations } = (await get('/open/music/catalog/de/')).body.data;
	expect(models[0]).toMatchObject({ value: 'V5_5', help: expect.stringContaining('[de] ') });
	expect(operations.length).toBeGreaterThanOrEqual(21);
	expect(operations.find(({ id }: { id: string }) => id === 'stems')).toMatchObject({
		label: expect.stringContaining('[de] '),
		credits: 10,
		fields: expect.arrayContaining([expect.objectContaining({ name: 'separation_type' })]),
	});
});
