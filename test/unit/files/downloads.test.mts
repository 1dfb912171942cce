import { Readable } from 'node:stream';
import type { IBinaryData, IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { flat } from '../../support/flat.mts';
import { runNode } from '../../support/product.mts';
import { virtualContext } from '../../support/virtualContext.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** *Download File*: every try and every pause, with n8n's helpers played by the test. */

interface FakeAnswer {
	status?: number;
	headers?: Record<string, string>;
	/** What the body gives, chunk by chunk; an error breaks it off, `'silence'` never ends. */
	body?: Array<string | Error | 'silence'>;
}

const PNG = '\x89PNG\r\n\x1a\n the rest';
const URL_A = 'https://cdn.example/a.png';
const MINUTE = 60_000;

async function* chunks(body: NonNullable<FakeAnswer['body']>): AsyncGenerator<Buffer> {
	for (const chunk of body) {
		if (chunk instanceof Error) throw chunk;
		if (chunk === 'silence') await new Promise(() => {});
		yield Buffer.from(chunk, 'latin1');
	}
}

interface Given {
	urls?: string[];
	prompt?: string;
	/** ms after the first request. */
	stopMs?: number;
	/** Of the credential. */
	baseUrl?: string;
}

/** An image whose files are answered for in turn, by the last answer for ever; errors are thrown. */
async function download(answers: Array<FakeAnswer | Error>, given: Given = {}) {
	const { urls = [URL_A], prompt = 'A kite!', stopMs, baseUrl } = given;
	const n8n = new VirtualN8n(
		{
			retell: (answer, { method }) =>
				method === 'POST' ? answer : { status: 'completed', images: urls },
		},
		baseUrl === undefined ? {} : { baseUrl },
	);
	const stop = new AbortController();
	const requests: Array<IHttpRequestOptions & { at: number }> = [];
	const stored: Array<{ name?: string; mime?: string; content: string }> = [];
	const hints: Array<{ message: string }> = [];
	const context = virtualContext({
		...{ network: n8n.network, credential: n8n.credential, kind: 'image', items: [{ json: {} }] },
		parameters: {
			...{ resource: 'image', operation: 'generate', size: '1:1', prompt, downloadMedia: true },
		},
		node: { id: '1', name: 'a', type: 'n', typeVersion: 1, position: [0, 0], parameters: {} },
		...{ memory: {}, executionId: '1', mode: 'manual', hints, messages: [], signal: stop.signal },
	});
	let start = 0;
	Object.assign(context.helpers, {
		httpRequest: async (options: IHttpRequestOptions) => {
			if (requests.length === 0) {
				start = n8n.clock.now();
				if (stopMs !== undefined) void n8n.clock.sleep(stopMs).then(() => stop.abort());
			}
			requests.push({ ...options, at: n8n.clock.now() - start });
			const answer = answers[Math.min(requests.length, answers.length) - 1];
			if (answer instanceof Error) throw answer;
			const { status = 200, headers = {}, body = [PNG] } = answer ?? {};
			const stream = Readable.from(chunks(body), { objectMode: false, highWaterMark: 1 });
			return { statusCode: status, headers, body: stream };
		},
		prepareBinaryData: async (data: Readable, name?: string, mime?: string) => {
			const parts: Buffer[] = [];
			for await (const part of data) parts.push(part as Buffer);
			stored.push({ name, mime, content: Buffer.concat(parts).toString('latin1') });
			return { data: '', fileName: name, mimeType: mime } as IBinaryData;
		},
	});
	const [[item] = []] = await n8n.clock.run(runNode('image', context, n8n.clock));
	const { downloadErrors = [] } = flat(item!.json) as { downloadErrors?: IDataObject[] };
	const { binary = {} } = item!;
	return {
		...{ requests, stored, binary, errors: downloadErrors, ms: n8n.clock.now() - start },
		told: downloadErrors.map(({ error }) => error),
		whole: stored.map(({ content }) => content).filter(Boolean),
		hints: hints.map(({ message }) => message).join('\n'),
	};
}

describe('a file', () => {
	test('is stored whole, under its name and type, and is asked for without credentials', async () => {
		const body = ['\x89P', 'NG\r\n', 'x'.repeat(200)];
		const { binary, errors, stored, requests } = await download([{ body }]);
		expect(errors).toEqual([]);
		expect(binary).toEqual({ data: expect.objectContaining({ fileName: '01-a-kite.png' }) });
		expect(stored).toEqual([{ name: '01-a-kite.png', mime: undefined, content: body.join('') }]);
		expect(requests).toEqual([
			{
				at: 0,
				url: URL_A,
				headers: { Accept: '*/*' },
				...{ encoding: 'stream', returnFullResponse: true, ignoreHttpStatusErrors: true },
				timeout: 30_000,
				abortSignal: expect.any(AbortSignal),
			},
		]);
	});

	test('several are numbered; one that fails leaves its number free', async () => {
		const urls = ['https://cdn.example/a', 'http://localhost/b', 'https://cdn.example/'];
		const { binary, errors, hints } = await download([{}], { urls });
		expect(Object.entries(binary).map(([name, { fileName }]) => [name, fileName])).toEqual([
			['data', '01-a-kite'],
			['data_2', '01-a-kite-3'],
		]);
		const error = 'The media address is inside a private network, and the service is not';
		expect(errors).toEqual([{ url: 'http://localhost/b', error }]);
		expect(hints).toContain(`http://localhost/b was not downloaded. ${error}`);
	});
});

describe('its name', () => {
	test.each([
		...['image/png png', 'image/jpeg jpg', 'image/webp webp', 'audio/wav wav', 'audio/x-wav wav'],
		...['video/mp4 mp4', 'video/quicktime mov', 'video/webm webm', 'audio/mpeg mp3'],
		...['audio/mp4 m4a', 'audio/midi midi', 'image/png;q=1 png', 'Audio/MPEG mp3'],
		// Where the type does not tell, that of its URL.
		...['application/x-zip-compressed php', 'application/octet-stream php', 'constructor php'],
	])('has the extension of its type: %s', async (row) => {
		const [type, extension] = row.split(' ') as [string, string];
		const urls = ['https://cdn.example/x9.PHP?sig=a/b.png#c'];
		const { stored } = await download([{ headers: { 'content-type': type } }], { urls });
		expect(stored[0]?.name).toBe(`01-a-kite.${extension}`);
	});

	test.each([
		['A sourdough loaf, on a table!', 'a-sourdough-loaf-on-a-table'],
		['  Ein Käse/../etc/passwd ', 'ein-käse-etc-passwd'],
		['海辺の灯台', '海辺の灯台'],
		[`${'word '.repeat(20)}`, 'word-word-word-word-word-word-word-word'],
		['x'.repeat(500), 'x'.repeat(40)],
	])('is made of the prompt %j', async (prompt, stem) => {
		const { stored } = await download([{}], { prompt });
		expect(stored[0]?.name).toBe(`01-${stem}.png`);
	});
});

const INSIDE = [
	...['localhost', 'LOCALHOST.', 'media.localhost', 'n8n', 'server.local', 'minio.internal'],
	...['127.0.0.1', '127.0.0.1.', '127.1', '2130706433', '0x7f.0.0.1', '0.0.0.0', '10.0.0.0'],
	...['10.255.255.255', '172.16.0.1', '172.31.255.255', '192.168.0.1', '169.254.169.254'],
	...['nas.lan', 'nas.home', '[::1]', '[fd00::1]', '[::ffff:127.0.0.1]', '[2001:db8::1]'],
];

const OUTSIDE = [
	...['example.com', 'localhost.example.com', '10.example.com', '1.0.0.0', '9.255.255.255'],
	...['11.0.0.0', '126.255.255.255', '128.0.0.0', '172.15.255.255', '172.32.0.0'],
	...['192.167.255.255', '192.169.0.0', '169.253.255.255', '169.255.0.0', 'local.example'],
];

test('inside a private network, nothing is asked for, unless the service is there, too', async () => {
	const urls = [...INSIDE, ...OUTSIDE].map((host) => `http://${host}:8080/a.png`);
	const { requests, errors } = await download([{}], { urls });
	expect(requests.map(({ url }) => url)).toEqual(urls.slice(INSIDE.length));
	expect(errors.map(({ url }) => url)).toEqual(urls.slice(0, INSIDE.length));
	const within = await download([{}], { urls, baseUrl: 'http://localhost:8080' });
	expect(within.requests).toHaveLength(urls.length);
});

describe('tried again, 3 times in all', () => {
	const broken: Array<[string, FakeAnswer | Error, string]> = [
		['a reset', { body: [PNG, new Error('aborted')] }, 'The download broke off: aborted'],
		['500', { status: 500 }, 'The media address answered with status 500'],
		['429', { status: 429 }, 'The media address answered with status 429'],
		[
			'no connection',
			Object.assign(new Error(''), { code: 'ECONNREFUSED' }),
			'The media address cannot be reached: ECONNREFUSED',
		],
	];

	test.each(broken)('%s', async (_, answer, error) => {
		const failed = await download([answer]);
		expect(failed.told).toEqual([error]);
		expect(failed.requests.map(({ at }) => at)).toEqual([0, 2_000, 10_000]);
		expect(failed.whole).toEqual([]);
		const worked = await download([answer, answer, {}]);
		expect(worked.errors).toEqual([]);
		expect(worked.binary.data).toBeDefined();
		expect(worked.whole).toEqual([PNG]);
	});
});

describe('not tried again', () => {
	test.each<[string, FakeAnswer, string]>([
		...[400, 401, 403, 404, 410, 304].map((status): [string, FakeAnswer, string] => [
			`status ${status}`,
			{ status },
			`The media address answered with status ${status}`,
		]),
		...['text/html; charset=utf-8', 'text/plain', 'application/problem+json'].map(
			(type): [string, FakeAnswer, string] => [
				type,
				{ body: ['Sign in'], headers: { 'content-type': type } },
				`The media address sent ${type.split(';')[0]}`,
			],
		),
	])('%s: nothing of it is read', async (_, answer, error) => {
		const { told, requests, stored } = await download([answer]);
		expect({ told, tries: requests.length, stored }).toEqual({
			told: [error],
			tries: 1,
			stored: [],
		});
	});

	test('when the user stops: at once, also between two tries', async () => {
		const { told, requests, ms } = await download([{ status: 500 }], { stopMs: 1000 });
		expect(told).toEqual(['There was no time left to download it']);
		expect({ tries: requests.length, ms }).toEqual({ tries: 1, ms: 1000 });
	});
});

describe('tried three times, each given up after a minute or two', () => {
	test.each([
		['in the middle', ['\x89PNG', 'x'.repeat(100), 'silence']],
		['before the first byte', ['silence']],
	])('when nothing comes any more %s', async (_, body) => {
		const { told, requests, ms } = await download([{ body }]);
		expect(told).toEqual(['The media address sent nothing for 60 seconds']);
		expect({ tries: requests.length, isLong: ms > 7 * MINUTE }).toEqual({
			tries: 3,
			isLong: false,
		});
		for (const { abortSignal } of requests) expect(abortSignal?.aborted).toBe(true);
	});
});
