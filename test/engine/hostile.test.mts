import { randomUUID } from 'node:crypto';
import dns from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';

import { runInEngine, type EngineOptions } from '../support/engine.mts';
import { useHostileServer } from '../support/useHostileServer.mts';
import { useSandbox } from '../support/useSandbox.mts';

/** Far less than an answer of 200 MB; how much of what was read the collector lets stand for a while differs. */
const HELD = 96 * 1024 * 1024;

/**
 * A service that means harm, in n8n's own engine: every answer of it ends in an error in time, with
 * little memory, and nothing goes where it does not belong.
 */

const hostile = useHostileServer();
const elsewhere = useHostileServer();
const sandbox = useSandbox({ jobMs: { min: 0, max: 0 } });
/** For the hostile server: each test has an account of its own. */
let key: string;

beforeEach(() => {
	key = `mg_hostile_${randomUUID()}`;
});

jest.setTimeout(90_000);

const MB = 1024 * 1024;

const GENERATE = { resource: 'image', operation: 'generate', prompt: 'a', size: '1:1' };
const GET_JOB = { resource: 'job', operation: 'get', jobId: 'gen-1' };
const LIST = { resource: 'model', operation: 'list' };

const run = async (parameters: object, more: Partial<EngineOptions> = {}) =>
	await runInEngine({
		parameters: parameters as EngineOptions['parameters'],
		credential: { baseUrl: hostile.url, apiKey: key, headerForm: 'bearer' },
		...more,
	});

const runInSandbox = async (parameters: object) =>
	await run(parameters, {
		credential: { baseUrl: sandbox.url, apiKey: sandbox.key, headerForm: 'bearer' },
	});

const untilClosed = async () => {
	while (hostile.requests.some(({ closed }) => !closed)) await sleep(20);
};

/** Bytes that the resident memory of this process, the hostile server included, grows by. */
const memoryOf = async (work: () => Promise<unknown>) => {
	const before = process.memoryUsage().rss;
	let peak = before;
	const timer = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 10);
	await work().finally(() => clearInterval(timer));
	return Math.max(peak, process.memoryUsage().rss) - before;
};

/** A body of that many bytes, made while it is sent. */
function* json(bytes: number, start: string, part: string) {
	yield start;
	const block = Buffer.from(part.repeat(Math.ceil((64 * 1024) / part.length)));
	for (let at = 0; at < bytes; at += block.length) yield block;
	yield '0]}';
}

describe.each([
	['creation', GENERATE, 'may exist and be paid for'],
	['status', GET_JOB, 'Base URL'],
	['list', LIST, 'Base URL'],
])('%s', (kind, parameters, description) => {
	test.each([
		['200 MB of JSON', '{"data": [', '12345678,'],
		['200 MB in one text', '{"data": ["', 'x'],
	])('%s', async (_, start, part) => {
		// What n8n loads for its first request is not ours.
		await run(parameters);
		hostile.reset();
		hostile.answer = () => ({ body: json(200 * MB, start, part) });
		let error: Awaited<ReturnType<typeof run>>['error'];
		const growth = await memoryOf(async () => ({ error } = await run(parameters)));
		expect(error?.message).toBe('The service sent an answer that cannot be read');
		expect(error?.description).toContain(description);
		console.log(`memory grown by ${Math.round(growth / MB)} MB`);
		expect(growth).toBeLessThan(HELD);
		await untilClosed();
		// After a creation, the history is asked: it is as large.
		expect(hostile.requests).toHaveLength(kind === 'creation' ? 2 : 1);
		for (const { sent } of hostile.requests) expect(sent).toBeLessThan(24 * MB);
	});

	test('200 MB that were compressed to 200 KB', async () => {
		const block = gzipSync(Buffer.alloc(MB, '['));
		hostile.answer = () => ({
			headers: { 'content-encoding': 'gzip' },
			body: Array.from({ length: 200 }, () => block),
		});
		let error: Awaited<ReturnType<typeof run>>['error'];
		const growth = await memoryOf(async () => ({ error } = await run(parameters)));
		expect(error?.message).toBe('The service sent an answer that cannot be read');
		expect(growth).toBeLessThan(HELD);
	});

	test.each([
		['lists', '[', ']'],
		['objects', '{"a":', '}'],
	])('100,000 levels of %s', async (_, open, close) => {
		const body = [open.repeat(100_000), '1', close.repeat(100_000)];
		hostile.answer = () => ({ status: 201, body: [`{"data":${body.join('')}}`] });
		let error: Awaited<ReturnType<typeof run>>['error'];
		const growth = await memoryOf(async () => ({ error } = await run(parameters)));
		expect(error?.message).toBe('The service sent an answer that cannot be read');
		expect(error?.description).toContain('The answer starts: {"data"');
		expect(growth).toBeLessThan(HELD);
	});

	test('a redirect to another origin is not followed', async () => {
		hostile.answer = () => ({ status: 307, headers: { location: `${elsewhere.url}/steal` } });
		const { error } = await run(parameters);
		expect(error?.message).toBe('The service, or a proxy in front of it, answered with status 307');
		expect(elsewhere.requests).toEqual([]);
	});
});

