import type { IExecuteFunctions } from 'n8n-workflow';

import { listJobs } from '../../../nodes/shared/run/searchJobs.ts';
import { parameterReader } from '../../../nodes/shared/run/readParameters.ts';
import type { ServiceRequest } from '../../../nodes/shared/service/request.ts';
import type { SendOptions } from '../../../nodes/shared/service/service.ts';
import { ServiceError } from '../../../nodes/shared/service/serviceError.ts';
import { fakeService } from '../../support/fakeService.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** Jobs to be picked, as n8n's resource locator lists them. */

/** A generation record (section "Generation record"), of the given minute of a day. */
const record = (minute: number, more: object = {}) => ({
	id: `id-${minute}`,
	generation_type: 'video',
	status: 'completed',
	prompt: `prompt ${minute}`,
	created_at: new Date(Date.UTC(2026, 4, 1, 0, minute)).toISOString(),
	...more,
});

const records = (from: number, count: number) =>
	Array.from({ length: count }, (_, index) => record(from - index));

/** Asks for the list, of a history that answers by a function of the offset. */
async function list(
	answer: (offset: number) => unknown,
	{ filter, token, timeZone = 'UTC' }: { filter?: string; token?: string; timeZone?: string } = {},
) {
	const offsets: number[] = [];
	const { service } = fakeService([]);
	const send = async ({ path, query = {} }: ServiceRequest, { onSend }: SendOptions = {}) => {
		onSend?.();
		expect(path).toBe('/api/v1/generate/history/');
		expect(query.limit).toBe(100);
		const offset = Number(query.offset ?? 0);
		offsets.push(offset);
		return answer(offset);
	};
	const search = { filter, token, timeZone };
	const { results, paginationToken } = await listJobs(
		{ ...service, send },
		search,
		new VirtualClock(),
	);
	const names = results.map(({ name }) => name);
	return { results, names, paginationToken, offsets };
}

describe('an entry', () => {
	test('has prompt, time and state, and the ID as its value', async () => {
		const { results } = await list(() => [record(3)]);
		expect(results).toEqual([{ name: 'prompt 3 · 2026-05-01 00:03 · completed', value: 'id-3' }]);
	});

	test("has the time of the workflow's zone", async () => {
		const { names } = await list(() => [record(3)], { timeZone: 'Asia/Tokyo' });
		expect(names).toEqual(['prompt 3 · 2026-05-01 09:03 · completed']);
	});

	test('has a prompt in one line, cut', async () => {
		const { names } = await list(() => [record(3, { prompt: `a\n\tfox ${'x'.repeat(500)}` })]);
		expect(names[0]).toMatch(/^a fox x{22}… · /);
	});

	test('without prompt, time and state is its ID', async () => {
		expect((await list(() => [{ generation_id: 'g-1' }])).results).toEqual([
			{ name: 'g-1', value: 'g-1' },
		]);
	});

	test('is no expression, whatever somebody has written as its prompt', async () => {
		const written = ['={{ $json.x }}', ' = {{ 1 }}'];
		const { names } = await list(() => written.map((prompt, id) => record(id, { prompt })));
		expect(names).toHaveLength(2);
		for (const name of names) expect(name).toMatch(/^\{\{/);
		expect((await list(() => [record(3, { id: '={{ 1 }}' })])).results).toEqual([]);
	});

	test('without an ID is none, and neither is what is no record', async () => {
		expect((await list(() => [{ status: 'completed' }, 7, null, record(3)])).results).toHaveLength(
			1,
		);
	});
});

describe('the list', () => {
	test('has the newest of a page first, whatever their order', async () => {
		const { names } = await list(() => ({ results: [record(1), record(3), record(2)] }));
		expect(names.map((name) => name.slice(0, 8))).toEqual(['prompt 3', 'prompt 2', 'prompt 1']);
	});

	test('goes on where the page before has ended', async () => {
		const pages = (offset: number) => records(55 - offset, 3).filter(() => offset < 6);
		const first = await list(pages);
		const second = await list(pages, { token: first.paginationToken });
		const third = await list(pages, { token: second.paginationToken });
		expect([first.offsets, second.offsets, third.offsets]).toEqual([[0], [3], [6]]);
		expect(second.results.map(({ value }) => value)).toEqual(['id-52', 'id-51', 'id-50']);
		expect(third).toMatchObject({ results: [], paginationToken: undefined });
	});

	test('is empty where there are no jobs', async () => {
		expect(await list(() => [])).toMatchObject({ results: [], paginationToken: undefined });
	});

	test('cannot be made of an answer that is no list', async () => {
		const error = await list(() => ({ count: 3 })).catch((thrown: unknown) => thrown);
		expect(error).toBeInstanceOf(ServiceError);
		expect((error as ServiceError).description).toContain('{"count":3}');
	});
});

describe('a search', () => {
	test.each([
		['a word of the prompt', 'PROMPT 7'],
		['a state', 'queued'],
		['an ID', 'id-7'],
	])('finds %s', async (_, filter) => {
		const pages = (offset: number) =>
			offset > 0 ? [] : [record(3), record(7, { status: 'queued' })];
		expect((await list(pages, { filter })).results.map(({ value }) => value)).toEqual(['id-7']);
	});
});

test('a request whose turn does not come is given up after half a minute', async () => {
	const clock = new VirtualClock();
	const { service } = fakeService([]);
	const send = async (_request: ServiceRequest, { signal }: SendOptions = {}) =>
		await new Promise<never>((_resolve, reject) => {
			signal?.addEventListener('abort', () => reject(new Error(`after ${clock.now() - start} ms`)));
		});
	const start = clock.now();
	const listed = listJobs({ ...service, send }, { timeZone: 'UTC' }, clock);
	const given = expect(listed).rejects.toThrow('after 30000 ms');
	await clock.advance(30_000);
	await given;
});

describe('what a node reads of Job ID', () => {
	test.each([
		['picked from the list', { __rl: true, mode: 'list', value: 'j-1', cachedResultName: 'a fox' }],
		['typed', { __rl: true, mode: 'id', value: 'j-1' }],
		['pasted with a space', { __rl: true, mode: 'id', value: ' j-1\n' }],
		['a plain text, as older workflows have it', 'j-1'],
	])('%s', (_, value) => {
		const context = { getNodeParameter: () => value } as unknown as IExecuteFunctions;
		expect(parameterReader(context, 0)('jobId', '')).toBe('j-1');
	});
});
