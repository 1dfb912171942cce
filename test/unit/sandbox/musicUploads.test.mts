import { songWav } from '../../../sandbox/wav.mts';
import { bytesOf, mp3File, sha256Of, wavFile } from '../../support/audioFiles.mts';
import { KEY } from './harness.mts';
import { openMusic } from './musicHarness.mts';

const WAV = songWav('an upload');
const MP3 = bytesOf(mp3File({ seconds: 1 }));
/** Of 100 samples a second, so that they are small. */
const wavOf = (seconds: number) => bytesOf(wavFile({ seconds, sampleRate: 100 }));
const LONG = wavOf(481);
const TOO_LONG = 'Must not be longer than 8 minutes.';
const NO_AUDIO = Buffer.from('This is a text, whatever its name says.');
const URL_OF_FILE = 'https://media.example/track.mp3';

type Part = string | { bytes: Buffer; name?: string };

/** Sends a multipart form. */
const sendForm = async (url: string, parts: Record<string, Part>) => {
	const form = new FormData();
	for (const [name, part] of Object.entries(parts)) {
		if (typeof part === 'string') form.append(name, part);
		else form.append(name, new Blob([new Uint8Array(part.bytes)]), part.name ?? 'track.wav');
	}
	const headers = { Authorization: `Bearer ${KEY}` };
	const answer = await fetch(url, { method: 'POST', headers, body: form });
	const shown = (await answer.json()) as { details?: Record<string, string> };
	return { status: answer.status, body: shown };
};

type UploadMode = NonNullable<Parameters<typeof openMusic>[0]>['upload'];

const openWith = async (upload: UploadMode) => {
	const opened = await openMusic({ upload });
	const form = (operation: string, parts: Record<string, Part>) =>
		sendForm(`${opened.sandbox.url}/open/music/${operation}/`, parts);
	return { ...opened, form };
};

describe('files as parts of a form', () => {
	it.each([
		['WAV', WAV, 'track.wav'],
		['MP3', MP3, 'track.mp3'],
	])('%s', async (_, bytes, name) => {
		const { form, sandbox } = await openWith('multipart');
		const answer = await form('upload_cover', { model: 'V5', upload: { bytes, name } });
		expect(answer.status).toBe(201);
		expect(sandbox.jobs[0]?.body).toMatchObject({
			model: 'V5',
			upload: { fileName: name, size: bytes.length },
		});
	});

	it('may have 8 minutes', async () => {
		const { form } = await openWith('multipart');
		const answer = await form('upload_cover', { model: 'V5', upload: { bytes: wavOf(480) } });
		expect(answer.status).toBe(201);
	});

	it('come with fields that are texts, read by their types', async () => {
		const { form, sandbox, account } = await openWith('multipart');
		const answer = await form('upload_extend', {
			upload: { bytes: WAV },
			model: 'V5_5',
			continue_at: '12.5',
			instrumental: 'false',
			style_weight: '0.29',
			title: '7',
		});
		expect(answer.body).toMatchObject({ success: true });
		expect(sandbox.jobs[0]?.body).toMatchObject({
			continue_at: 12.5,
			instrumental: false,
			style_weight: 0.29,
			title: '7',
		});
		expect(account.charges).toMatchObject([{ operation: 'song.upload_extend', credits: 12 }]);
	});

	it.each([
		['continue_at', 'soon', 'must be number'],
		['continue_at', '-1', 'must be >= 0'],
		['instrumental', 'yes', 'must be boolean'],
		['style_weight', '1.01', 'must be <= 1'],
		['model', 'V6', 'Must be one of'],
		['colour', 'red', 'Unknown field'],
	])('refuse %s: %s', async (name, text, message) => {
		const { form, sandbox } = await openWith('multipart');
		const fields = { model: 'V5', continue_at: '1', [name]: text };
		const answer = await form('upload_extend', { upload: { bytes: WAV }, ...fields });
		expect(answer.status).toBe(400);
		expect(answer.body.details).toEqual({ [name]: expect.stringContaining(message) });
		expect(sandbox.jobs).toEqual([]);
	});

	it('two of them', async () => {
		const { form, sandbox } = await openWith('multipart');
		const upload = { bytes: WAV };
		const fields = { title: 'Both', style: 'swing', model: 'V5' };
		const alone = await form('mashup', { upload, ...fields });
		expect(alone.body.details).toEqual({ upload2: 'This field is required.' });
		const upload2 = { bytes: MP3, name: 'other.mp3' };
		expect((await form('mashup', { upload, upload2, ...fields })).status).toBe(201);
		expect(sandbox.jobs[0]?.body).toMatchObject({
			upload: { size: WAV.length },
			upload2: { size: MP3.length, fileName: 'other.mp3' },
		});
	});

	it('are not needed where a take is the source', async () => {
		const { make, submit, form } = await openWith('multipart');
		const { id: source, takes } = await make('generate', { model: 'V5' });
		const body = { separation_type: 'split_stem', audio_id: takes[0]?.audio_id ?? '', source };
		expect((await submit('stems', body)).status).toBe(201);
		expect((await form('stems', body)).status).toBe(201);
	});

	it('of operations that only the catalog knows', async () => {
		const { make, form, sandbox } = await openWith('multipart');
		const { id: source } = await make('generate', { model: 'V5' });
		const fields = { source, genre: 'swing', quality: 'studio', keep_vocals: 'true' };
		const answer = await form('remix', { ...fields, reference: { bytes: WAV } });
		expect(answer.status).toBe(201);
		expect(sandbox.jobs[1]?.body).toMatchObject({
			keep_vocals: true,
			reference: { size: WAV.length },
		});
	});

	it('are in the journal, without their content', async () => {
		const { form, journal } = await openWith('multipart');
		await form('upload_cover', { model: 'V5', upload: { bytes: WAV } });
		const [entry] = journal.to('song.upload_cover');
		expect(entry).toMatchObject({
			status: 201,
			body: {
				fields: { model: 'V5' },
				files: [{ name: 'upload', fileName: 'track.wav', size: WAV.length }],
			},
		});
		expect(JSON.stringify(entry).length).toBeLessThan(2000);
	});

	it('fail where the name of a file says so', async () => {
		const { form, sandbox, clock } = await openWith('multipart');
		await form('upload_cover', { model: 'V5', upload: { bytes: WAV, name: '[fail].wav' } });
		await clock.advance(5000);
		expect(sandbox.jobs[0]?.state).toBe('failed');
	});

	it('may be large', async () => {
		const { form, sandbox } = await openWith('multipart');
		const large = wavFile({ seconds: 60, sampleRate: 48_000, channels: 2 });
		const bytes = bytesOf(large);
		expect((await form('upload_cover', { model: 'V5', upload: { bytes } })).status).toBe(201);
		const size = 44 + 60 * 48_000 * 4;
		expect(sandbox.jobs[0]?.body.upload).toMatchObject({ size, sha256: sha256Of(large) });
	});
});

