import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { nodeType } from '../../support/product.mts';
import { virtualContext } from '../../support/virtualContext.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** The history, page by page: for Return All, and for the list of Job ID. Whether a service heeds `offset` is not shown. */

/** From the document. */
const HISTORY = '/api/v1/generate/history/';

interface Asked {
	limit: number;
	offset: number;
}

/** An n8n whose service answers each page by a function. */
function withHistory(answer: (asked: Asked) => unknown) {
	const asked: Asked[] = [];
	const n8n = new VirtualN8n({
		retell: (own, { url, qs = {} }) => {
			if (new URL(url).pathname !== HISTORY) return own;
			const page = { limit: Number(qs.limit), offset: Number(qs.offset ?? 0) };
			asked.push(page);
			return answer(page);
		},
	});
	return { n8n, asked };
}

async function read(answer: (asked: Asked) => unknown, more: IDataObject = { returnAll: true }) {
	const { n8n, asked } = withHistory(answer);
	const parameters = { resource: 'job', operation: 'history', ...more };
	const { items, error } = await n8n.run({ items: [{}], parameters });
	expect(error).toBeUndefined();
	return { ids: items.map(({ json }) => json.id), items, asked };
}

const entries = (from: number, to: number) =>
	Array.from({ length: Math.max(0, to - from) }, (_, index) => ({ id: `g${from + index}` }));

const idsOf = (list: ReturnType<typeof entries>) => list.map(({ id }) => id);

describe('Return All', () => {
	test.each([
		['of 100 entries', 100, [0, 100, 200, 250]],
		['smaller than was asked for', 50, [0, 50, 100, 150, 200, 250]],
	])('reads pages %s to the end', async (_, size, offsets) => {
		const all = entries(0, 250);
		const { ids, asked } = await read(({ offset }) => all.slice(offset, offset + size));
		expect(ids).toEqual(idsOf(all));
		expect(asked.map(({ offset }) => offset)).toEqual(offsets);
	});

	test('of a service that ignores the offset asks twice, also where its order changes', async () => {
		let reads = 0;
		const { ids, asked } = await read(() => {
			const page = entries(0, 30);
			return { results: ++reads % 2 ? page : page.reverse() };
		});
		expect(ids).toEqual(idsOf(entries(0, 30)));
		expect(asked).toHaveLength(2);
	});

	test('gives what moves to the next page meanwhile once', async () => {
		const all = entries(0, 150);
		const { ids } = await read(({ offset }) =>
			offset === 0 ? all.slice(0, 100) : offset < 150 ? all.slice(95) : [],
		);
		expect(ids).toEqual(idsOf(all));
	});
});

describe('the list of Job ID', () => {
	async function list(answer: (asked: Asked) => unknown, filter?: string, token?: string) {
		const { n8n, asked } = withHistory(answer);
		const context = virtualContext({
			...{ network: n8n.network, credential: n8n.credential, kind: 'image', items: [] },
			...{ parameters: {}, memory: {}, executionId: '1', mode: 'manual', hints: [], messages: [] },
			node: { id: '1', name: 'a', type: 'n', typeVersion: 1, position: [0, 0], parameters: {} },
			engine: { getTimezone: () => 'Asia/Tokyo' },
		});
		const search = nodeType('image').methods?.listSearch?.searchJobs;
		const found = search!.call(context as unknown as ILoadOptionsFunctions, filter, token);
		const { results, paginationToken } = (await n8n.clock.run(found)) as INodeListSearchResult;
		return { results, token: paginationToken, asked };
	}

	const entry = (minute: number, more: object = {}) => ({
		...{ id: `id-${minute}`, status: 'completed', prompt: `prompt ${minute}` },
		created_at: new Date(Date.UTC(2026, 4, 1, 0, minute)).toISOString(),
		...more,
	});

	test('has prompt, time of the zone and state, the newest first, and goes on page by page', async () => {
		const { results, token } = await list(() => [entry(1), entry(3)]);
		expect(results).toEqual([
			{ name: 'prompt 3 · 2026-05-01 09:03 · completed', value: 'id-3' },
			{ name: 'prompt 1 · 2026-05-01 09:01 · completed', value: 'id-1' },
		]);
		const next = await list(() => [], '', String(token));
		expect(next).toMatchObject({ results: [], token: undefined, asked: [{ offset: 2 }] });
	});

	test.each(['PROMPT 7', 'queued', 'id-7'])('finds %s', async (filter) => {
		const { results } = await list(() => [entry(3), entry(7, { status: 'queued' })], filter);
		expect(results.map(({ value }) => value)).toEqual(['id-7']);
	});

	test('has no expression, whatever somebody has written as prompt or ID', async () => {
		const written = [entry(1, { prompt: '={{ $json.x }}' }), entry(3, { id: '={{ 1 }}' })];
		const { results } = await list(() => written);
		expect(results.map(({ name }) => name)).toEqual([expect.stringMatching(/^\{\{/)]);
	});
});
