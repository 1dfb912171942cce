import type { Execution, ExecutionOptions } from '../../support/virtualRun.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { toldBy } from '../../support/toldBy.mts';

/** A person gives one row another prompt, and pays for that row alone. */

const PROMPTS = ['a fox', 'a hare', 'a loaf [fail]', 'a mill'];

const batch = (
	promptOnRetry: unknown = undefined,
	more: Partial<ExecutionOptions> = {},
): ExecutionOptions => ({
	items: PROMPTS.map((prompt) => ({ prompt })),
	parameters: (itemIndex) => ({
		resource: 'image',
		operation: 'generate',
		size: '1:1',
		prompt: PROMPTS[itemIndex],
		options: promptOnRetry === undefined ? {} : { promptOnRetry },
	}),
	...more,
});

const row = (number: unknown, prompt: unknown) => ({ rows: [{ row: number, prompt }] });

const open = () => {
	const n8n = new VirtualN8n();
	return {
		n8n,
		paid: () => n8n.state.jobs.list.map(({ body }) => body.prompt),
		hints: (hints: ReadonlyArray<{ message: string }>) => hints.map(({ message }) => message),
		run: async (options: ExecutionOptions) => await n8n.clock.run(n8n.execute(options)),
		/** The batch fails at its third row; then a person retries it with the option. */
		retried: async (promptOnRetry: unknown) => {
			const failed = await n8n.clock.run(n8n.execute(batch()));
			const again = { ...failed, options: batch(promptOnRetry) };
			return { failed, again: await n8n.clock.run(n8n.retry(again)) };
		},
	};
};

test('the error names the row as the editor counts it, what the others came to, and the way back', async () => {
	const { run } = open();
	const { error } = await run(batch());
	expect(error?.message).toMatch(/^1 of 4 failed: row 3, "a loaf \[fail\]": Job \S+ failed: /);
	expect(error?.description).toContain('The job was charged when it was created.');
	expect(error?.description).toContain('The others: 3 finished.');
	expect(error?.description).toContain(
		'give this row another prompt (Options > Prompt on Retry), then open this execution',
	);
	expect(error?.description).not.toMatch(/[{}]/);
	// n8n would add the number that counts from 0.
	expect(error?.context.itemIndex).toBeUndefined();
});

test('the row is ordered with the new prompt, and nothing else is', async () => {
	const { retried, paid } = open();
	const { again } = await retried(row(3, 'a loaf of bread'));
	expect(again.error).toBeUndefined();
	expect(again.items.map(({ json }) => json.prompt)).toEqual([
		'a fox',
		'a hare',
		'a loaf of bread',
		'a mill',
	]);
	expect(paid()).toEqual([...PROMPTS, 'a loaf of bread']);
});

test('a row that has its job keeps it, and a hint says so', async () => {
	const { retried, paid, hints } = open();
	const { again } = await retried({
		rows: [
			{ row: 1, prompt: 'a wolf' },
			{ row: '3', prompt: ' a loaf of bread ' },
		],
	});
	expect(paid()).toEqual([...PROMPTS, 'a loaf of bread']);
	expect(again.items[0]?.json.prompt).toBe('a fox');
	expect(hints(again.hints)).toContainEqual(
		expect.stringContaining('Row 1: Options > Prompt on Retry has no effect'),
	);
});

test('in a run that is no retry it has no effect, and a hint says so once', async () => {
	const { run, paid, hints } = open();
	const told = await run(batch(row(1, 'a wolf'), { node: { onError: 'continueRegularOutput' } }));
	expect(paid()).toEqual(PROMPTS);
	expect(hints(told.hints).filter((text) => text.includes('Prompt on Retry'))).toEqual([
		'Options > Prompt on Retry has no effect in this run: it counts when an execution is retried.',
	]);
});

test.each([
	[row(9, 'a loaf'), 'Options > Prompt on Retry names row 9, but this run has 4 rows'],
	[row(0, 'a loaf'), 'Options > Prompt on Retry counts rows from 1'],
	[row(3, ' '), 'Options > Prompt on Retry needs a prompt'],
	[row('three', 'a loaf'), 'Options > Prompt on Retry needs the number of a row'],
])('%j is refused before anything is paid for', async (option, message) => {
	const { retried, paid } = open();
	const { again } = await retried(option);
	expect(toldBy(again.error)).toContain(message);
	expect(paid()).toEqual(PROMPTS);
});

describe('what a person has changed besides', () => {
	const typed = (prompt: string, promptOnRetry?: unknown) =>
		batch(promptOnRetry, { node: { parameters: { prompt } } });
	const stored = (last: Execution, options: ExecutionOptions) => ({ ...last, options });

	test('a row that has its job keeps it, though the node was changed and the row is named', async () => {
		const { n8n, paid } = open();
		const first = await n8n.clock.run(n8n.execute(typed('={{ $json.prompt }}')));
		const named = {
			rows: [
				{ row: 1, prompt: 'a wolf' },
				{ row: 3, prompt: 'a loaf' },
			],
		};
		const changed = stored(first, typed('={{ $json["prompt"] }}', named));
		await n8n.clock.run(n8n.retry(changed));
		expect(paid()).toEqual([...PROMPTS, 'a loaf']);
	});

	test('a row that was made by it is not ordered again when it is no longer named', async () => {
		const { n8n, paid } = open();
		const first = await n8n.clock.run(n8n.execute(typed('x')));
		const second = await n8n.clock.run(
			n8n.retry(stored(first, typed('x', row(3, 'a loaf of bread')))),
		);
		expect(second.error).toBeUndefined();
		const third = await n8n.clock.run(n8n.retry(stored(second, typed('y'))));
		expect(paid()).toEqual([...PROMPTS, 'a loaf of bread']);
		expect(third.items[2]?.json.prompt).toBe('a loaf of bread');
	});
});

describe('runs that did not fail', () => {
	test('a node that the retried execution runs for the first time keeps its prompts', async () => {
		const { n8n, paid, hints } = open();
		const another = await n8n.clock.run(n8n.execute(batch()));
		const first = { ...another, memory: {}, options: batch(row(1, 'last week')) };
		const told = await n8n.clock.run(n8n.retry(first));
		expect(paid().slice(PROMPTS.length).sort()).toEqual(PROMPTS);
		expect(hints(told.hints).join()).toContain(
			'Options > Prompt on Retry has no effect in this run',
		);
	});

	test('the next round of a loop keeps its prompts, and needs no such row', async () => {
		const { n8n, retried, paid } = open();
		const { again } = await retried(row(3, 'a loaf of bread'));
		const next = { ...again, options: { ...batch(row(3, 'a loaf of bread')), items: [{}, {}] } };
		const { error } = await n8n.clock.run(n8n.nextRun(next));
		expect(error).toBeUndefined();
		expect(paid().slice(-2).sort()).toEqual(['a fox', 'a hare']);
	});
});
