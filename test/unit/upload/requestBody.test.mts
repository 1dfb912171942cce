import { MultipartForm, openBody } from '../../../nodes/shared/upload/requestBody.ts';
import { urlFile } from '../../../nodes/shared/upload/urlFile.ts';
import type { FileSource, OpenFile } from '../../../nodes/shared/service/request.ts';
import { bytesOf, joined, wavFile, type MadeFile } from '../../support/audioFiles.mts';
import { streamOf } from './chunks.mts';
import { fakeContext, type FakeAnswer } from './fakeContext.mts';

const wav = wavFile({ seconds: 20 });

/** A source, and the number of times that it was let go of. */
function sourceOf(file: MadeFile, more: Partial<OpenFile> = {}) {
	const state = { closed: 0 };
	const source: FileSource = {
		identity: {},
		open: async () => ({
			name: 'a.wav',
			type: 'audio/wav',
			size: file.size,
			chunks: streamOf(file),
			close: () => void (state.closed += 1),
			...more,
		}),
	};
	return { source, state };
}

const openForm = async (body: object, sources: Record<string, FileSource>) => {
	const opened = await openBody(body as Record<string, unknown>, { as: 'multipart', sources });
	return { ...opened, form: opened.content as MultipartForm };
};

const partsOf = async (form: MultipartForm) => {
	const parts: unknown[] = [];
	for (const [name, part] of form) {
		if (typeof part === 'string') parts.push([name, part]);
		else {
			const chunks: Uint8Array[] = [];
			for await (const chunk of part.stream()) chunks.push(chunk);
			parts.push([name, part.name, part.type, part.size, Buffer.concat(chunks)]);
		}
	}
	return parts;
};

describe('a form', () => {
	test('has texts first, then files; texts of several lines keep their line breaks', async () => {
		const { source } = sourceOf(wav);
		const body = { title: 'a', instrumental: true, duration: 12.5, prompt: 'x\ny', list: [1, 'b'] };
		const { form } = await openForm(body, { upload: source });
		const lines = Buffer.from('x\ny');
		expect(await partsOf(form)).toEqual([
			['title', 'a'],
			['instrumental', 'true'],
			['duration', '12.5'],
			['prompt', undefined, 'text/plain; charset=utf-8', 3, lines],
			['list', '[1,"b"]'],
			['upload', 'a.wav', 'audio/wav', wav.size, bytesOf(wav)],
		]);
	});

	test('is what n8n and its HTTP client take for one', () => {
		const form = new MultipartForm();
		expect(Object.keys(form).length).toBeGreaterThan(0);
		expect(Object.prototype.toString.call(form)).toBe('[object FormData]');
		expect([...form.entries()]).toEqual([]);
	});

	test('tells whether all of its files have been read', async () => {
		const { source } = sourceOf(wav);
		const { form, isRead } = await openForm({}, { upload: source, upload2: sourceOf(wav).source });
		expect(isRead()).toBe(false);
		await partsOf(form);
		expect(isRead()).toBe(true);
	});

	test.each([
		['shorter', wav.size + 1],
		['longer', wav.size - 1],
	])('a file that is %s than was told', async (_, size) => {
		const { form, isRead } = await openForm({}, { upload: sourceOf(wav, { size }).source });
		await expect(partsOf(form)).rejects.toMatchObject({
			message: `The file a.wav could not be uploaded: it has not the ${size} bytes that were told`,
			outcome: 'notSent',
		});
		expect(isRead()).toBe(false);
	});

	test('a file that breaks off', async () => {
		async function* chunks() {
			yield Buffer.from('RIFF');
			throw new Error('the disk is gone');
		}
		const { form } = await openForm({}, { upload: sourceOf(wav, { chunks: chunks() }).source });
		await expect(partsOf(form)).rejects.toMatchObject({
			message: 'The file a.wav could not be uploaded: reading it broke off (the disk is gone)',
			outcome: 'notSent',
		});
	});

	test('lets go of its files, also where the second cannot be opened', async () => {
		const [first, second] = [sourceOf(wav), sourceOf(wav)];
		const { close } = await openForm({}, { upload: first.source });
		close();
		expect(first.state.closed).toBe(1);
		const broken = { ...second.source, open: async () => await Promise.reject(new Error('no')) };
		await expect(openForm({}, { upload: first.source, upload2: broken })).rejects.toThrow('no');
		expect(first.state.closed).toBe(2);
	});

	test('a file of unknown size', async () => {
		const { source, state } = sourceOf(wav, { size: undefined });
		await expect(openForm({}, { upload: source })).rejects.toMatchObject({
			message:
				'The file a.wav could not be uploaded: its address does not tell its size (Content-Length)',
			description: expect.stringContaining('Download it in a node before this one'),
		});
		expect(state.closed).toBe(1);
	});
});

