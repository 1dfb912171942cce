import type { IDataObject } from 'n8n-workflow';

import { bytesOf, joined, mp3File, wavFile } from '../../support/audioFiles.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import type { FakeFile } from './fakeContext.mts';
import { orderedWith, PNG } from './itemFiles.mts';

/** Files of items on their way to the service: it fetches pictures and videos from n8n, and audio goes with the request. */

type Files = Record<string, FakeFile>;

const URL = 'https://cdn.example/b.png';

const ADDRESS = /^https:\/\/n8n\.example\/rest\/binary-data\/signed\?token=store:(\w+)\.(\d+)s$/;

const bytes = (start: string) => joined(Buffer.from(start, 'latin1'), Buffer.alloc(500));
const [JPEG, MP4] = [bytes('\xff\xd8\xff\xe0'), bytes('\0\0\0\x18ftypisom')];

const E26 = { model: 'modelA', duration: '5', aspect_ratio: '16:9', resolution: '720p' };
const FRAME = { ...E26, resource: 'vidE26', operation: 'imageToVideo', image_url: 'data' };
const CLIP = { ...E26, resource: 'vidE26', operation: 'videoToVideo', video_url: 'data' };

/** Addresses of files stand for the files. */
const named = (sent: unknown) =>
	[sent].flat().map((address) => ADDRESS.exec(String(address))?.[1] ?? address);

const withPictures = async (imageUrls: unknown, files: Files, given: object = {}) =>
	await orderedWith(files, { evaluated: { imageUrls } as IDataObject, ...given });

describe('the service is sent the address', () => {
	test.each<[string, unknown, string[]]>([
		['two files', ['first', 'last'], ['first', 'last']],
		['two files, the other way round', ['last', 'first'], ['last', 'first']],
		['a URL and a file', [URL, 'first'], [URL, 'first']],
	])('of %s, in order, for a day at least', async (_, given, expected) => {
		const { sent } = await withPictures(given, { first: { file: PNG }, last: { file: JPEG } });
		const addresses = sent!.imageUrls as string[];
		expect(named(addresses)).toEqual(expected);
		for (const address of addresses.filter((one) => one !== URL)) {
			expect(Number(ADDRESS.exec(address)?.[2])).toBeGreaterThanOrEqual(24 * 60 * 60);
		}
	});

	test.each<[string, IDataObject, string, FakeFile]>([
		['a JPEG', FRAME, 'image_url', { file: JPEG, mimeType: 'image/jpeg' }],
		['an MP4', CLIP, 'video_url', { file: MP4, mimeType: 'video/mp4' }],
		['an unknown type', FRAME, 'image_url', { file: JPEG, mimeType: 'application/octet-stream' }],
	])('of %s', async (_, parameters, field, file) => {
		const { sent, message } = await orderedWith({ data: file }, { parameters });
		expect(message).toBeUndefined();
		expect(named(sent![field])).toEqual(['data']);
	});

	test.each<[string, FakeFile]>([
		['in the item itself', { file: PNG, inItem: true }],
		['where it does not stay', { file: PNG, isTemporary: true }],
	])('of a copy of a file %s, with its type', async (_, file) => {
		const { sent } = await withPictures(['data'], { data: { ...file, mimeType: 'image/png' } });
		expect(named(sent!.imageUrls)).toEqual(['copy1']);
	});
});

/** As `$binary.data` gives it: without the content. */
const TOLD = { mimeType: '', fileName: 'a.png', id: 'store:data' };
const TOLD_OF = { data: { file: PNG, fileName: 'a.png' } };

describe('a file that an expression hands over', () => {
	test.each<[string, unknown]>([
		['$binary.data', TOLD],
		['a list of it', [TOLD]],
	])('is the file of the item: %s', async (_, given) => {
		const { sent, message } = await withPictures(given, TOLD_OF);
		expect(message).toBeUndefined();
		expect(named(sent!.imageUrls)).toEqual(['data']);
	});

	test.each([[JSON.stringify(TOLD)], [[JSON.stringify(TOLD)]]])(
		'is no text that describes one, which may come from outside: %j',
		async (given) => {
			const { message } = await withPictures(given, TOLD_OF);
			expect(message).toMatch(/^Images \(imageUrls\) (?:must|cannot) /);
		},
	);
});

