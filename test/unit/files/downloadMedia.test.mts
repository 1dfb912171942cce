import { Readable } from 'node:stream';
import type { IBinaryData, IHttpRequestOptions } from 'n8n-workflow';

import { downloadMedia, type Fetching } from '../../../nodes/shared/files/download.ts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** Every try and every pause, with n8n's helpers played by the test. */

interface FakeAnswer {
	status?: number;
	headers?: Record<string, string>;
	/** What the body gives, chunk by chunk; an error breaks it off, `'silence'` never ends. */
	body?: Array<string | Error | 'silence'>;
}

const PNG = '\x89PNG\r\n\x1a\n the rest';
const URL_A = 'https://cdn.example/a.png';
const HTML = { 'content-type': 'text/html; charset=utf-8' };
const MINUTE = 60_000;
const FIRST = { property: 'data', stem: 'job-1' };

let clock: VirtualClock;
let start: number;
let requests: Array<IHttpRequestOptions & { at: number }>;
let stored: Array<{ name?: string; mime?: string; content: string }>;

beforeEach(() => {
	clock = new VirtualClock();
	start = clock.now();
	requests = [];
	stored = [];
});

const wholeFiles = () => stored.map(({ content }) => content).filter(Boolean);

async function* chunks(body: NonNullable<FakeAnswer['body']>): AsyncGenerator<Buffer> {
	for (const chunk of body) {
		if (chunk instanceof Error) throw chunk;
		if (chunk === 'silence') await new Promise(() => {});
		yield Buffer.from(chunk, 'latin1');
	}
}

/** Answers in turn, the last one for ever; errors are thrown. */
function downloading(answers: Array<FakeAnswer | Error>, more: Partial<Fetching> = {}): Fetching {
	const httpRequest = async (options: IHttpRequestOptions) => {
		requests.push({ ...options, at: clock.now() - start });
		const answer = answers[Math.min(requests.length, answers.length) - 1];
		if (answer instanceof Error) throw answer;
		const { status = 200, headers = {}, body = [PNG] } = answer ?? {};
		const stream = Readable.from(chunks(body), { objectMode: false, highWaterMark: 1 });
		return { statusCode: status, headers, body: stream };
	};
	const prepareBinaryData = async (data: Buffer | Readable, name?: string, mime?: string) => {
		const parts: Buffer[] = [];
		for await (const part of data) parts.push(part as Buffer);
		const content = Buffer.concat(parts).toString('latin1');
		stored.push({ name, mime, content });
		return { data: '', fileName: name, mimeType: mime } as IBinaryData;
	};
	return {
		helpers: { httpRequest, prepareBinaryData },
		clock,
		mayBePrivate: false,
		...more,
	};
}

const download = async (
	answers: Array<FakeAnswer | Error>,
	{ urls = [URL_A], ...more }: Partial<Fetching> & { urls?: string[] } = {},
) => await clock.run(downloadMedia(urls, FIRST, downloading(answers, more)));

const errorsOf = async (...parameters: Parameters<typeof download>) =>
	(await download(...parameters)).errors.map(({ error }) => error);

describe('a file', () => {
	test('is stored whole, under its name and type', async () => {
		const { binary, errors } = await download([{ body: ['\x89P', 'NG\r\n', 'x'.repeat(200)] }]);
		expect(errors).toEqual([]);
		expect(binary).toEqual({ data: expect.objectContaining({ fileName: 'job-1.png' }) });
		expect(stored).toEqual([
			{ name: 'job-1.png', mime: undefined, content: `\x89PNG\r\n${'x'.repeat(200)}` },
		]);
	});

	test('is asked for without credentials', async () => {
		await download([{}]);
		expect(requests).toEqual([
			{
				at: 0,
				url: URL_A,
				headers: { Accept: '*/*', 'Accept-Encoding': 'identity' },
				encoding: 'stream',
				returnFullResponse: true,
				ignoreHttpStatusErrors: true,
				timeout: 30_000,
				abortSignal: expect.any(AbortSignal),
			},
		]);
	});

	test('of one byte', async () => {
		await download([{ body: ['x'], headers: { 'content-type': 'audio/mpeg' } }], {
			urls: ['https://cdn.example/'],
		});
		expect(stored).toEqual([{ name: 'job-1.mp3', mime: 'audio/mpeg', content: 'x' }]);
	});

	test('more than 100 are not downloaded; one entry says how many are left out', async () => {
		const urls = Array.from({ length: 3000 }, (_, index) => `https://cdn.example/${index}.png`);
		const { binary, errors } = await download([{}], { urls });
		expect(requests).toHaveLength(100);
		expect(Object.keys(binary)).toHaveLength(100);
		expect(errors).toEqual([
			{
				url: 'https://cdn.example/100.png',
				error:
					'At most 100 files of an item are downloaded; left out: 2900. Their URLs are in the item',
			},
		]);
		expect((await download([{}], { urls: urls.slice(0, 100) })).errors).toEqual([]);
	});

	test('several are numbered; one that fails leaves its number free', async () => {
		const urls = ['https://cdn.example/a', 'http://localhost/b', 'https://cdn.example/'];
		const { binary, errors } = await download([{}], { urls });
		expect(Object.entries(binary).map(([name, { fileName }]) => [name, fileName])).toEqual([
			['data', 'job-1'],
			['data_2', 'job-1-3'],
		]);
		expect(errors).toEqual([
			{ url: 'http://localhost/b', error: expect.stringContaining('private network') },
		]);
	});
});

