import type { IDataObject, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';

import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import { toldBy } from '../../support/toldBy.mts';
import { VirtualN8n, type Execution, type ExecutionOptions } from '../../support/virtualRun.mts';

/** *Options > Continue Execution*: a run in the editor takes what an earlier execution has paid for. */

/** One image for each prompt; the option is that of the node. */
const images = (
	prompts: readonly string[],
	continueExecution?: string,
	more: Partial<ExecutionOptions> = {},
): ExecutionOptions => ({
	items: prompts.map((prompt) => ({ prompt })),
	parameters: (itemIndex) => ({
		resource: 'image',
		operation: 'generate',
		size: '1:1',
		prompt: prompts[itemIndex],
		options: continueExecution === undefined ? {} : { continueExecution },
	}),
	mode: 'manual',
	...more,
});

const credentials = (id: string) => ({ mediaGenApi: { id, name: 'MediaGen' } });

const KEEPER = '101';

function open(rules: FaultRuleInput[] = []) {
	const n8n = new VirtualN8n();
	for (const rule of rules) n8n.state.faults.add(rule);
	const stored = new Map<string, object>();
	const getExecutionDataById = async (id: string) => {
		return stored.get(id) as IRunExecutionData | undefined;
	};
	/** n8n has stored what its node remembers. */
	const store = ({ id, memory, flow, options }: Execution, more: object = {}) => {
		const name = `node:${options.node?.name ?? 'MediaGen'}`;
		const contextData = JSON.parse(JSON.stringify({ [name]: memory, flow })) as IDataObject;
		stored.set(id, {
			executionData: { contextData, nodeExecutionStack: [] },
			resultData: { runData: {} },
			...more,
		});
	};
	/** It starts the execution that keeps the orders of a stopped one. */
	const executeWorkflow = async (
		{ code }: { code: { nodes: Array<{ name: string }> } },
		items: INodeExecutionData[],
	) => {
		const runData = { [code.nodes[0]!.name]: [{ data: { main: [items] } }] };
		stored.set(KEEPER, { resultData: { runData } });
		return { executionId: KEEPER, data: [null] };
	};
	return {
		n8n,
		store,
		/** Prompts of all jobs, sorted. */
		paid: () => n8n.state.jobs.list.map(({ body }) => String(body.prompt)).sort(),
		run: async (options: ExecutionOptions) => {
			const engine = { getExecutionDataById, executeWorkflow, ...options.engine } as object;
			return await n8n.clock.run(n8n.execute({ ...options, engine }));
		},
	};
}

const REFUSED: FaultRuleInput = {
	match: { kind: 'create', bodyPattern: 'c' },
	fault: { kind: 'status', status: 402 },
	times: 1,
};

const promptsIn = ({ items }: Execution) => items.map(({ json }) => json.prompt);

const toldIn = ({ hints }: Execution) => hints.map(({ message }) => message).join('\n');

/** Of three images, the second has failed, and the third was refused. */
async function failedBatch() {
	const account = open([REFUSED]);
	const first = await account.run(images(['a', 'b [fail]', 'c']));
	expect(toldBy(first.error)).toContain(`Continue Execution with ${first.id}`);
	account.store(first);
	return { ...account, first };
}

test('rows that it has are taken; those that were changed, are missing or new are started', async () => {
	const { run, paid, first } = await failedBatch();
	const second = await run(images(['a', 'b', 'c', 'd'], first.id));
	expect(second.error).toBeUndefined();
	expect(promptsIn(second)).toEqual(['a', 'b', 'c', 'd']);
	expect(paid()).toEqual(['a', 'b', 'b [fail]', 'c', 'd']);
	expect(toldIn(second)).toContain(
		`Continued execution ${first.id}: took row 1, started rows 2, 3 and 4. Remove the option before you run a new list. To continue once more after a restart of n8n, enter ${second.id}.`,
	);
	expect(toldIn(second)).toContain('by no row now: job');
	expect(toldIn(second)).toContain('24 credits');
});

test('a failed row is started though it is the same; rows may have moved', async () => {
	const { run, paid, first } = await failedBatch();
	const second = await run(images(['c', 'b [fail]', 'a'], first.id));
	expect(paid()).toEqual(['a', 'b [fail]', 'b [fail]', 'c']);
	expect(second.error?.message).toContain('row 2');
});

test('a second click pays for nothing again, nor does one on the execution that has continued it', async () => {
	const { run, store, paid, first } = await failedBatch();
	await run(images(['a', 'b', 'c'], first.id));
	const again = await run(images(['a', 'b', 'c'], `#${first.id}`));
	expect(promptsIn(again)).toEqual(['a', 'b', 'c']);
	store(again);
	await run(images(['a', 'b', 'c'], again.id));
	expect(paid()).toEqual(['a', 'b', 'b [fail]', 'c']);
});

test('of two clicks at once, one is refused', async () => {
	const { run, paid, first } = await failedBatch();
	const rows = images(['a', 'b', 'c'], first.id);
	const ended = await Promise.all([run(rows), run(rows)]);
	const errors = ended.flatMap(({ error }) => error?.message ?? []);
	expect(errors).toEqual([expect.stringContaining('execution 2 continues it')]);
	expect(paid()).toEqual(['a', 'b', 'b [fail]', 'c']);
});

test('the limits count what is started', async () => {
	const { run, paid, first } = await failedBatch();
	const limited = images(['a', 'b', 'c'], first.id);
	const parameters = (itemIndex: number) => {
		const own = (limited.parameters as (index: number) => IDataObject)(itemIndex);
		return { ...own, options: { ...(own.options as IDataObject), maxCredits: 16 } };
	};
	expect((await run({ ...limited, parameters })).error).toBeUndefined();
	expect(paid()).toEqual(['a', 'b', 'b [fail]', 'c']);
});

test('in an execution that nobody starts in the editor it is left out, and a hint says so', async () => {
	const { run, paid, first } = await failedBatch();
	const scheduled = await run(images(['a', 'b', 'c'], first.id, { mode: 'trigger' }));
	expect(paid()).toEqual(['a', 'a', 'b', 'b [fail]', 'c']);
	expect(toldIn(scheduled)).toContain('Continue Execution was left out');
});

test.each<[string, string, Partial<ExecutionOptions>, string[]]>([
	['no number', 'abc', {}, ['a']],
	['an execution that n8n does not have', '99', {}, ['a']],
	['one that has ordered nothing with this node', '', { node: { name: 'Other' } }, ['a']],
	['rows that have nothing to do with it', '', {}, ['x', 'y']],
])('%s: nothing is ordered, and the error says why', async (_, number, more, prompts) => {
	const { run, paid, first } = await failedBatch();
	const before = paid();
	const { error } = await run(images(prompts, number || first.id, more));
	expect(error?.message).toContain('Options > Continue Execution');
	expect(error?.description).toContain('Nothing was ordered');
	expect(paid()).toEqual(before);
});

test('one that still waits, of another workflow, or of another credential: the same', async () => {
	const { run, store, paid, first } = await failedBatch();
	const before = paid();
	store(first, { waitTill: new Date() });
	const waiting = await run(images(['a'], first.id));
	store(first);
	const engine = { getWorkflow: () => ({ id: 'other', name: 'Other', active: false }) };
	const elsewhere = await run(images(['a'], first.id, { engine }));
	const node = { credentials: credentials('other') };
	const account = await run(images(['a'], first.id, { node }));
	const messages = [waiting, elsewhere, account].map(({ error }) => error?.message);
	expect(messages).toEqual([
		expect.stringContaining('still waits'),
		expect.stringContaining('this workflow knows no paid jobs of it'),
		expect.stringContaining('another credential'),
	]);
	expect(paid()).toEqual(before);
});

test('a row of unknown outcome is told of once more if the history shows a new job, else ordered', async () => {
	const lost: FaultRuleInput = {
		match: { kind: 'create', bodyPattern: 'a' },
		fault: { kind: 'reset' },
		when: 'after',
		times: 1,
	};
	const { run, store, paid } = open([lost]);
	const first = await run(images(['a', 'b']));
	store(first);
	const second = await run(images(['a', 'b'], first.id));
	expect(second.error).toBeUndefined();
	expect(paid()).toEqual(['a', 'a', 'b']);
	expect(toldIn(second)).toContain('an earlier creation may also have been paid for');
});

test.each(['', '  ', '0'])('an option that is added and holds "%s" is refused', async (number) => {
	const { run, paid } = await failedBatch();
	const before = paid();
	expect((await run(images(['a'], number))).error?.message).toContain('Continue Execution');
	expect(paid()).toEqual(before);
});

test('it knows what a retry of the same execution has paid for, and a retry what it has', async () => {
	const { n8n, run, paid, first } = await failedBatch();
	const retried = await n8n.clock.run(n8n.retry(first));
	expect(retried.error?.message).toContain('row 2');
	await run(images(['a', 'b', 'c'], first.id));
	await n8n.clock.run(n8n.retry(first));
	expect(paid()).toEqual(['a', 'b', 'b [fail]', 'b [fail]', 'b [fail]', 'c']);
});

test('of items that are alike, each row gets what it asks for, though the list was changed', async () => {
	const { n8n, run, store, paid } = open([
		{ ...REFUSED, match: { kind: 'create', bodyPattern: '"e"' } },
	]);
	const alike = (prompts: string[], number?: string) => ({
		...images(prompts, number),
		items: prompts.map(() => ({ ok: true })),
	});
	const first = await run(alike(['a', 'b', 'c', 'd', 'e']));
	store(first);
	n8n.state.faults.clear();
	const second = await run(alike(['b', 'corrected', 'd'], first.id));
	expect(promptsIn(second)).toEqual(['b', 'corrected', 'd']);
	expect(paid().filter((prompt) => prompt === 'corrected')).toHaveLength(1);
	expect(new Set(paid()).size).toBe(paid().length);
});

test('after Stop: the number of either execution continues it', async () => {
	const { n8n, run, store, paid } = open();
	const stop = new AbortController();
	n8n.state.settings.jobMs = { min: 30_000, max: 30_000 };
	const running = run(images(['a', 'b'], undefined, { signal: stop.signal }));
	await n8n.clock.advance(5000);
	stop.abort();
	const first = await running;
	store({ ...first, memory: {} });
	expect(paid()).toEqual(['a', 'b']);
	for (const id of [first.id, KEEPER]) {
		const again = await run(images(['a', 'b', 'c'], id));
		expect(promptsIn(again)).toEqual(['a', 'b', 'c']);
	}
	expect(paid()).toEqual(['a', 'b', 'c']);
});
