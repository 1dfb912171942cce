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
	/** What n8n's store throws. */
	full?: Error;
	/** ms after the first request. */
	stopMs?: number;
	/** Of the credential. */
	baseUrl?: string;
}

/** An image whose files are answered for in turn, by the last answer for ever; errors are thrown. */
async function download(answers: Array<FakeAnswer | Error>, given: Given = {}) {
	const { urls = [URL_A], prompt = 'A kite!', full, stopMs, baseUrl } = given;
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
	const underWay = { now: 0, most: 0 };
	Object.assign(context.helpers, {
		httpRequest: async (options: IHttpRequestOptions) => {
			if (requests.length === 0) {
				start = n8n.clock.now();
				if (stopMs !== undefined) void n8n.clock.sleep(stopMs).then(() => stop.abort());
			}
			underWay.most = Math.max(underWay.most, (underWay.now += 1));
			requests.push({ ...options, at: n8n.clock.now() - start });
			const answer = answers[Math.min(requests.length, answers.length) - 1];
			if (answer instanceof Error) throw answer;
			const { status = 200, headers = {}, body = [PNG] } = answer ?? {};
			const stream = Readable.from(chunks(body), { objectMode: false, highWaterMark: 1 });
			return { statusCode: status, headers, body: stream };
		},
		prepareBinaryData: async (data: Readable, name?: string, mime?: string) => {
			if (full) throw full;
			const parts: Buffer[] = [];
			for await (const part of data) parts.push(part as Buffer);
			stored.push({ name, mime, content: Buffer.concat(parts).toString('latin1') });
			underWay.now -= 1;
			return { data: '', fileName: name, mimeType: mime } as IBinaryData;
		},
	});
	const [[item] = []] = await n8n.clock.run(runNode('image', context, n8n.machine));
	const { downloadErrors = [] } = flat(item!.json) as { downloadErrors?: IDataObject[] };
	const { binary = {} } = item!;
	return {
		...{ requests, stored, binary, errors: downloadErrors, ms: n8n.clock.now() - start },
		told: downloadErrors.map(({ error }) => error),
		whole: stored.map(({ content }) => content).filter(Boolean),
		hints: hints.map(({ message }) => message).join('\n'),
		atOnce: underWay.most,
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
				headers: { Accept: '*/*', 'Accept-Encoding': 'identity' },
				...{ encoding: 'stream', returnFullResponse: true, ignoreHttpStatusErrors: true },
				timeout: 30_000,
				abortSignal: expect.any(AbortSignal),
			},
		]);
	});

	test('three at a time; more than 100 are not downloaded, and one entry says how many are left out', async () => {
		const urls = Array.from({ length: 300 }, (_, index) => `https://cdn.example/${index}.png`);
		const { requests, binary, errors, atOnce } = await download([{}], { urls });
		expect([requests.length, Object.keys(binary).length, atOnce]).toEqual([100, 100, 3]);
		expect(errors).toEqual([
			{ url: urls[100], error: expect.stringContaining('At most 100 files of an item') },
		]);
		expect(errors[0]!.error).toContain('left out: 200');
	});
});

describe('its name', () => {
	test.each([
		...['image/png png', 'image/jpeg jpg', 'image/webp webp', 'image/svg+xml svg'],
		...['video/mp4 mp4', 'video/quicktime mov', 'video/webm webm', 'audio/mpeg mp3'],
		...['audio/wav wav', 'audio/x-wav wav', 'audio/vnd.wave wav', 'audio/flac flac'],
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
	...['100.64.0.0', '100.127.255.255', '[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[fc00::1]'],
	...['[fdff::1]', '[fe80::1]', '[febf::1]', '[fec0::1]', '[feff::1]', '[::127.0.0.1]', '[::2]'],
	...['[::ffff:127.0.0.1]', '[::ffff:a00:1]', '[0:0:0:0:0:FFFF:0808:0808]', '[::ffff:0:8.8.8.8]'],
];

const OUTSIDE = [
	...['example.com', 'localhost.example.com', '10.example.com', '1.0.0.0', '9.255.255.255'],
	...['11.0.0.0', '126.255.255.255', '128.0.0.0', '172.15.255.255', '172.32.0.0'],
	...['192.167.255.255', '192.169.0.0', '169.253.255.255', '169.255.0.0', '100.63.255.255'],
	...['100.128.0.0', '[2001:db8::1]', '[2003::1]', '[fbff::1]', '[fe00::1]', '[fc::1]'],
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
		['an empty file', { body: [] }, 'The media address sent an empty file'],
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

	test.each([
		['in the middle', ['\x89PNG', 'x'.repeat(100), 'silence']],
		['before the first byte', ['silence']],
	])('silence %s', async (_, body) => {
		const { told, requests, ms } = await download([{ body }]);
		expect(told).toEqual(['The media address sent nothing for 60 seconds']);
		expect(requests).toHaveLength(3);
		expect(ms).toBeLessThan(7 * MINUTE);
		expect(requests.every(({ abortSignal }) => abortSignal?.aborted)).toBe(true);
	});
});

describe('not tried again', () => {
	test.each<[string, FakeAnswer, string]>([
		...[400, 401, 403, 404, 410, 304].map((status): [string, FakeAnswer, string] => [
			`status ${status}`,
			{ status },
			`The media address answered with status ${status}`,
		]),
		[
			'more than 1 GB, by its length',
			{ headers: { 'content-length': String(1024 ** 3 + 1) } },
			'The file is larger than 1 GB',
		],
		[
			'a web page',
			{ body: ['Sign in'], headers: { 'content-type': 'text/html; charset=utf-8' } },
			'The media address sent a web page',
		],
	])('%s: nothing of it is read', async (_, answer, error) => {
		const { told, requests, stored } = await download([answer]);
		expect({ told, tries: requests.length, stored }).toEqual({
			told: [error],
			tries: 1,
			stored: [],
		});
	});

	test('when n8n cannot store it', async () => {
		const { told, requests } = await download([{}], { full: new Error('ENOSPC: disk full') });
		expect({ told, tries: requests.length }).toEqual({ told: ['ENOSPC: disk full'], tries: 1 });
	});

	test('when the user stops: at once, also between two tries', async () => {
		const { told, requests, ms } = await download([{ status: 500 }], { stopMs: 1000 });
		expect(told).toEqual(['There was no time left to download it']);
		expect({ tries: requests.length, ms }).toEqual({ tries: 1, ms: 1000 });
	});
});