describe('tried again, 3 times in all', () => {
	const broken: Array<[string, FakeAnswer | Error, string]> = [
		['a reset', { body: [PNG, new Error('aborted')] }, 'The download broke off: aborted'],
		['a reset at once', { body: [new Error('aborted')] }, 'The download broke off: aborted'],
		['500', { status: 500 }, 'The media address answered with status 500'],
		['429', { status: 429 }, 'The media address answered with status 429'],
		['an empty file', { body: [] }, 'The media address sent an empty file'],
		[
			'no connection',
			Object.assign(new Error(''), { code: 'ECONNREFUSED' }),
			'The media address cannot be reached: ECONNREFUSED',
		],
	];

	test.each(broken)('%s', async (_, answer, error) => {
		expect(await errorsOf([answer])).toEqual([error]);
		expect(requests.map(({ at }) => at)).toEqual([0, 2_000, 10_000]);
		expect(wholeFiles()).toEqual([]);
	});

	test.each(broken)('%s, and then it works', async (_, answer) => {
		const { binary, errors } = await download([answer, answer, {}]);
		expect(errors).toEqual([]);
		expect(binary.data).toBeDefined();
		expect(wholeFiles()).toEqual([PNG]);
	});

	test.each([
		['in the middle', ['\x89PNG', 'x'.repeat(100), 'silence']],
		['before the first byte', ['silence']],
	])('silence %s', async (_, body) => {
		expect(await errorsOf([{ body }])).toEqual(['The media address sent nothing for 60 seconds']);
		expect(requests).toHaveLength(3);
		expect(clock.now() - start).toBeLessThan(7 * MINUTE);
		expect(requests.every(({ abortSignal }) => abortSignal?.aborted)).toBe(true);
	});
});

describe('not tried again', () => {
	test.each([400, 401, 403, 404, 410, 304])('status %i', async (status) => {
		expect(await errorsOf([{ status }])).toEqual([
			`The media address answered with status ${status}`,
		]);
		expect(requests).toHaveLength(1);
	});

	test('a file of more than 1 GB, by its length: nothing of it is read', async () => {
		const headers = { 'content-length': String(1024 ** 3 + 1) };
		expect(await errorsOf([{ headers }])).toEqual(['The file is larger than 1 GB']);
		expect(stored).toEqual([]);
	});

	test('a web page in place of the file', async () => {
		const page = { body: ['Sign in'], headers: HTML };
		expect(await errorsOf([page])).toEqual(['The media address sent a web page']);
		expect(requests).toHaveLength(1);
		expect(stored).toEqual([]);
	});

	test('when n8n cannot store it', async () => {
		const options = downloading([{}]);
		const prepareBinaryData = async () => await Promise.reject(new Error('ENOSPC: disk full'));
		const helpers = { ...options.helpers, prepareBinaryData };
		expect(await errorsOf([{}], { helpers })).toEqual(['ENOSPC: disk full']);
		expect(requests).toHaveLength(1);
	});

	test('when the user stops: at once, also between two tries', async () => {
		const stop = new AbortController();
		const result = downloadMedia(
			[URL_A],
			FIRST,
			downloading([{ status: 500 }], { signal: stop.signal }),
		);
		await clock.advance(1_000);
		stop.abort();
		const { errors } = await clock.run(result);
		expect(errors).toEqual([{ url: URL_A, error: 'There was no time left to download it' }]);
		expect(requests).toHaveLength(1);
		expect(clock.now() - start).toBe(1_000);
	});
});
