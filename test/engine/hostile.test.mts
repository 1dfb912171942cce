import { randomUUID } from 'node:crypto';
import dns from 'node:dns';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import type { IDataObject } from 'n8n-workflow';

import { runInEngine, type EngineOptions } from '../support/engine.mts';
import { memoryOf } from '../support/memoryOf.mts';
import { usePlayedServer } from '../support/playedServer.mts';

/**
 * A service that means harm, in n8n's own engine: every answer of it ends in an error in time, with
 * little memory, and nothing goes where it does not belong.
 */

const hostile = usePlayedServer();
const elsewhere = usePlayedServer();
/** Each test has an account of its own. */
let key: string;

beforeEach(() => {
	key = `mg_hostile_${randomUUID()}`;
});

jest.setTimeout(90_000);

const MB = 1024 * 1024;

/** Far less than an answer of 200 MB; how much of what was read the collector lets stand for a while differs. */
const HELD = 96 * MB;

const GENERATE = { resource: 'image', operation: 'generate', prompt: 'a', size: '1:1' };
const GET_JOB = { resource: 'job', operation: 'get', jobId: 'gen-1' };
const LIST = { resource: 'model', operation: 'list' };

const run = async (parameters: IDataObject, more: Partial<EngineOptions> = {}) =>
	await runInEngine({ parameters, credential: { baseUrl: hostile.url, apiKey: key }, ...more });

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
	const block = gzipSync(Buffer.alloc(MB, '['));
	const deep = (open: string, close: string) => [
		`{"data":`,
		open.repeat(100_000),
		'1',
		close.repeat(100_000),
		'}',
	];

	test.each([
		['200 MB of JSON', () => ({ body: json(200 * MB, '{"data": [', '12345678,') })],
		['200 MB in one text', () => ({ body: json(200 * MB, '{"data": ["', 'x') })],
		[
			'200 MB that were compressed to 200 KB',
			() => ({ headers: { 'content-encoding': 'gzip' }, body: Array<Buffer>(200).fill(block) }),
		],
		['100,000 levels of lists', () => ({ body: deep('[', ']') })],
		['100,000 levels of objects', () => ({ body: deep('{"a":', '}') })],
	])('%s', async (_, answer) => {
		hostile.answer = answer;
		// What n8n loads for the first of its kind is not ours.
		await run(parameters);
		hostile.requests.splice(0);
		let error: Awaited<ReturnType<typeof run>>['error'];
		const growth = await memoryOf(async () => ({ error } = await run(parameters)));
		expect(error?.message).toBe('The service sent an answer that cannot be read');
		expect(error?.description).toContain(description);
		expect(growth).toBeLessThan(HELD);
		await hostile.untilClosed();
		// After a creation, the history is asked: it is as large.
		expect(hostile.requests).toHaveLength(kind === 'creation' ? 2 : 1);
		for (const { sent } of hostile.requests) expect(sent).toBeLessThan(24 * MB);
	});

	test('a redirect to another origin is not followed', async () => {
		hostile.answer = () => ({ status: 307, headers: { location: `${elsewhere.url}/steal` } });
		const { error } = await run(parameters);
		expect(error?.message).toBe('The service, or a proxy in front of it, answered with status 307');
		expect(elsewhere.requests).toEqual([]);
	});
});

test('an answer with a byte order mark is read, also where a character comes in two parts', async () => {
	const body = Buffer.from('\ufeff{"data":{"generation_id":"g1","credits_used":8,"message":"é"}}');
	hostile.answer = () => ({ status: 201, body: [body.subarray(0, 1), body.subarray(1)] });
	const { outputs, error } = await run({ ...GENERATE, waitForCompletion: false });
	expect(error).toBeUndefined();
	expect(outputs[0]?.[0]?.json).toMatchObject({ jobId: 'g1', creditsUsed: 8 });
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
			end: 'never',
			body: method === 'POST' ? drip() : ['{"data":'],
		});
		const runs = await Promise.all([GENERATE, GET_JOB, LIST].map(async (each) => await run(each)));
		for (const { error } of runs) {
			expect(error?.message).toBe('The service sent an answer that cannot be read');
		}
		expect(runs[0]?.error?.description).toContain('may exist and be paid for');
		await hostile.untilClosed();
		// And the history, after the creation.
		expect(hostile.requests).toHaveLength(4);
	});

	test('is let go of when the user stops', async () => {
		hostile.answer = () => ({ end: 'never', body: ['['] });
		const stop = new AbortController();
		const running = run(LIST, { signal: stop.signal });
		while (hostile.requests.length === 0) await sleep(20);
		await sleep(100);
		stop.abort();
		await running;
		await hostile.untilClosed();
	});

	test('of a refusal: the status is told all the same', async () => {
		hostile.answer = () => ({ status: 401, body: json(Infinity, '{"error": "', 'x') });
		const { error } = await run(LIST);
		expect(error?.message).toBe('The API key is missing, invalid or revoked');
		await hostile.untilClosed();
	});
});

