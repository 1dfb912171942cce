import type {
	IDataObject,
	IExecuteFunctions,
	INode,
	NodeExecutionHint,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { VirtualClock } from '../../support/virtualClock.mts';
import { virtualContext } from '../../support/virtualContext.mts';
import { BASE_URL, VirtualNetwork } from '../../support/virtualNetwork.mts';
import { runNode } from '../../support/product.mts';

/** A sub-workflow that has failed and is called again, as *Retry On Fail* of the calling node does. */

interface Call {
	items?: IDataObject[];
	/** What the workflow was called with; the items, where no node is before this one. */
	calledWith?: IDataObject[];
	/** The file that each of them has, by n8n's id. */
	file?: string;
	/** The execution that calls. */
	caller?: string;
	node?: string;
	workflow?: string;
	mode?: WorkflowExecuteMode;
	/** What n8n tells of the execution; all of it when left out. */
	stored?: object;
	/** Of its credential. */
	baseUrl?: string;
	/** Of its node, by *Retry On Fail*. */
	tries?: number;
	/** What the node remembers, as n8n has stored it. */
	memory?: IDataObject;
	/** Of its node. */
	onError?: INode['onError'];
	/** When a person stops it, in ms after its start. */
	stopAt?: number;
}

let executions = 0;
let callers = 0;

function open() {
	const clock = new VirtualClock();
	const network = new VirtualNetwork(clock, { settings: { jobMs: { min: 4000, max: 4000 } } });
	const { faults, account, jobs } = network.state;
	// Of this test alone: what is left to calls is known to the whole process.
	const own = `caller ${++callers}`;
	const begin = async ({
		items,
		file,
		caller = own,
		node = 'Images',
		workflow = 'w',
		tries = 1,
		onError,
		stopAt = Infinity,
		...more
	}: Call) => {
		const stop = new AbortController();
		if (stopAt < Infinity) void clock.sleep(stopAt).then(() => stop.abort());
		const json = items ?? ['a', 'b', 'c'].map((prompt) => ({ prompt }));
		const binary = file && { data: { id: file, data: 'filesystem-v2', mimeType: 'image/png' } };
		const input = json.map((one) => ({ json: one, ...(binary && { binary }) }));
		const passed = more.calledWith?.map((one) => ({ json: one })) ?? input;
		const id = String(++executions + 100);
		const hints: NodeExecutionHint[] = [];
		const memory = structuredClone(more.memory ?? {});
		const stored = more.stored ?? {
			parentExecution: { executionId: caller, workflowId: 'calling' },
			resultData: { runData: {} },
			executionData: { nodeExecutionStack: [{ data: { main: [passed] } }] },
		};
		const engine = {
			getExecutionDataById: async (asked: string) => (asked === id ? stored : undefined),
			getWorkflow: () => ({ id: workflow }),
		} as unknown as Partial<IExecuteFunctions>;
		const context = virtualContext({
			kind: 'image',
			network,
			credential: { baseUrl: more.baseUrl ?? BASE_URL, apiKey: network.state.settings.key },
			items: input,
			parameters: (i) => ({
				resource: 'image',
				operation: 'generate',
				prompt: json[i]?.prompt,
				size: '1:1',
			}),
			node: {
				id: '1',
				name: node,
				type: 'n8n-nodes-mediagen.mediaGenImage',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
				onError,
			},
			memory,
			executionId: id,
			signal: stop.signal,
			mode: more.mode ?? 'integrated',
			hints,
			messages: [],
			engine,
		});
		const run = async () => (await Promise.allSettled([runNode('image', context, clock)]))[0];
		let done = await run();
		for (let more = tries - 1; more > 0 && done.status === 'rejected'; more--) {
			await clock.sleep(1000);
			done = await run();
		}
		return { id, done, hints, memory, paid: account.charges.length };
	};
	const call = async (one: Call = {}) => await clock.run(begin(one));
	const atOnce = async (...calls: Call[]) => await clock.run(Promise.all(calls.map(begin)));
	/** The creation of an image with the prompt is refused. */
	const refuse = (prompt: string, times = 1) =>
		faults.add({
			match: { kind: 'create', bodyPattern: `"${prompt}"` },
			fault: { kind: 'status', status: 403 },
			times,
		});
	return { call, atOnce, refuse, jobs };
}

test('its jobs are taken over: what is missing is paid for, and nothing twice', async () => {
	const { call, refuse, jobs } = open();
	refuse('c');
	const first = await call();
	expect(first.done).toMatchObject({ status: 'rejected' });
	const known = jobs.list.map(({ id }) => id);
	expect(known).toHaveLength(2);
	const second = await call();
	expect(second.done).toMatchObject({ status: 'fulfilled' });
	expect(second.paid).toBe(3);
	const [items = []] = (second.done as { value: Array<Array<{ json: IDataObject }>> }).value;
	expect(
		items
			.map(({ json }) => json.jobId)
			.slice(0, 2)
			.sort(),
	).toEqual(known.sort());
});

test.each([undefined, 'continueRegularOutput'] as const)(
	'one that a person has stopped fails, too, with On Error %s',
	async (onError) => {
		const { call } = open();
		expect((await call({ onError, stopAt: 2000 })).paid).toBe(3);
		const again = await call({ onError });
		expect(again.done).toMatchObject({ status: 'fulfilled' });
		expect(again.paid).toBe(3);
	},
);

test('of one that was stopped, which n8n does not retry, the error says how to get what is paid for', async () => {
	const { call } = open();
	const { done, id } = await call({ stopAt: 2000 });
	const { description } = (done as PromiseRejectedResult).reason as { description: string };
	expect(description).toContain(`Options > Continue Execution with ${id} to each`);
	expect(description).not.toContain('Retry');
});

test('under Continue, with an item that always fails: the calling node tries again, and nothing is paid for twice', async () => {
	const { call, refuse } = open();
	refuse('a', 9);
	const onError = 'continueRegularOutput' as const;
	for (let calls = 0; calls < 3; calls++) expect((await call({ onError })).paid).toBe(2);
});

test('a job that has failed is ordered by no retry of n8n, only by a person', async () => {
	const { call } = open();
	const items = [{ prompt: 'a' }, { prompt: 'b [fail]' }];
	const first = await call({ items });
	const second = await call({ items });
	expect([first.paid, second.paid]).toEqual([2, 2]);
	expect(second.done).toMatchObject({ status: 'rejected' });
});

test.each([
	['one more', 'a b c', 'new a b c', 4],
	['one less', 'x a c', 'a c', 3],
	['in another order', 'a b c', 'c b a', 3],
	['two alike', 'a a c', 'b a a c', 4],
	['two alike, further down', 'a a c', 'b d a a', 4],
	['other words', 'a b c', 'd e c', 5],
])(
	'the rows that it reads have changed, %s: each has what it asks for',
	async (_, one, two, paid) => {
		const { call, refuse, jobs } = open();
		refuse('c');
		const rows = (prompts: string) => prompts.split(' ').map((prompt) => ({ prompt }));
		const calledWith = [{ sheet: 1 }];
		await call({ items: rows(one), calledWith });
		const second = await call({ items: rows(two), calledWith });
		expect(second.paid).toBe(paid);
		const [items = []] = (second.done as { value: Array<Array<{ json: IDataObject }>> }).value;
		const made = items.map(({ json }) => jobs.find(String(json.jobId))?.body.prompt);
		expect(made.join(' ')).toBe(two);
		// Each its own, where two ask for the same.
		expect(new Set(items.map(({ json }) => json.jobId)).size).toBe(items.length);
		const unasked = jobs.list.filter(({ id }) => !items.some(({ json }) => json.jobId === id));
		const told = second.hints.map(({ message }) => message).join();
		expect(unasked.filter(({ id }) => !told.includes(id))).toEqual([]);
		expect(told.includes('by no row now')).toBe(unasked.length > 0);
	},
);

test('of two at once that have failed, the next call goes on with the jobs of both', async () => {
	const { call, atOnce, refuse, jobs } = open();
	refuse('c', 2);
	await atOnce({}, {});
	const { paid, hints, done } = await call();
	expect(paid).toBe(5);
	const told = JSON.stringify([hints, done]);
	expect(jobs.list.filter(({ id }) => !told.includes(id))).toEqual([]);
});

test.each([1, 2])(
	'a person retries an earlier of %i called executions: what the later ones have paid for is not paid for again',
	async (later) => {
		const { call, refuse } = open();
		const items = ['a', 'b', 'c', 'd'].map((prompt) => ({ prompt }));
		refuse('d', later);
		refuse('b');
		const first = await call({ items });
		for (let calls = 0; calls < later; calls++) await call({ items });
		const { done, paid } = await call({ items, mode: 'retry', memory: first.memory });
		expect(done).toMatchObject({ status: 'fulfilled' });
		expect(paid).toBe(4);
	},
);

test('after a success, the same call is another order', async () => {
	const { call, refuse } = open();
	refuse('c');
	await call();
	expect([(await call()).paid, (await call()).paid]).toEqual([3, 6]);
});

test.each<[string, Call]>([
	['another execution calls', { caller: '8' }],
	['it is called with other items', { items: ['a', 'b', 'd'].map((prompt) => ({ prompt })) }],
	['it is called with another file', { file: 'dog' }],
	['another node asks', { node: 'More Images' }],
	['another workflow is called', { workflow: 'v' }],
	['no workflow calls', { mode: 'trigger' }],
	['n8n does not say who calls', { stored: { resultData: { runData: {} } } }],
])('nothing is taken over where %s', async (_, other) => {
	const { call, refuse } = open();
	refuse('c');
	expect((await call({ file: 'cat' })).paid).toBe(2);
	expect((await call({ file: 'cat', ...other })).paid).toBe(5);
	expect((await call({ file: 'cat' })).paid).toBe(6);
});

test('the error says which execution to retry, and what a retry of the caller costs', async () => {
	const { call, refuse } = open();
	refuse('c');
	const { id, done } = await call();
	expect(done).toMatchObject({
		reason: {
			description: expect.stringContaining(
				`Another workflow has called this one. Retry execution ${id}, which is this one: it pays only for what is missing. Retry execution of the calling workflow pays for all items again.`,
			),
		},
	});
});
