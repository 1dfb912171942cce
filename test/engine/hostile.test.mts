import { randomUUID } from 'node:crypto';
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

describe('what is too large or too deep', () => {
	const block = gzipSync(Buffer.alloc(MB, '['));
	const levels = ['{"data":', '['.repeat(100_000), '1', ']'.repeat(100_000), '}'];

	test.each([
		['200 MB of JSON', () => ({ body: json(200 * MB, '{"data": [', '12345678,') })],
		[
			'200 MB that were compressed to 200 KB',
			() => ({ headers: { 'content-encoding': 'gzip' }, body: Array<Buffer>(200).fill(block) }),
		],
		['100,000 levels of lists', () => ({ body: levels })],
	])('%s: read no further, and in doubt', async (_, answer) => {
		hostile.answer = answer;
		// What n8n loads for the first of its kind is not ours.
		await run(GENERATE);
		hostile.requests.splice(0);
		let error: Awaited<ReturnType<typeof run>>['error'];
		const growth = await memoryOf(async () => ({ error } = await run(GENERATE)));
		expect(error?.message).toBe('The service sent an answer that cannot be read');
		expect(error?.description).toContain('may exist and be paid for');
		expect(growth).toBeLessThan(HELD);
		await hostile.untilClosed();
		// After the creation, the history is asked: it is as large.
		expect(hostile.requests).toHaveLength(2);
		for (const { sent } of hostile.requests) expect(sent).toBeLessThan(24 * MB);
	});
});

test.each([GENERATE, GET_JOB, LIST])(
	'a redirect to another origin is not followed: %j',
	async (parameters) => {
		hostile.answer = () => ({ status: 307, headers: { location: `${elsewhere.url}/steal` } });
		const { error } = await run(parameters);
		expect(error?.message).toBe('The service, or a proxy in front of it, answered with status 307');
		expect(elsewhere.requests).toEqual([]);
	},
);

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
});