test('an identifier does not leave its place in the path, be it of the user or of the service', async () => {
	const id = '../../api/profile?x=1#y';
	const created = { status: 201, body: [JSON.stringify({ data: { generation_id: id } })] };
	hostile.answer = ({ method }) => (method === 'POST' ? created : { status: 403 });
	await run({ ...GET_JOB, jobId: id });
	await run(GENERATE);
	const paths = hostile.requests.filter(({ method }) => method === 'GET').map(({ path }) => path);
	expect(paths.length).toBeGreaterThan(1);
	for (const path of paths) {
		expect(path).toContain(encodeURIComponent(id));
		expect(new URL(path, hostile.url).pathname).toBe(path);
	}
});

describe('result URLs', () => {
	const DOWNLOAD = { ...GENERATE, downloadMedia: true };
	const download = async (urls: string[], more: Partial<EngineOptions> = {}) => {
		const data = { generation_id: 'g', status: 'completed', urls };
		hostile.answer = () => ({ status: 201, body: [JSON.stringify({ data })] });
		const { outputs, error } = await run(DOWNLOAD, more);
		expect(error).toBeUndefined();
		const [item] = outputs[0]!;
		const errors = Object(item!.json.details).downloadErrors as Array<{ error: string }>;
		return { ...item!, errors: errors?.map((one) => one.error) };
	};

	test('inside the private network are not asked when the service is outside', async () => {
		// A name on the internet, as far as the node can tell.
		const baseUrl = `http://service.example:${new URL(hostile.url).port}`;
		const lookup = jest.spyOn(dns, 'lookup').mockImplementation(((
			_host: string,
			options: { all?: boolean },
			done: CallableFunction,
		) => {
			const found = { address: '127.0.0.1', family: 4 };
			return options.all ? done(null, [found]) : done(null, found.address, found.family);
		}) as never);
		const hosts = [
			'127.0.0.1',
			'localhost',
			'[::1]',
			'[::ffff:127.0.0.1]',
			'0.0.0.0',
			'2130706433',
		];
		const { port } = new URL(elsewhere.url);
		const credential = { baseUrl, apiKey: key, allowHttp: true };
		const { errors } = await download(
			hosts.map((host) => `http://${host}:${port}/`),
			{ credential },
		);
		lookup.mockRestore();
		expect(errors).toEqual(
			hosts.map(() => 'The media address is inside a private network, and the service is not'),
		);
		expect(hostile.requests.length).toBeGreaterThan(0);
		expect(elsewhere.requests).toEqual([]);
	});

	test('that redirect to file: are not followed', async () => {
		elsewhere.answer = () => ({ status: 302, headers: { location: 'file:///etc/passwd' } });
		const { errors, binary } = await download([`${elsewhere.url}/a.png`]);
		expect(errors).toEqual([expect.stringContaining('cannot be reached')]);
		expect(binary).toBeUndefined();
	});

	test.each([
		['of the service, which is fetched from the Base URL', '/media/x.mp4'],
		['of another host', '//elsewhere/x.mp4'],
	])('a path %s: without the key', async (_, path) => {
		const { host } = new URL(elsewhere.url);
		const record = { id: 'gen-1', generation_type: 'video', status: 'completed' };
		const whole = { ...record, video_url: path.replace('elsewhere', host) };
		const file = { headers: { 'content-type': 'video/mp4' }, body: ['a file'] };
		elsewhere.answer = () => file;
		hostile.answer = (asked) => (asked.path === path ? file : { body: [JSON.stringify(whole)] });
		const { outputs } = await run({ ...GET_JOB, downloadMedia: true });
		expect(Object.keys(outputs[0]?.[0]?.binary ?? {})).toEqual(['data']);
		const files = [...hostile.requests, ...elsewhere.requests].filter((asked) =>
			asked.path.endsWith('.mp4'),
		);
		expect(files).toHaveLength(1);
		expect(outputs[0]?.[0]?.json.mediaUrl).toContain(files[0]?.path);
		expect(JSON.stringify(files)).not.toContain(key);
		expect(Object.keys(files[0]!.headers)).not.toContain('authorization');
	});
});
