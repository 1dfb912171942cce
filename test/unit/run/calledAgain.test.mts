import type { IDataObject, INode, WorkflowExecuteMode } from 'n8n-workflow';

import { toldBy } from '../../support/toldBy.mts';
import { images } from '../../support/virtualImages.mts';
import { VirtualN8n, type Execution } from '../../support/virtualRun.mts';

/** A sub-workflow that has failed and is called again, as *Retry On Fail* of the calling node does. */

interface Call {
	prompts?: string[];
	/** What the workflow was called with; the items, where no node is before this one. */
	calledWith?: IDataObject[];
	/** The execution that calls. */
	caller?: string;
	node?: string;
	workflow?: string;
	mode?: WorkflowExecuteMode;
	/** What n8n tells of the execution; all of it when left out. */
	stored?: object;
	/** Of its node. */
	onError?: INode['onError'];
	/** When a person stops it, in ms after its start. */
	stopAt?: number;
}

let callers = 0;

function open() {
	const n8n = new VirtualN8n({ settings: { jobMs: { min: 4000, max: 4000 } } });
	const { faults, account, jobs } = n8n.state;
	// Of this test alone: what is left to calls is known to the whole process.
	const own = `caller ${++callers}`;
	const begin = async ({ prompts = ['a', 'b', 'c'], caller = own, ...more }: Call) => {
		const { node = 'Images', workflow = 'w', mode = 'integrated', onError, stopAt } = more;
		const stop = new AbortController();
		if (stopAt !== undefined) void n8n.clock.sleep(stopAt).then(() => stop.abort());
		const calledWith = more.calledWith ?? prompts.map((prompt) => ({ prompt }));
		const passed = calledWith.map((json) => ({ json }));
		const stored = more.stored ?? {
			parentExecution: { executionId: caller, workflowId: 'calling' },
			resultData: { runData: {} },
			executionData: { nodeExecutionStack: [{ data: { main: [passed] } }] },
		};
		const engine = {
			getExecutionDataById: async () => stored,
			getWorkflow: () => ({ id: workflow }),
		} as object;
		const own = { node: { name: node, onError }, mode, engine, signal: stop.signal };
		const execution = await n8n.execute(images(prompts, own));
		return { ...execution, paid: account.charges.length };
	};
	return {
		n8n,
		jobs,
		call: async (one: Call = {}) => await n8n.clock.run(begin(one)),
		/** The creation of an image with the prompt is refused. */
		refuse: (prompt: string, times = 1) =>
			faults.add({
				match: { kind: 'create', bodyPattern: `"${prompt}"` },
				fault: { kind: 'status', status: 403 },
				times,
			}),
	};
}

const idsOf = ({ items }: Execution) => items.map(({ json }) => json.jobId);

test('its jobs are taken over: what is missing is paid for, and nothing twice', async () => {
	const { call, refuse, jobs } = open();
	refuse('c');
	expect((await call()).error).toBeDefined();
	const known = jobs.list.map(({ id }) => id);
	expect(known).toHaveLength(2);
	const second = await call();
	expect([second.error, second.paid]).toEqual([undefined, 3]);
	expect(idsOf(second).slice(0, 2).sort()).toEqual(known.sort());
});

test.each([undefined, 'continueRegularOutput'] as const)(
	'one that a person has stopped fails, too, with On Error %s',
	async (onError) => {
		const { call } = open();
		expect((await call({ onError, stopAt: 2000 })).paid).toBe(3);
		const again = await call({ onError });
		expect([again.error, again.paid]).toEqual([undefined, 3]);
	},
);

test('under Continue, with an item that always fails: the calling node tries again, and nothing is paid for twice', async () => {
	const { call, refuse } = open();
	refuse('a', 9);
	const onError = 'continueRegularOutput' as const;
	for (let calls = 0; calls < 3; calls++) expect((await call({ onError })).paid).toBe(2);
});

test('a job that has failed is ordered by no retry of n8n, only by a person', async () => {
	const { call } = open();
	const prompts = ['a', 'b [fail]'];
	const first = await call({ prompts });
	const second = await call({ prompts });
	expect([first.paid, second.paid]).toEqual([2, 2]);
	expect(second.error).toBeDefined();
});

test.each([
	['one more', 'a b c', 'new a b c', 4],
	['in another order', 'a b c', 'c b a', 3],
	['two alike', 'a a c', 'b d a a', 4],
	['other words', 'a b c', 'd e c', 5],
])(
	'the rows that it reads have changed, %s: each has what it asks for',
	async (_, one, two, paid) => {
		const { call, refuse, jobs } = open();
		refuse('c');
		const calledWith = [{ sheet: 1 }];
		await call({ prompts: one.split(' '), calledWith });
		const second = await call({ prompts: two.split(' '), calledWith });
		expect(second.paid).toBe(paid);
		const ids = idsOf(second);
		const made = ids.map((id) => jobs.find(String(id))?.body.prompt);
		expect(made.join(' ')).toBe(two);
		// Each its own, where two ask for the same.
		expect(new Set(ids).size).toBe(ids.length);
		const unasked = jobs.list.filter(({ id }) => !ids.includes(id));
		const told = second.hints.map(({ message }) => message).join();
		expect(unasked.filter(({ id }) => !told.includes(id))).toEqual([]);
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
	['it is called with other items', { prompts: ['a', 'b', 'd'] }],
	['another node asks', { node: 'More Images' }],
	['another workflow is called', { workflow: 'v' }],
	['no workflow calls', { mode: 'trigger' }],
	['n8n does not say who calls', { stored: { resultData: { runData: {} } } }],
])('nothing is taken over where %s', async (_, other) => {
	const { call, refuse } = open();
	refuse('c');
	expect((await call()).paid).toBe(2);
	expect((await call(other)).paid).toBe(5);
	expect((await call()).paid).toBe(6);
});

test('the error says which execution to retry, and what a retry of the caller costs', async () => {
	const { call, refuse } = open();
	refuse('c');
	const { id, error } = await call();
	expect(error?.description).toContain(
		`Another workflow has called this one. Retry execution ${id}, which is this one: it pays only for what is missing. Retry execution of the calling workflow pays for all items again.`,
	);
	// n8n does not retry what was stopped.
	const stopped = await call({ caller: 'another', stopAt: 2000 });
	expect(toldBy(stopped.error)).toContain(
		`Options > Continue Execution with ${stopped.id} to each`,
	);
	expect(stopped.error?.description).not.toContain('Retry');
});