describe('an answer to a creation', () => {
	const CREATED = '{"success":true,"data":{"generation_id":"g1","credits_used":8,"message":"é"}}';

	test('with a byte order mark: the job is known', async () => {
		const body = Buffer.from(`\ufeff${CREATED}`);
		hostile.answer = () => ({ status: 201, body: [body.subarray(0, 1), body.subarray(1)] });
		const { outputs, error } = await run({ ...GENERATE, waitForCompletion: false });
		expect(error).toBeUndefined();
		expect(outputs[0]?.[0]?.json).toMatchObject({ jobId: 'g1', creditsUsed: 8 });
	});
});

describe('a body that never ends', () => {
	async function* drip() {
		for (;;) {
			yield '[';
			await sleep(500);
		}
	}

	test('is not waited for longer than 30 seconds, be it silent or slow', async () => {
		hostile.answer = ({ method }) => ({
			status: 201,
			open: true,
			body: method === 'POST' ? drip() : ['{"data":'],
		});
		const runs = await Promise.all([GENERATE, GET_JOB, LIST].map(async (each) => await run(each)));
		for (const { error } of runs) {
			expect(error?.message).toBe('The service sent an answer that cannot be read');
		}
		expect(runs[0]?.error?.description).toContain('may exist and be paid for');
		await untilClosed();
		// And the history, after the creation.
		expect(hostile.requests).toHaveLength(4);
	});

	test('is let go of when the user stops', async () => {
		hostile.answer = () => ({ open: true, body: ['['] });
		const stop = new AbortController();
		const running = run(LIST, { signal: stop.signal });
		while (hostile.requests.length === 0) await sleep(20);
		await sleep(100);
		stop.abort();
		await running;
		await untilClosed();
	});

	test('of a refusal: the status is told all the same', async () => {
		hostile.answer = () => ({ status: 401, body: json(Infinity, '{"error": "', 'x') });
		const { error } = await run(LIST);
		expect(error?.message).toBe('The API key is missing, invalid or revoked');
		await untilClosed();
	});
});

describe('identifiers', () => {
	const EVIL = '../../api/profile?x=1#y';

	test('of the user do not leave their place in the path', async () => {
		for (const operation of ['get', 'wait']) {
			await run({ ...GET_JOB, operation, jobId: EVIL, options: { timeout: 1 } });
		}
		expect(hostile.requests.length).toBeGreaterThan(1);
		for (const { path } of hostile.requests) {
			expect(path).toContain(encodeURIComponent(EVIL));
			expect(new URL(path, hostile.url).pathname).toBe(path);
		}
	});

	test('of the service do not either', async () => {
		hostile.answer = ({ method }) =>
			method === 'POST'
				? { status: 201, body: [JSON.stringify({ data: { generation_id: EVIL } })] }
				: { status: 403 };
		const { error } = await run(GENERATE);
		expect(error?.message).toContain('cannot be read');
		// Of a job that was created, three refusals in a row end the wait.
		expect(hostile.requests).toHaveLength(4);
		const path = hostile.requests[1]?.path ?? '';
		expect(path).toContain(encodeURIComponent(EVIL));
		expect(new URL(path, hostile.url).pathname).toBe(path);
	});
});

