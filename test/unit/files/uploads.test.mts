import { withFiles } from '../../../nodes/shared/files/withFiles.ts';
import { bytesOf, joined, mp3File, wavFile } from '../../support/audioFiles.mts';
import { creationNamed } from '../../support/operations.mts';
import { fakeContext, type FakeFile } from './fakeContext.mts';
import type { ServiceRequest } from '../../../nodes/shared/service/request.ts';
import type { UploadMode } from '../../../nodes/shared/spec/music/fields.ts';

const cover = creationNamed('song.upload_cover');
const mashup = creationNamed('song.mashup');
const wav = wavFile({ seconds: 2 });
const OCTETS = 'application/octet-stream';
const png = joined(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), Buffer.alloc(500));

const plan = async (
	files: Record<string, FakeFile>,
	upload = 'data',
	mode: UploadMode = 'multipart',
	mayBePrivate = false,
) => {
	const { context } = fakeContext(files);
	const uploading = { mode, mayBePrivate, seconds: 600 };
	const values = { upload };
	const request = { method: 'POST', path: '/x', body: { upload, title: 'a' } } as const;
	return await withFiles(
		{ context, itemIndex: 0, ...uploading },
		{ operation: cover, values, request },
	).then(
		(made) => ({ ...(made as ServiceRequest), messages: [] }),
		(error: Error) => ({ ...(request as ServiceRequest), messages: [error.message] }),
	);
};

test.each<[string, FakeFile]>([
	['a WAV by its type', { file: wav, mimeType: 'audio/x-wav' }],
	['an MP3 by its name', { file: mp3File({ seconds: 1 }), fileName: 'song.MP3' }],
	['one whose type says nothing', { file: wav, fileName: 'a.wav', mimeType: OCTETS }],
	['one in the item itself', { file: wav, fileName: 'a.wav', inItem: true }],
])('%s can be uploaded', async (_, file) => {
	const { messages, files } = await plan({ data: file });
	expect(messages).toEqual([]);
	const sent = ((await files?.body({})) as FormData).get('upload') as File;
	expect(Buffer.from(await sent.arrayBuffer()).equals(bytesOf(file.file))).toBe(true);
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

const NO_AUDIO = 'Audio File (upload) must be an MP3 or WAV file, but';

test.each<[string, FakeFile, string]>([
	[
		'a picture',
		{ file: png, fileName: 'a.png', mimeType: 'image/png' },
		`${NO_AUDIO} "a.png" is image/png`,
	],
	[
		'a file of unknown type, called as a picture',
		{ file: wav, fileName: 'a.png', mimeType: OCTETS },
		`${NO_AUDIO} "a.png" is of no such type`,
	],
	['an empty file', { file: joined(), fileName: 'a.wav' }, `${NO_AUDIO} "a.wav" is empty`],
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
	const { context } = fakeContext({ data: { file: png, fileName: 'a.png' }, voice: { file: wav } });
	const values = { upload: 'data', upload2: 'data2', title: 'a', style: 'b' };
	const request = { method: 'POST', path: '/x' } as const;
	const sending = { mode: 'multipart', mayBePrivate: false, seconds: 600 } as const;
	const made = withFiles(
		{ context, itemIndex: 0, ...sending },
		{ operation: mashup, values, request },
	);
	await expect(made).rejects.toThrow(
		/^First Audio File \(upload\) must be .*; Second Audio File .* the item has no "data2"; it has "data"/,
	);
});

describe('a URL', () => {
	const url = 'https://cdn.example/a.mp3?signature=1';

	test.each(['multipart', 'base64'] as const)('%s: fetched only when it is sent', async (mode) => {
		const { messages, files } = await plan({}, ` ${url} `, mode);
		expect(messages).toEqual([]);
		expect(files?.identities).toEqual({ upload: { url } });
	});

	test.each(['http://10.0.0.1/a.mp3', 'http://localhost/a.mp3', 'https://[::ffff:a00:1]/a.mp3'])(
		'%s is refused before anything is sent, unless the service is in a private network, too',
		async (inside) => {
			expect((await plan({}, inside)).messages).toEqual([
				`Audio File (upload) must not be inside a private network, but is "${inside}": n8n fetches files from there only while the Base URL is in one, too. Download it in a node before this one, and use its binary property here`,
			]);
			const { messages, files } = await plan({}, inside, 'multipart', true);
			expect(messages).toEqual([]);
			expect(files?.identities).toEqual({ upload: { url: inside } });
		},
	);

	test('as a URL: nothing but a text', async () => {
		const { messages, ...request } = await plan({}, url, 'url');
		expect(messages).toEqual([]);
		expect(request).toEqual({ method: 'POST', path: '/x', body: { upload: url, title: 'a' } });
	});

	test('a file where only URLs are sent: the service fetches it', async () => {
		const file = { file: wav, fileName: 'take.wav', mimeType: 'audio/wav' };
		const { messages, files, links } = await plan({ data: file }, 'data', 'url');
		expect({ messages, files }).toEqual({ messages: [], files: undefined });
		expect(links?.files).toEqual({
			upload: { data: { id: 'store:data', name: 'take.wav', type: 'audio/wav', size: wav.size } },
		});
		expect(
			(await plan({ data: { file: png, fileName: 'a.png' } }, 'data', 'url')).messages,
		).toEqual([expect.stringContaining('Audio File (upload) must be an MP3 or WAV file')]);
	});
});

describe('the request', () => {
	test('has its files beside the body, which does not name them any more', async () => {
		const { messages, ...request } = await plan({ data: { file: wav, fileName: 'a.wav' } });
		expect(messages).toEqual([]);
		expect(request).toEqual({
			method: 'POST',
			path: '/x',
			body: { title: 'a' },
			files: {
				identities: { upload: { name: 'a.wav', type: '', size: wav.size } },
				body: expect.any(Function),
			},
		});
	});

	test('tells files apart by name, type and size, not by where n8n keeps them', async () => {
		const text = async (file: FakeFile) => JSON.stringify(await plan({ data: file }));
		const first = await text({ file: wav, fileName: 'a.wav' });
		expect(first).toContain(
			`"identities":{"upload":{"name":"a.wav","type":"","size":${wav.size}}}`,
		);
		expect(await text({ file: wav, fileName: 'a.wav', inItem: true })).toBe(first);
		expect(await text({ file: wavFile({ seconds: 3 }), fileName: 'a.wav' })).not.toBe(first);
	});
});
