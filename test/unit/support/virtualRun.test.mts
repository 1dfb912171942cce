import type { Faults } from '../../../sandbox/faults.mts';
import type { NetworkOptions } from '../../support/virtualNetwork.mts';
import { VirtualN8n, type ExecutionOptions } from '../../support/virtualRun.mts';

type Rule = Parameters<Faults['add']>[0];

/** Images, one for each prompt. */
function images(prompts: string[], more: Partial<ExecutionOptions> = {}): ExecutionOptions {
	const parameters = (itemIndex: number) => ({
		resource: 'image',
		operation: 'generate',
		prompt: prompts[itemIndex],
	});
	return { items: prompts.map((prompt) => ({ prompt })), parameters, ...more };
}

function open(rules: Rule[] = [], options: NetworkOptions = {}) {
	const n8n = new VirtualN8n(options);
	for (const rule of rules) n8n.state.faults.add(rule);
	return n8n;
}

describe('VirtualN8n', () => {
	it('runs a node against the sandbox in no time', async () => {
		const n8n = open();
		const { items, error, endedAt, startedAt } = await n8n.clock.run(
			n8n.execute(images(['a', 'b'])),
		);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.status)).toEqual(['completed', 'completed']);
		expect(endedAt - startedAt).toBeGreaterThanOrEqual(3000);
		expect(n8n.state.account.charges).toHaveLength(2);
	});

	it('makes a time-out of an answer that never comes', async () => {
		const n8n = open([{ match: { kind: 'create' }, fault: { kind: 'hang' }, when: 'after' }]);
		const { error, endedAt, startedAt } = await n8n.clock.run(n8n.execute(images(['a'])));
		expect(error?.message).toBe('The service did not answer within 30 seconds');
		expect(endedAt - startedAt).toBeGreaterThanOrEqual(30_000);
		expect(n8n.state.jobs.list).toHaveLength(1);
	});

	it('lets time pass while an answer is late, and resets and refuses connections', async () => {
		const n8n = open([
			{ match: { kind: 'create' }, fault: { kind: 'slow', ms: 20_000 }, times: 1 },
		]);
		expect((await n8n.clock.run(n8n.execute(images(['a'])))).error).toBeUndefined();
		n8n.state.faults.add({ match: { kind: 'create' }, fault: { kind: 'reset' } });
		const reset = await n8n.clock.run(n8n.execute(images(['a'])));
		expect(reset.error?.message).toBe('The connection to the service broke off before the answer');

		const down = open([], { outages: [{ fromMs: 0, toMs: 1e9, code: 'ECONNREFUSED' }] });
		const refused = await down.clock.run(down.execute(images(['a'])));
		expect(refused.error?.message).toContain('cannot be reached');
		expect(down.state.journal.entries).toEqual([]);
	});

	it('retries as n8n does: tries with one memory, executions with a copy of it', async () => {
		const n8n = open();
		const node = { retryOnFail: true, maxTries: 2, waitBetweenTries: 5000 };
		const first = await n8n.clock.run(n8n.execute(images(['a', 'b [fail]'], { node })));
		expect([first.tries, first.error?.message]).toEqual([2, expect.stringContaining('failed')]);
		expect(n8n.state.jobs.list).toHaveLength(2);

		const kept = JSON.stringify(first.memory);
		const second = await n8n.clock.run(n8n.retry(first));
		expect([second.id, second.mode]).toEqual(['2', 'retry']);
		expect(n8n.state.jobs.list.map(({ body }) => body.prompt).sort()).toEqual([
			'a',
			'b [fail]',
			'b [fail]',
		]);
		expect(JSON.stringify(first.memory)).toBe(kept);
	});

	it('tries again for an error in the first item, and goes on with it in the end', async () => {
		const n8n = open();
		const node = { onError: 'continueRegularOutput', retryOnFail: true, maxTries: 3 } as const;
		const bad = await n8n.clock.run(n8n.execute(images(['[fail]', 'b'], { node })));
		expect([bad.tries, bad.error, bad.items.length]).toEqual([3, undefined, 2]);
		const good = await n8n.clock.run(n8n.execute(images(['a', '[fail]'], { node })));
		expect([good.tries, good.items[1]?.json.error]).toEqual([1, expect.any(String)]);
	});

	it('runs two executions on one account at once', async () => {
		const n8n = open();
		const both = [images(['a', 'b', 'c', 'd']), images(['e', 'f', 'g', 'h'])];
		const executions = await n8n.clock.run(
			Promise.all(both.map(async (options) => await n8n.execute(options))),
		);
		const [first, second] = executions.map(({ startedAt, endedAt }) => ({ startedAt, endedAt }));
		expect(first!.startedAt).toBe(second!.startedAt);
		expect(executions.map(({ items }) => items.length)).toEqual([4, 4]);
		const { list } = n8n.state.jobs;
		const prompts = list.slice(0, 5).map(({ body }) => String(body.prompt));
		expect(prompts.some((prompt) => prompt < 'e')).toBe(true);
		expect(prompts.some((prompt) => prompt >= 'e')).toBe(true);
	});

	it('stops', async () => {
		const stop = new AbortController();
		const n8n = open([], { settings: { jobMs: { min: 60_000, max: 60_000 } } });
		const running = n8n.execute(images(['a'], { signal: stop.signal }));
		void n8n.clock.sleep(5000).then(() => stop.abort());
		const { endedAt, startedAt } = await n8n.clock.run(running);
		expect(endedAt - startedAt).toBe(5000);
	});
});
