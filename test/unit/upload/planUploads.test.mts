import { planUploads, withFiles } from '../../../nodes/shared/upload/planUploads.ts';
import { bytesOf, id3Tag, joined, mp3File, wavFile } from '../../support/audioFiles.mts';
import { creationNamed } from '../../support/operations.mts';
import { fakeContext, type FakeFile } from './fakeContext.mts';
import type { UploadMode } from '../../../nodes/shared/spec/music/fields.ts';

const cover = creationNamed('song.upload_cover');
const mashup = creationNamed('song.mashup');
const wav = wavFile({ seconds: 2 });
const AS_FORM = { mode: 'multipart', seconds: 600 } as const;
const text = joined(Buffer.from('Never gonna give you up'));
const png = joined(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(500));

const plan = async (
	files: Record<string, FakeFile>,
	upload = 'data',
	mode: UploadMode = 'multipart',
	mayBePrivate = false,
) => {
	const { context, opened } = fakeContext(files);
	const uploading = { mode, mayBePrivate, seconds: 600 };
	const planned = await planUploads(context, 0, cover, { upload }, uploading);
	return { ...planned, messages: planned.problems.map(({ message }) => message), opened };
};

test.each([
	['a WAV of 480 seconds', { file: wavFile({ seconds: 480 }) }],
	['an MP3 of 481 seconds, which no header tells', { file: mp3File({ seconds: 481 }) }],
	['a WAV called song.mp3', { file: wav, fileName: 'song.mp3', mimeType: 'audio/mpeg' }],
	['a WAV in the item itself', { file: wav, inItem: true }],
	[
		'an MP3 with a large picture in the item',
		{ file: joined(id3Tag(3e6), mp3File({ seconds: 3 })), inItem: true },
	],
])('%s can be uploaded', async (_, file) => {
	const { messages, sources, opened } = await plan({ data: file });
	expect(messages).toEqual([]);
	expect(Object.keys(sources)).toEqual(['upload']);
	expect(opened.every(({ destroyed }) => destroyed)).toBe(true);
});

/** User info is a password, a query often a signature. */
test.each<[string, string, UploadMode]>([
	['http://minio:pw-4711@10.0.0.5/a.mp3?X-Amz-Signature=S1', 'http://10.0.0.5/a.mp3', 'multipart'],
	['http://10.0.0.5/a.mp3?sig=pw-4711#S1', 'http://10.0.0.5/a.mp3', 'multipart'],
	['ftp://minio:pw-4711@files.example/a.mp3?sig=S1', 'ftp://files.example/a.mp3', 'multipart'],
	['https://minio:pw-4711@files example/a.mp3?sig=S1', '***', 'multipart'],
	['s3://minio:pw-4711@bucket/a.mp3?sig=S1', 's3://bucket/a.mp3', 'url'],
])('an error shows neither user info nor a query: %s', async (url, shown, mode) => {
	const { messages } = await plan({}, url, mode);
	expect(messages).toEqual([expect.stringContaining(`, but is "${shown}"`)]);
	expect(messages[0]).not.toMatch(/pw-4711|S1/);
});

const LONG = 'Audio File (upload) must not be longer than 8 minutes (480 seconds), but';
const NO_AUDIO = 'Audio File (upload) must be an MP3 or WAV file, but the content of';

test.each([
	[
		'a WAV of 481 seconds',
		{ file: wavFile({ seconds: 481 }), fileName: 'a.wav' },
		`${LONG} "a.wav" has 481 seconds`,
	],
	[
		'one in the item itself',
		{ file: wavFile({ seconds: 481 }), inItem: true },
		`${LONG} "data" has 481 seconds`,
	],
	[
		'a text called song.mp3',
		{ file: text, fileName: 'song.mp3', mimeType: 'audio/mpeg' },
		`${NO_AUDIO} "song.mp3" is neither`,
	],
	[
		'a PNG called song.wav',
		{ file: png, fileName: 'song.wav', mimeType: 'audio/wav' },
		`${NO_AUDIO} "song.wav" is image/png`,
	],
	[
		'an empty file',
		{ file: joined() },
		'Audio File (upload) must be an audio file, but "data" is empty',
	],
	[
		'a file that is gone',
		{ file: wav, isGone: true },
		'Audio File (upload) cannot be read from "data": The file is gone',
	],
])('%s is refused', async (_, file, message) => {
	expect((await plan({ data: file })).messages).toEqual([message]);
});

const NAME_OR_URL =
	'Audio File (upload) must be the name of a binary property of the item or an http(s) URL, but';