describe('result URLs', () => {
	const finished = (urls: unknown) => () => ({
		status: 201,
		body: [JSON.stringify({ data: { generation_id: 'g', status: 'completed', urls } })],
	});
	const DOWNLOAD = { ...GENERATE, downloadMedia: true };

	test('other than http(s) are none', async () => {
		hostile.answer = finished([
			'file:///etc/passwd',
			'javascript:alert(1)',
			'data:text/html,x',
			'ftp://a/b',
			'//evil.example/x',
		]);
		const { outputs, error } = await run(DOWNLOAD);
		expect(error).toBeUndefined();
		expect(outputs[0]?.[0]?.json).toMatchObject({ mediaUrl: null, mediaUrls: [] });
		expect(outputs[0]?.[0]?.binary).toBeUndefined();
	});

	test('inside the private network are not asked when the service is outside', async () => {
		// A name on the internet, as far as the node can tell.
		const { port } = new URL(hostile.url);
		const baseUrl = `http://service.example:${port}`;
		const lookup = jest.spyOn(dns, 'lookup').mockImplementation(((
			_host: string,
			options: { all?: boolean },
			done: CallableFunction,
		) => {
			const found = { address: '127.0.0.1', family: 4 };
			return options.all ? done(null, [found]) : done(null, found.address, found.family);
		}) as never);
		const { port: secret } = new URL(elsewhere.url);
		const hosts = [
			'127.0.0.1',
			'localhost',
			'[::1]',
			'[::ffff:127.0.0.1]',
			'0.0.0.0',
			'2130706433',
		];
		hostile.answer = finished(hosts.map((host) => `http://${host}:${secret}/`));
		const { outputs, error } = await run(DOWNLOAD, {
			credential: { baseUrl, apiKey: key, headerForm: 'bearer', allowHttp: true },
		});
		lookup.mockRestore();
		expect(error).toBeUndefined();
		const errors = Object(outputs[0]?.[0]?.json.details).downloadErrors as Array<{ error: string }>;
		expect(errors.map((entry) => entry.error)).toEqual(
			hosts.map(() => 'The media address is inside a private network, and the service is not'),
		);
		expect(hostile.requests.length).toBeGreaterThan(0);
		expect(elsewhere.requests).toEqual([]);
	});

	test('that redirect to file: are not followed, and carry no key', async () => {
		elsewhere.answer = () => ({ status: 302, headers: { location: 'file:///etc/passwd' } });
		hostile.answer = finished([`${elsewhere.url}/a.png`]);
		const { outputs } = await run(DOWNLOAD);
		expect(Object(outputs[0]?.[0]?.json.details).downloadErrors).toEqual([
			expect.objectContaining({ error: expect.stringContaining('cannot be reached') }),
		]);
		expect(outputs[0]?.[0]?.binary).toBeUndefined();
		expect(JSON.stringify(elsewhere.requests)).not.toContain(key);
	});
});

test('the sandbox: a redirect of a creation, by fault, reaches nobody else', async () => {
	const headers = { location: `${elsewhere.url}/steal` };
	sandbox.faults.add({ fault: { kind: 'status', status: 302, headers } });
	const { error } = await runInSandbox(GENERATE);
	expect(error?.message).toContain('answered with status 30');
	expect(elsewhere.requests).toEqual([]);
	expect(sandbox.account.charges).toEqual([]);
});

describe('results without a host', () => {
	const completed = (url: string) => [
		JSON.stringify({ id: 'gen-1', generation_type: 'video', status: 'completed', video_url: url }),
	];
	const download = async (url: string) => {
		hostile.answer = ({ path }) =>
			path.startsWith('/media/')
				? { body: ['\x89PNG'], headers: { 'content-type': 'video/mp4' } }
				: { body: completed(url) };
		const { outputs } = await run({ ...GET_JOB, downloadMedia: true });
		return outputs[0]![0]!;
	};

	test('a path is fetched from the Base URL, without the key', async () => {
		const { json, binary } = await download('/media/x.mp4');
		expect(json.mediaUrl).toBe(`${hostile.url}/media/x.mp4`);
		expect(Object.keys(binary ?? {})).toEqual(['data']);
		const [file, ...more] = hostile.requests.filter(({ path }) => path === '/media/x.mp4');
		expect(more).toEqual([]);
		expect(JSON.stringify(file?.headers)).not.toContain(key);
		expect(file?.headers.authorization).toBeUndefined();
	});

	test('one of another host gets no key either', async () => {
		elsewhere.answer = () => ({ body: ['a file'] });
		const { host } = new URL(elsewhere.url);
		const { json } = await download(`//${host}/x.mp4`);
		expect(json.mediaUrl).toBe(`${elsewhere.url}/x.mp4`);
		expect(elsewhere.requests.map(({ path }) => path)).toEqual(['/x.mp4']);
		expect(JSON.stringify(elsewhere.requests[0]?.headers)).not.toContain(key);
	});
});
