import type { IHttpRequestOptions } from 'n8n-workflow';

import { VirtualPolling } from '../../support/virtualPoll.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

const MINUTE_MS = 60_000;

/** From the document. */
const HISTORY = '/api/v1/generate/history/';

type Entry = Record<string, unknown>;

/** A trigger on an account whose generation history lists what the test says, on one page. */
function watching(parameters = {}) {
	let entries: unknown[] = [];
	const states: Record<string, unknown> = {};
	const retell = (answer: unknown, { url, qs }: IHttpRequestOptions) => {
		const { pathname } = new URL(url);
		if (pathname === HISTORY) return Number(qs?.offset ?? 0) > 0 ? [] : entries;
		const id = decodeURIComponent(pathname.split('/').at(-2)!);
		return states[id] ?? answer;
	};
	const n8n = new VirtualN8n({ retell });
	const polling = new VirtualPolling(n8n);
	const workflow = polling.add(parameters);
	return {
		...n8n,
		clock: n8n.clock,
		state: n8n.state,
		workflow,
		states,
		list: (...listed: unknown[]) => (entries = listed),
		activate: async () => await n8n.clock.run(workflow.activate()),
		poll: async (times = 1) => await n8n.clock.advance(times * MINUTE_MS),
		ids: () => workflow.items.map(({ json }) => json.jobId),
	};
}

let files = 0;

const ended = (id: unknown, more: Entry = {}): Entry => ({
	id,
	status: 'completed',
	generation_type: 'image',
	image_url: `https://cdn.example/${++files}.png`,
	...more,
});

const going = (id: unknown): Entry => ({ id, status: 'processing' });

describe('identifiers that are no segment of a path', () => {
	it.each(['.', '..', '\ud800', '\udc00x', '../../api-keys', '%2e%2e', 'a\nb', '?', '#'])(
		'%j, which no list shows any more, keeps no other job from being told of',
		async (id) => {
			const { list, activate, poll, ids, workflow } = watching();
			list(going(id), going('good'));
			await activate();
			list(ended('good'));
			await poll(3);
			expect(ids()).toEqual(['good']);
			expect(workflow.failures).toEqual([]);
		},
	);

	it.each(['.', '..', '\ud800'])('%j is told of by what its list shows', async (id) => {
		const { list, activate, poll, ids } = watching();
		list(going(id));
		await activate();
		list(ended(id));
		await poll(3);
		expect(ids()).toEqual([id]);
	});

	it('a workflow can be activated that waits for such a job', async () => {
		const { list, activate, poll, ids, workflow } = watching();
		list(going('..'));
		await activate();
		list(ended('x'));
		await poll(2);
		workflow.deactivate();
		await activate();
		list(ended('y'), ended('x'));
		await poll(2);
		expect(ids()).toEqual(['x', 'y']);
	});
});

describe('bodies from hell', () => {
	const nested = (depth: number) =>
		JSON.parse('{"a":'.repeat(depth) + '1' + '}'.repeat(depth)) as Entry;

	it.each([
		['names of Object.prototype', JSON.parse('{"__proto__": {"x": 1}, "toString": 1, "id": "p"}')],
		['objects within objects', { id: 'p', deep: nested(90) }],
		['a text of a million characters', { id: 'p', prompt: 'x'.repeat(1_000_000) }],
		['ten thousand fields', { id: 'p', ...Object.fromEntries(fields(10_000)) }],
		['a number that is no identifier', { id: 'p', generation_id: 1e21, task_id: null }],
		['times out of time', { id: 'p', created_at: '+275760-09-13T00:00:00Z', completed_at: '-1' }],
	])('%s: the job is told of once, and others are', async (_, entry: Entry) => {
		const { list, activate, poll, ids, workflow } = watching();
		list();
		await activate();
		const hostile = { ...ended('p'), ...entry };
		list(ended('x'), hostile, ended('y'));
		await poll(5);
		expect(ids()).toHaveLength(3);
		expect(ids()).toEqual(expect.arrayContaining(['x', 'y']));
		expect(workflow.failures).toEqual([]);
		expect(workflow.stored.length).toBeLessThan(160_000);
		expect(({} as Entry).x).toBeUndefined();
	});

	function fields(count: number) {
		return Array.from({ length: count }, (_, index) => [`field${index}`, 'https://x.example/a']);
	}

	it('no body is a reason to give up for ever', async () => {
		const { list, activate, poll, ids } = watching();
		list();
		await activate();
		list('x'.repeat(12_000_000));
		await poll(2);
		list(ended('later'));
		await poll(2);
		expect(ids()).toEqual(['later']);
	});

	it('a hundred thousand entries in one page are looked at as far as a poll gets', async () => {
		const { list, activate, poll, ids, workflow } = watching();
		list();
		await activate();
		list(...Array.from({ length: 100_000 }, (_, index) => ({ id: index, status: 'failed' })));
		await poll(2);
		list(ended('later'));
		await poll(2);
		expect(ids()).toEqual(['later']);
		expect(workflow.stored.length).toBeLessThan(150_000);
	});
});

describe('static data stays small', () => {
	it('with identifiers of 500 characters that never end', async () => {
		const { list, activate, poll, workflow } = watching();
		list();
		await activate();
		for (let round = 0; round < 12; round++) {
			const jobs = Array.from({ length: 100 }, (_, index) =>
				going(`${round}-${index}`.padEnd(500, 'x')),
			);
			list(ended(`end ${round}`), ...jobs);
			await poll();
		}
		expect(workflow.stored.length).toBeLessThan(150_000);
	});
});

describe('an entry without identifier or state', () => {
	it("is left alone, and n8n's log says so once", async () => {
		const { list, activate, poll, ids, workflow } = watching();
		list();
		await activate();
		list({ status: 'completed', image_url: 'https://cdn.example/a.png' }, { id: 'x' }, ended('y'));
		await poll(5);
		expect(ids()).toEqual(['y']);
		expect(workflow.messages).toEqual([
			'MediaGen Trigger (workflow w1): An entry of the Image or Standard Video history has no identifier: it is left alone',
			'MediaGen Trigger (workflow w1): An entry of the Image or Standard Video history has no state: it is left alone',
		]);
	});
});
