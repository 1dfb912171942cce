import { withAddresses } from '../../../nodes/shared/files/send.ts';
import { withFiles } from '../../../nodes/shared/files/withFiles.ts';
import { withoutSecrets } from '../../../nodes/shared/service/shownText.ts';
import { identityOf, type ServiceRequest } from '../../../nodes/shared/service/request.ts';
import { joined, wavFile } from '../../support/audioFiles.mts';
import { creationNamed } from '../../support/operations.mts';
import { fakeContext, type FakeFile } from './fakeContext.mts';

/** Files of items that the service fetches from n8n. */

const FRAMES = creationNamed('vidA31.generate');
const CLIP = creationNamed('vidE26.videoToVideo');
const FRAME = creationNamed('vidE26.imageToVideo');

const bytes = (start: string) => joined(Buffer.from(start, 'latin1'), Buffer.alloc(500));
const PNG = bytes('\x89PNG\r\n\x1a\n');
const JPEG = bytes('\xff\xd8\xff\xe0');
const MP4 = bytes('\0\0\0\x18ftypisom');

interface Given {
	files?: Record<string, FakeFile>;
	values?: Record<string, unknown>;
	operation?: typeof FRAMES;
	address?: string;
	isInMemory?: boolean;
	mayBePrivate?: boolean;
}

async function plan({ files = {}, values = {}, operation = FRAMES, ...more }: Given) {
	const { mayBePrivate = false, ...world } = more;
	const { context } = fakeContext(files, world);
	const uploading = { mode: 'multipart', seconds: 600, mayBePrivate } as const;
	const request = { method: 'POST', path: '/x', body: { prompt: 'a', ...values } } as const;
	const planned = await withFiles(
		{ context, itemIndex: 0, ...uploading },
		{ operation, values, request },
	).then(
		(made) => ({ request: made, messages: [] }),
		(error: Error) => ({ request, messages: error.message.split('; Images ') }),
	);
	return { context, ...planned, request: planned.request as ServiceRequest };
}

test.each([
	['a PNG', FRAMES, { imageUrls: ['data'] }, PNG, 'image/png'],
	['a JPEG', FRAME, { image_url: 'data' }, JPEG, 'image/jpeg'],
	['an MP4', CLIP, { video_url: 'data' }, MP4, 'video/mp4'],
	['a file of unknown type', FRAME, { image_url: 'data' }, JPEG, 'application/octet-stream'],
])('%s is sent as an address', async (_, operation, values, file, type) => {
	const files = { data: { file, fileName: 'photo', mimeType: type } };
	const { messages, request, context } = await plan({ files, values, operation });
	expect(messages).toEqual([]);
	const [field] = Object.keys(values);
	const named = { data: { id: 'store:data', name: 'photo', type, size: file.size } };
	expect(request.links).toEqual({ seconds: 600, files: { [field as string]: named } });
	const sent = await withAddresses(context.helpers, request.body ?? {}, request.links as never);
	const address = 'https://n8n.example/rest/binary-data/signed?token=store:data.600s';
	const isList = Array.isArray(Object.values(values)[0]);
	expect(sent).toEqual({ prompt: 'a', [field as string]: isList ? [address] : address });
});

test('URLs and files of one list keep their order', async () => {
	const files = { first: { file: PNG }, last: { file: JPEG } };
	const imageUrls = ['last', 'https://cdn.example/b.png', 'first'];
	const { request, context } = await plan({ files, values: { imageUrls } });
	const body = await withAddresses(context.helpers, request.body ?? {}, request.links as never);
	expect(body.imageUrls).toEqual([
		'https://n8n.example/rest/binary-data/signed?token=store:last.600s',
		'https://cdn.example/b.png',
		'https://n8n.example/rest/binary-data/signed?token=store:first.600s',
	]);
});

test.each([
	['in the item itself', { file: PNG, inItem: true }],
	['where it does not stay', { file: PNG, isTemporary: true }],
])('a file %s goes to the store of the execution first', async (_, file) => {
	const { messages, request } = await plan({
		files: { data: file },
		values: { imageUrls: ['data'] },
	});
	expect(messages).toEqual([]);
	expect(request.links?.files.imageUrls?.data).toMatchObject({ id: 'store:copy1', size: PNG.size });
});

test('a copy has the type of the file', async () => {
	const { context } = fakeContext({
		data: { file: PNG, isTemporary: true, mimeType: 'image/png' },
	});
	const prepare = jest.spyOn(context.helpers, 'prepareBinaryData');
	const uploading = { mode: 'multipart', seconds: 600, mayBePrivate: false } as const;
	const request = { method: 'POST', path: '/x' } as const;
	const values = { imageUrls: ['data'] };
	await withFiles({ context, itemIndex: 0, ...uploading }, { operation: FRAMES, values, request });
	expect(prepare).toHaveBeenCalledWith(expect.anything(), undefined, 'image/png');
});

test.each(['constructor', '__proto__', 'toString'])(
	'what every object has is no file: %s',
	async (name) => {
		const { messages } = await plan({ values: { imageUrls: [name] } });
		expect(messages).toEqual([
			`${FIELD} must be the name of a binary property of the item or an http(s) URL, but the item has no "${name}", nor any other file`,
		]);
	},
);

test('a file that was given as base64 is not in the error', async () => {
	const [message = ''] = (await plan({ values: { imageUrls: ['iVBORw0K'.repeat(100_000)] } }))
		.messages;
	expect(message).toContain(`but the item has no "${'iVBORw0K'.repeat(12)}iVBO…"`);
	expect(message.length).toBeLessThan(300);
});