describe('files in the wrong way', () => {
	const base64 = WAV.toString('base64');

	it.each<[UploadMode, string, Part | number, string]>([
		['multipart', 'a URL', URL_OF_FILE, 'Must be a file in a multipart form.'],
		['multipart', 'base64', base64, 'Must be a file in a multipart form.'],
		['multipart', 'no audio', { bytes: NO_AUDIO }, 'Must be an MP3 or WAV file.'],
		['multipart', 'an empty file', { bytes: Buffer.alloc(0) }, 'Must be an MP3 or WAV file.'],
		['multipart', 'a WAV of 481 seconds', { bytes: LONG }, TOO_LONG],
		['base64', 'a WAV of 481 seconds', LONG.toString('base64'), TOO_LONG],
		['base64', 'a part', { bytes: WAV }, 'Must be a file in base64.'],
		['base64', 'a URL', URL_OF_FILE, 'Must be a file in base64.'],
		['base64', 'a data URL', `data:audio/wav;base64,${base64}`, 'Must be a file in base64.'],
		['base64', 'half of it', base64.slice(0, -1), 'Must be a file in base64.'],
		['base64', 'no audio', NO_AUDIO.toString('base64'), 'Must be an MP3 or WAV file.'],
		['base64', 'a number', 5, 'Must be a file in base64.'],
		['url', 'a part', { bytes: WAV }, 'Must be a URL that starts with http:// or https://.'],
		['url', 'base64', base64, 'Must be a URL that starts with http:// or https://.'],
		['url', 'a path', '/track.wav', 'Must be a URL that starts with http:// or https://.'],
	])('%s: %s', async (mode, _, upload, message) => {
		const { form, submit, account } = await openWith(mode);
		const answer =
			typeof upload === 'object'
				? await form('upload_cover', { model: 'V5', upload })
				: await submit('upload_cover', { model: 'V5', upload });
		expect(answer.status).toBe(400);
		expect(answer.body.details).toEqual({ upload: message });
		expect(account.charges).toEqual([]);
	});
});

describe('files as texts', () => {
	it.each<[UploadMode, string]>([
		['base64', WAV.toString('base64')],
		['base64', MP3.toString('base64')],
		['base64', songWav('x').subarray(0, 100).toString('base64')],
		['base64', wavOf(480).toString('base64')],
		['url', URL_OF_FILE],
	])('%s', async (mode, upload) => {
		const { submit, sandbox } = await openWith(mode);
		expect((await submit('upload_cover', { model: 'V5', upload })).status).toBe(201);
		expect(sandbox.jobs[0]?.body.upload).toBe(upload);
	});

	it('may be large', async () => {
		const { submit } = await openWith('base64');
		const upload = bytesOf(wavFile({ seconds: 60, sampleRate: 48_000 })).toString('base64');
		expect((await submit('upload_cover', { model: 'V5', upload })).status).toBe(201);
	});

	it('can be chosen while the sandbox runs', async () => {
		const { submit, settings } = await openWith('multipart');
		const send = async () =>
			(await submit('upload_cover', { model: 'V5', upload: URL_OF_FILE })).status;
		expect(await send()).toBe(400);
		settings.shapes.music.upload = 'url';
		expect(await send()).toBe(201);
	});
});
