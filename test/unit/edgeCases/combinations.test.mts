import { VirtualN8n } from '../../support/virtualRun.mts';

const IMAGE = { resource: 'image', operation: 'generate', size: '1:1', prompt: 'a kite' };
const open = (more: object = {}) =>
	new VirtualN8n({ settings: { credits: { purchased: 1000, welcome: 0 }, ...more } as never });

describe('Estimate Only and the jobs of an earlier try', () => {
	test('and with Retry On Fail: pays nothing, even where the first try was to pay', async () => {
		const n8n = open();
		let call = 0;
		n8n.state.faults.add({
			match: { kind: 'create' },
			fault: { kind: 'status', status: 500 },
			times: 1,
		});
		await n8n.clock.run(
			n8n.execute({
				items: [{}],
				parameters: () => ({ ...IMAGE, options: { estimateOnly: call++ > 200 } }),
				node: { retryOnFail: true, maxTries: 3 },
			}),
		);
		expect(n8n.state.jobs.list.length).toBeLessThanOrEqual(1);
	});
});

describe('Max Credits per Run', () => {
	test('Continue: the same error stands in each item, and names a job of an earlier try', async () => {
		const n8n = open();
		const failing = { ...IMAGE, prompt: 'a [fail]' };
		const first = await n8n.clock.run(n8n.execute({ items: [{}], parameters: failing }));
		const second = await n8n.clock.run(n8n.retry(first));
		const third = await n8n.clock.run(
			n8n.retry({
				...second,
				options: {
					...second.options,
					node: { onError: 'continueRegularOutput' },
					parameters: { ...failing, options: { maxCredits: 7 } },
				},
			}),
		);
		for (const { id } of n8n.state.jobs.list) expect(JSON.stringify(third.items)).toContain(id);
	});
});

describe("an agent's tool", () => {
	const tool = { type: 'n8n-nodes-mediagen.mediaGenImageTool' };
	test('two equal items in one call: both jobs stay in the ledger', async () => {
		const n8n = open();
		const result = await n8n.clock.run(
			n8n.execute({ items: [{}, {}], parameters: { ...IMAGE, options: {} }, node: tool as never }),
		);
		const ids = n8n.state.jobs.list.map(({ id }) => id);
		for (const id of ids) expect(JSON.stringify(result.memory)).toContain(id);
	});
	test('limit', async () => {
		const n8n = open();
		await n8n.clock.run(
			n8n.execute({
				items: [{}],
				parameters: { ...IMAGE, options: { maxCredits: 7 } },
				node: tool as never,
			}),
		);
		expect(n8n.state.jobs.list.length).toBe(0);
	});
	test('a job that times out in a tool names its job', async () => {
		const n8n = open();
		const result = await n8n.clock.run(
			n8n.execute({
				items: [{}],
				parameters: { ...IMAGE, options: { timeout: 1 } },
				node: { ...tool, onError: 'continueRegularOutput' } as never,
			}),
		);
		expect(JSON.stringify(result.items)).toContain(n8n.state.jobs.list[0]!.id);
	});
});

describe('a number for a text', () => {
	test.each([
		['jobId', 7],
		['prompt', 7],
	])('%s', async (name, value) => {
		const n8n = open();
		const job = {
			resource: 'job',
			operation: 'get',
			startedWith: 'generation',
			jobId: 'a',
			[name]: value,
		};
		const { error } = await n8n.clock.run(
			n8n.execute({
				items: [{}],
				parameters: name === 'jobId' ? job : { ...IMAGE, [name]: value },
				kind: 'image',
			}),
		);
		expect(error?.message ?? '').not.toContain('must be a text');
	});
});