const FIELD = 'Images (imageUrls)';
const INSTEAD = 'Or upload the file to a public host before this node, and enter its URL';

test.each<[string, Given, string]>([
	[
		'is not there',
		{ files: { photo: { file: PNG } } },
		`${FIELD} must be the name of a binary property of the item or an http(s) URL, but the item has no "data"; it has "photo"`,
	],
	[
		'is a page',
		{ files: { data: { file: PNG, fileName: 'photo.jpg', mimeType: 'text/html' } } },
		`${FIELD} must be an image, but "photo.jpg" is text/html`,
	],
	[
		'is a song',
		{ files: { data: { file: wavFile({ seconds: 1 }), fileName: 'a.wav' } } },
		`${FIELD} must be an image, but "a.wav" is of no such type`,
	],
	[
		'is empty',
		{ files: { data: { file: joined(Buffer.alloc(0)) } } },
		`${FIELD} must be an image, but "data" is empty`,
	],
	[
		'is gone',
		{ files: { data: { file: PNG, isGone: true } } },
		`${FIELD} cannot be read from "data": The file is gone`,
	],
	[
		'is in memory',
		{ files: { data: { file: PNG, inItem: true } }, isInMemory: true },
		`${FIELD} cannot be the file "data": this n8n keeps files in memory, where they have no address. Set N8N_DEFAULT_BINARY_DATA_MODE=filesystem and start n8n again. ${INSTEAD}`,
	],
	[
		'is in an n8n that nobody outside reaches',
		{ files: { data: { file: PNG } }, address: 'http://localhost:5678' },
		`${FIELD} cannot be the file "data": the service would fetch it from this n8n, whose address is http://localhost:5678, and cannot reach that. Set WEBHOOK_URL to the address that n8n has on the internet, and start n8n again. ${INSTEAD}`,
	],
])('a file that %s is refused before anything is sent', async (_, given, message) => {
	expect((await plan({ ...given, values: { imageUrls: ['data'] } })).messages).toEqual([message]);
});

test.each(['http://n8n:5678', 'http://192.168.1.5', 'https://n8n.local', 'http://[fd00::1]:5678'])(
	'an n8n at %s serves a service in a private network alone',
	async (address) => {
		const given = { files: { data: { file: PNG } }, values: { imageUrls: ['data'] }, address };
		expect((await plan(given)).messages).toEqual([expect.stringContaining('cannot reach that')]);
		expect((await plan({ ...given, mayBePrivate: true })).messages).toEqual([]);
	},
);

test.each(['http://10.0.0.1/a.png?x=1', 'https://localhost/a.png', 'http://[::1]/a.png'])(
	'an address that the service cannot reach is refused before anything is sent: %s',
	async (inside) => {
		const given = { values: { imageUrls: ['https://cdn.example/a.png', inside] } };
		expect((await plan(given)).messages).toEqual([
			`${FIELD} must not be inside a private network, but is "${inside.replace('?x=1', '')}": the service fetches files from there only while the Base URL is in one, too. Download it in a node before this one, and use its binary property here`,
		]);
		expect((await plan({ ...given, mayBePrivate: true })).messages).toEqual([]);
	},
);

test('a file that has gone when its turn comes is not sent, and not paid for', async () => {
	const files: Record<string, FakeFile> = { data: { file: PNG, fileName: 'photo.png' } };
	const { request, context } = await plan({ files, values: { imageUrls: ['data'] } });
	files.data = { ...(files.data as FakeFile), isGone: true };
	const sent = withAddresses(context.helpers, request.body ?? {}, request.links as never);
	await expect(sent).rejects.toMatchObject({
		outcome: 'notSent',
		message: "The file photo.png is no longer in n8n's store (The file is gone)",
	});
});

test('a file that n8n gives no address any more is not sent, and not paid for', async () => {
	const { request, context } = await plan({
		files: { data: { file: PNG } },
		values: { imageUrls: ['data'] },
	});
	jest.spyOn(context.helpers, 'createBinarySignedUrl').mockImplementation(() => {
		throw new Error('no secret');
	});
	const sent = withAddresses(context.helpers, request.body ?? {}, request.links as never);
	await expect(sent).rejects.toMatchObject({ outcome: 'notSent' });
});

test('a request is the same wherever n8n keeps its file, and another with another file', async () => {
	const values = { imageUrls: ['data'] };
	const identity = async (data: FakeFile) =>
		JSON.stringify(identityOf((await plan({ files: { data }, values })).request));
	const first = await identity({ file: PNG, fileName: 'a.png' });
	expect(await identity({ file: PNG, fileName: 'a.png', inItem: true })).toBe(first);
	expect(await identity({ file: PNG, fileName: 'b.png' })).not.toBe(first);
	expect(await identity({ file: bytes('\x89PNG\r\n\x1a\n1'), fileName: 'a.png' })).not.toBe(first);
});

test.each([
	'https://n8n.example/rest/binary-data/signed?token=eyJh.eyJp.c-_1',
	'https:\\/\\/n8n.example\\/rest\\/binary-data\\/signed?token=eyJh.eyJp.c-_1',
	'https%3A%2F%2Fn8n.example%2Frest%2Fbinary-data%2Fsigned%3Ftoken%3DeyJh.eyJp.c-_1',
])('what opens a file is in no answer: %s', (address) => {
	const text = withoutSecrets(`{"input_urls":["${address}"],"id":"j1"}`, []);
	expect(text).not.toContain('eyJ');
	expect(text).toMatch(/\*\*\*"\],"id":"j1"\}$/);
});