describe('as text', () => {
	const openText = async (source: FileSource) =>
		await openBody({ title: 'a' }, { as: 'base64', sources: { upload: source } });

	test.each([wav.size, undefined])('a file of size %s', async (size) => {
		const { content, isRead } = await openText(sourceOf(wav, { size }).source);
		expect(content).toEqual({ title: 'a', upload: bytesOf(wav).toString('base64') });
		expect(isRead()).toBe(true);
	});

	test.each([
		['that says so', { size: 300e6 }],
		['that does not', { size: undefined, chunks: streamOf(endless()) }],
	])('a file that is too large, %s', async (_, more) => {
		const { source, state } = sourceOf(wav, more);
		await expect(openText(source)).rejects.toMatchObject({
			message: 'The file a.wav could not be uploaded: it is too large to be sent as text',
		});
		expect(state.closed).toBe(1);
	});

	test('two files that are too large together: a body that cannot be made is known before', async () => {
		const upload = sourceOf(wav);
		const upload2 = sourceOf(wav, { size: 256 * 1024 * 1024 - 1 });
		const sources = { upload: upload.source, upload2: upload2.source };
		await expect(openBody({}, { as: 'base64', sources })).rejects.toMatchObject({
			outcome: 'notSent',
			message: 'The file a.wav could not be uploaded: it is too large to be sent as text',
		});
		expect([upload.state.closed, upload2.state.closed]).toEqual([1, 1]);
	});
});

function endless(): MadeFile {
	const block = Buffer.alloc(1024 * 1024);
	return {
		size: Infinity,
		*chunks() {
			for (;;) yield block;
		},
	};
}

describe('a URL', () => {
	const url = 'https://cdn.example/my%20song.wav?signature=secret';
	const told = { 'content-length': String(wav.size) };

	const openUrl = async (answer?: FakeAnswer) => {
		const { context, asked } = fakeContext({}, answer ? { [url]: answer } : {});
		const opening = urlFile(context.helpers, url, false).open();
		return { opening, asked };
	};

	test('is looked at, then passed on as it arrives', async () => {
		const { opening, asked } = await openUrl({ body: wav, headers: told });
		const { name, type, size, chunks, close } = await opening;
		expect({ name, type, size }).toEqual({
			name: 'my song.wav',
			type: 'audio/wav',
			size: wav.size,
		});
		const got: Buffer[] = [];
		for await (const chunk of chunks) got.push(chunk);
		expect(Buffer.concat(got).equals(bytesOf(wav))).toBe(true);
		expect(asked[0]?.headers).toEqual({ Accept: '*/*', 'Accept-Encoding': 'identity' });
		expect(asked[0]?.signal?.aborted).toBe(false);
		close();
		expect(asked[0]?.signal?.aborted).toBe(true);
	});

	const WHAT = 'The file https://cdn.example/my%20song.wav could not be uploaded:';

	test.each<[string, FakeAnswer | undefined, string]>([
		['nobody there', undefined, 'its address cannot be reached: connect ECONNREFUSED'],
		['a 404', { statusCode: 404, body: wav }, 'its address answered with status 404'],
		[
			'a page',
			{ body: joined(Buffer.from('<html>')) },
			'it must be an MP3 or WAV file, but the content of "my song.wav" is neither',
		],
		['nothing', { body: joined() }, 'it must be an audio file, but "my song.wav" is empty'],
		['a break', { body: wav, breaksAfter: 1 }, 'it broke off (ECONNRESET)'],
		[
			'a long WAV',
			{ body: wavFile({ seconds: 481 }) },
			'it must not be longer than 8 minutes (480 seconds), but "my song.wav" has 481 seconds',
		],
	])('%s', async (_, answer, reason) => {
		const { opening, asked } = await openUrl(answer);
		await expect(opening).rejects.toMatchObject({
			message: `${WHAT} ${reason}`,
			description: 'The request was not sent in full: no job was created, nothing was charged.',
			outcome: 'notSent',
		});
		expect(asked[0]?.signal?.aborted).toBe(true);
	});
});