const FIELD = 'Images (imageUrls)';
const INSTEAD = 'Or upload the file to a public host before this node, and enter its URL';

describe('a file that cannot be used is refused before anything is sent', () => {
	test.each<[string, FakeFile | undefined, string, object?]>([
		['not there', undefined, 'cannot be read from "data": no data'],
		[
			'a page',
			{ file: PNG, fileName: 'photo.jpg', mimeType: 'text/html' },
			'must be an image, but "photo.jpg" is text/html',
		],
		[
			'a song',
			{ file: wavFile({ seconds: 1 }), fileName: 'a.wav' },
			'must be an image, but "a.wav" is of no such type',
		],
		['gone', { file: PNG, isGone: true }, 'cannot be read from "data": The file is gone'],
		[
			'in memory',
			{ file: PNG, inItem: true },
			`cannot be the file "data": this n8n keeps files in memory, where they have no address. Set N8N_DEFAULT_BINARY_DATA_MODE=filesystem and start n8n again. ${INSTEAD}`,
			{ isInMemory: true },
		],
		[
			'in an n8n that nobody outside reaches',
			{ file: PNG },
			`cannot be the file "data": the service would fetch it from this n8n, whose address is http://localhost:5678, and cannot reach that. Set WEBHOOK_URL to the address that n8n has on the internet, and start n8n again. ${INSTEAD}`,
			{ address: 'http://localhost:5678' },
		],
	])('%s', async (_, file, words, world = {}) => {
		const { message, sent } = await withPictures(['data'], file ? { data: file } : {}, world);
		expect({ message, sent }).toEqual({ message: `${FIELD} ${words}`, sent: undefined });
	});

	test.each<[string, unknown, string]>([
		['a name that the item does not have', ['My photo'], 'no My photo. The item has: data'],
		[
			'an expression, from memory',
			{ mimeType: '', fileName: 'a.png' },
			'enter its name, such as data',
		],
	])('by %s: the error says what helps', async (_, given, words) => {
		const { message } = await withPictures(given, { data: { file: PNG, inItem: true } });
		expect(message).toContain(words);
	});

	test.each([
		'http://n8n:5678',
		'http://192.168.1.5',
		'https://n8n.local',
		'http://[fd00::1]:5678',
	])('of an n8n at %s, unless the service is in a private network, too', async (address) => {
		const files = { data: { file: PNG } };
		const { message } = await withPictures(['data'], files, { address });
		expect(message).toContain('cannot reach that');
		const credential = { baseUrl: 'http://localhost:8080' };
		const { sent } = await withPictures(['data'], files, { address, credential });
		expect(sent).toBeDefined();
	});

	test.each(['http://10.0.0.1/a.png?x=1', 'https://localhost/a.png', 'http://[::1]/a.png'])(
		'at the address %s, unless the service is there, too',
		async (inside) => {
			expect((await withPictures([URL, inside], {})).message).toBe(
				`${FIELD} must not be inside a private network, but is "${inside.replace('?x=1', '')}": files are fetched from there only while the Base URL is in one, too. Download it in a node before this one, and use its binary field here`,
			);
			const credential = { baseUrl: 'http://localhost:8080' };
			expect((await withPictures([URL, inside], {}, { credential })).sent).toBeDefined();
		},
	);
});

