import type { IDataObject } from 'n8n-workflow';

import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import { KEEPER, storedExecutions } from '../../support/storedExecutions.mts';
import { toldBy } from '../../support/toldBy.mts';
import { images } from '../../support/virtualImages.mts';
import { VirtualN8n, type Execution, type ExecutionOptions } from '../../support/virtualRun.mts';
import { VirtualWorker } from '../../support/virtualWorker.mts';

/** *Options > Continue Execution*: a run in the editor takes what an earlier execution has paid for. */

/** One image for each prompt, as a person runs it in the editor; the option is that of the node. */
const continued = (
	prompts: readonly string[],
	continueExecution?: string,
	more: Partial<ExecutionOptions> = {},
	options: IDataObject = {},
): ExecutionOptions =>
	images(
		prompts,
		{ mode: 'manual', ...more },
		{ options: { ...options, ...(continueExecution !== undefined && { continueExecution }) } },
	);

function open(rules: FaultRuleInput[] = []) {
	const n8n = new VirtualN8n();
	for (const rule of rules) n8n.state.faults.add(rule);
	const { store, engine } = storedExecutions();
	return {
		n8n,
		store,
		/** Prompts of all jobs, sorted. */
		paid: () => n8n.state.jobs.list.map(({ body }) => String(body.prompt)).sort(),
		run: async (options: ExecutionOptions) =>
			await n8n.run({ ...options, engine: { ...engine, ...options.engine } }),
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
	const first = await account.run(continued(['a', 'b [fail]', 'c']));
	expect(toldBy(first.error)).toContain(`Continue Execution with ${first.id}`);
	account.store(first);
	return { ...account, first };
}

test('a job of a row since then may be that of a run that was killed: it is named, once', async () => {
	const { n8n, run, paid, first } = await failedBatch();
	// Another process stands for the one that was killed.
	await n8n.clock.run(new VirtualWorker(n8n, 'killed').execute(images(['c'])));
	const told = await run(continued(['a', 'c'], first.id));
	expect(told.error?.message).toContain('Not ordered yet');
	expect(toldBy(told.error)).toContain(n8n.state.jobs.list.at(-1)!.id);
	expect(paid()).toEqual(['a', 'b [fail]', 'c']);
	expect((await n8n.rerun(told)).error).toBeUndefined();
	expect(paid()).toEqual(['a', 'b [fail]', 'c', 'c']);
});

test('rows that it has are taken; those that were changed, are missing or new are started', async () => {
	const { run, paid, first } = await failedBatch();
	const second = await run(continued(['a', 'b', 'c', 'd'], first.id));
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
	const second = await run(continued(['c', 'b [fail]', 'a'], first.id));
	expect(paid()).toEqual(['a', 'b [fail]', 'b [fail]', 'c']);
	expect(second.error?.message).toContain('row 2');
});

test('a second click pays for nothing again, nor does one on the execution that has continued it', async () => {
	const { run, store, paid, first } = await failedBatch();
	await run(continued(['a', 'b', 'c'], first.id));
	const again = await run(continued(['a', 'b', 'c'], `#${first.id}`));
	expect(promptsIn(again)).toEqual(['a', 'b', 'c']);
	store(again);
	await run(continued(['a', 'b', 'c'], again.id));
	expect(paid()).toEqual(['a', 'b', 'b [fail]', 'c']);
});

test('of two clicks at once, one is refused, and so is a retry of that', async () => {
	const { n8n, run, paid, first } = await failedBatch();
	const rows = continued(['a', 'b', 'c'], first.id);
	const clicks = [run(rows), run(rows).then(async (refused) => await n8n.rerun(refused))];
	const ended = await Promise.all(clicks);
	const errors = ended.flatMap(({ error }) => error?.message ?? []);
	expect(errors).toEqual([expect.stringContaining('execution 2 continues it')]);
	expect(paid()).toEqual(['a', 'b', 'b [fail]', 'c']);
});

test('the limits count what is started', async () => {
	const { run, paid, first } = await failedBatch();
	const limited = continued(['a', 'b', 'c'], first.id, {}, { maxCredits: 16 });
	expect((await run(limited)).error).toBeUndefined();
	expect(paid()).toEqual(['a', 'b', 'b [fail]', 'c']);
});

test('in an execution that nobody starts in the editor it is left out, and a hint says so', async () => {
	const { run, paid, first } = await failedBatch();
	const scheduled = await run(continued(['a', 'b', 'c'], first.id, { mode: 'trigger' }));
	expect(paid()).toEqual(['a', 'a', 'b', 'b [fail]', 'c']);
	expect(toldIn(scheduled)).toContain('Continue Execution was left out');
});

test.each<[string, string, Partial<ExecutionOptions>, string]>([
	['no number', 'abc', {}, ''],
	['nothing', ' ', {}, ''],
	['an execution that n8n does not have', '99', {}, ''],
	['one that has ordered nothing with this node', '', { node: { name: 'Other' } }, ''],
	[
		'one of another workflow',
		'',
		{ engine: { getWorkflow: () => ({ id: 'other', active: false }) } },
		'this workflow knows no paid jobs of it',
	],
])('%s: nothing is ordered, and the error says why', async (_, number, more, why) => {
	const { run, paid, first } = await failedBatch();
	const before = paid();
	const { error } = await run(continued(['a'], number || first.id, more));
	expect(error?.message).toContain('Options > Continue Execution');
	expect(error?.message).toContain(why);
	expect(error?.description).toContain('Nothing was ordered');
	expect(paid()).toEqual(before);
});

test('nor is anything of one that still waits, or for rows that have nothing to do with it', async () => {
	const { run, store, paid, first } = await failedBatch();
	const before = paid();
	expect((await run(continued(['x', 'y'], first.id))).error?.description).toContain('Nothing was');
	store(first, { waitTill: new Date() });
	expect((await run(continued(['a'], first.id))).error?.message).toContain('still waits');
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
	const first = await run(continued(['a', 'b']));
	store(first);
	const second = await run(continued(['a', 'b'], first.id));
	expect(second.error).toBeUndefined();
	expect(paid()).toEqual(['a', 'a', 'b']);
	expect(toldIn(second)).toContain('Ordered by an earlier try: ');
});

test('of items that are alike, each row gets what it asks for, though the list was changed', async () => {
	const { n8n, run, store, paid } = open([
		{ ...REFUSED, match: { kind: 'create', bodyPattern: '"e"' } },
	]);
	const alike = (prompts: string[], number?: string) => ({
		...continued(prompts, number),
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
	const running = run(continued(['a', 'b'], undefined, { signal: stop.signal }));
	await n8n.clock.advance(5000);
	stop.abort();
	const first = await running;
	store({ ...first, memory: {} });
	expect(paid()).toEqual(['a', 'b']);
	for (const id of [first.id, KEEPER]) {
		const again = await run(continued(['a', 'b', 'c'], id));
		expect(promptsIn(again)).toEqual(['a', 'b', 'c']);
	}
	expect(paid()).toEqual(['a', 'b', 'c']);
});