test.each([
	[{}, 'data', `${NAME_OR_URL} the item has no "data", nor any other file`],
	[{ voice: { file: wav } }, 'data', `${NAME_OR_URL} the item has no "data"; it has "voice"`],
	[
		{ a: { file: wav }, b: { file: wav } },
		'c',
		`${NAME_OR_URL} the item has no "c"; it has "a" and "b"`,
	],
	[{}, 'ftp://example.com/a.mp3', `${NAME_OR_URL} is "ftp://example.com/a.mp3"`],
	[{}, 'http://[', `${NAME_OR_URL} is "http://["`],
	[{}, 'file:///etc/passwd', `${NAME_OR_URL} is "file:///etc/passwd"`],
])('files %j and the value %j', async (files, value, message) => {
	expect((await plan(files, value)).messages).toEqual([message]);
});

test('every file of an operation is checked, each by its name', async () => {
	const { context } = fakeContext({ data: { file: text }, voice: { file: wav } });
	const values = { upload: 'data', upload2: 'data2', title: 'a', style: 'b' };
	const { problems } = await planUploads(context, 0, mashup, values, {
		mode: 'multipart',
		mayBePrivate: false,
		seconds: 600,
	});
	expect(problems).toEqual([
		{ field: 'upload', message: expect.stringContaining('First Audio File (upload) must be') },
		{
			field: 'upload2',
			message: expect.stringContaining('the item has no "data2"; it has "data"'),
		},
	]);
});

describe('a URL', () => {
	const url = 'https://cdn.example/a.mp3?signature=1';

	test.each(['multipart', 'base64'] as const)('%s: fetched only when it is sent', async (mode) => {
		const { messages, sources } = await plan({}, ` ${url} `, mode);
		expect(messages).toEqual([]);
		expect(sources.upload?.identity).toEqual({ url });
	});

	test.each(['http://10.0.0.1/a.mp3', 'http://localhost/a.mp3', 'https://[::ffff:a00:1]/a.mp3'])(
		'%s is refused before anything is sent, unless the service is in a private network, too',
		async (inside) => {
			expect((await plan({}, inside)).messages).toEqual([
				`Audio File (upload) must not be inside a private network, but is "${inside}": n8n fetches files from there only while the Base URL is in one, too. Download it in a node before this one, and use its binary property here`,
			]);
			const { messages, sources } = await plan({}, inside, 'multipart', true);
			expect(messages).toEqual([]);
			expect(sources.upload?.identity).toEqual({ url: inside });
		},
	);

	test('as a URL: nothing but a text', async () => {
		const { messages, sources } = await plan({}, url, 'url');
		expect({ messages, sources }).toEqual({ messages: [], sources: {} });
	});

	test('a file where only URLs are sent: the service fetches it', async () => {
		const file = { file: wav, fileName: 'take.wav' };
		const { messages, sources, links } = await plan({ data: file }, 'data', 'url');
		expect({ messages, sources }).toEqual({ messages: [], sources: {} });
		expect(links).toEqual({
			upload: { data: { id: 'store:data', name: 'take.wav', type: 'audio/wav', size: wav.size } },
		});
		expect((await plan({ data: { file: png } }, 'data', 'url')).messages).toEqual([
			expect.stringContaining('Audio File (upload) must be an MP3 or WAV file'),
		]);
	});
});

describe('the request', () => {
	const request = { method: 'POST', path: '/x', body: { upload: 'data', title: 'a' } } as const;

	test('has its files beside the body, which does not name them any more', async () => {
		const planned = await plan({ data: { file: wav } });
		expect(withFiles(request, planned, AS_FORM)).toEqual({
			method: 'POST',
			path: '/x',
			body: { title: 'a' },
			files: { as: 'multipart', sources: planned.sources, open: expect.any(Function) },
		});
	});

	test('is left as it is where there are none, and where only URLs are sent', async () => {
		const none = { problems: [], sources: {}, links: {} };
		expect(withFiles(request, none, AS_FORM)).toBe(request);
		expect(withFiles(request, none, { ...AS_FORM, mode: 'url' })).toBe(request);
	});

	test('tells files apart by name, type and size, not by where n8n keeps them', async () => {
		const text = async (file: FakeFile) =>
			JSON.stringify(withFiles(request, await plan({ data: file }), AS_FORM));
		const first = await text({ file: wav, fileName: 'a.wav' });
		expect(first).toContain(
			`"sources":{"upload":{"identity":{"name":"a.wav","type":"audio/wav","size":${wav.size}}}}`,
		);
		expect(await text({ file: wav, fileName: 'a.wav', inItem: true })).toBe(first);
		expect(await text({ file: wavFile({ seconds: 3 }), fileName: 'a.wav' })).not.toBe(first);
		expect(bytesOf(wav)).toHaveLength(wav.size);
	});
});