test.each([
	'https://n8n.example/rest/binary-data/signed?token=eyJh.eyJp.c-_1',
	'https:\\/\\/n8n.example\\/rest\\/binary-data\\/signed?token=eyJh.eyJp.c-_1',
	'https%3A%2F%2Fn8n.example%2Frest%2Fbinary-data%2Fsigned%3Ftoken%3DeyJh.eyJp.c-_1',
])('what opens a file is not shown: %s', async (address) => {
	const n8n = new VirtualN8n();
	const body = `{"error": "No access to ${address}", "success": false}`;
	n8n.state.faults.add({ fault: { kind: 'status', status: 400, body } });
	const parameters = { resource: 'job', operation: 'history' };
	const { error } = await n8n.run({ items: [{}], parameters });
	expect(error?.description).toContain('No access to');
	expect(JSON.stringify([error, error?.description])).not.toContain('eyJ');
});

const COVER = { resource: 'song', operation: 'upload_cover', upload: 'data' };
const AUDIO = 'Audio File (upload)';
const wav = wavFile({ seconds: 2 });
const OCTETS = 'application/octet-stream';

const withAudio = async (files: Files, upload: string, uploadAs = 'base64', more: object = {}) =>
	await orderedWith(files, {
		kind: 'music',
		parameters: { ...COVER, upload },
		credential: { uploadAs, ...more },
	});

describe('audio goes with the request', () => {
	test.each<[string, FakeFile]>([
		['a WAV by its type', { file: wav, mimeType: 'audio/x-wav' }],
		['an MP3 by its name', { file: mp3File({ seconds: 1 }), fileName: 'song.MP3' }],
		['one whose type says nothing', { file: wav, fileName: 'a.wav', mimeType: OCTETS }],
		['one in the item itself', { file: wav, fileName: 'a.wav', inItem: true }],
	])('%s', async (_, file) => {
		const { sent, message } = await withAudio({ data: file }, 'data');
		expect(message).toBeUndefined();
		expect(Buffer.from(String(sent!.upload), 'base64').equals(bytesOf(file.file))).toBe(true);
	});

	test('where only URLs are sent, the service fetches it, or has the URL as it is', async () => {
		const { sent } = await withAudio({ data: { file: wav, fileName: 'a.wav' } }, 'data', 'url');
		expect(named(sent!.upload)).toEqual(['data']);
		const url = 'https://cdn.example/a.mp3?signature=1';
		expect((await withAudio({}, url, 'url')).sent).toMatchObject({ upload: url });
	});

	test.each<[string, FakeFile, string]>([
		['a picture', { file: PNG, fileName: 'a.png', mimeType: 'image/png' }, '"a.png" is image/png'],
		[
			'a file of unknown type, called as a picture',
			{ file: wav, fileName: 'a.png', mimeType: OCTETS },
			'"a.png" is of no such type',
		],
	])('%s is refused', async (_, file, words) => {
		for (const uploadAs of ['multipart', 'url']) {
			const { message } = await withAudio({ data: file }, 'data', uploadAs);
			expect(message).toBe(`${AUDIO} must be an MP3 or WAV file, but ${words}`);
		}
	});

	test.each(['ftp://example.com/a.mp3', 'http://[', 'file:///etc/passwd'])(
		'the address %s is refused',
		async (value) => {
			const { message } = await withAudio({}, value);
			expect(message).toBe(`${AUDIO} must be one URL starting with http(s)://, but is "${value}"`);
		},
	);

	/** User info is a password, a query often a signature. */
	test.each<[string, string, string]>([
		[
			'http://minio:pw-4711@10.0.0.5/a.mp3?X-Amz-Signature=S1',
			'http://10.0.0.5/a.mp3',
			'multipart',
		],
		['ftp://minio:pw-4711@files.example/a.mp3?sig=S1', 'ftp://files.example/a.mp3', 'multipart'],
		['s3://minio:pw-4711@bucket/a.mp3?sig=S1', 's3://bucket/a.mp3', 'url'],
	])('%s is refused; neither user info nor a query is shown', async (url, shown, uploadAs) => {
		const { message = '' } = await withAudio({}, url, uploadAs);
		expect(message).toContain(`, but is "${shown}"`);
		expect(message).not.toMatch(/pw-4711|S1/);
	});
});
