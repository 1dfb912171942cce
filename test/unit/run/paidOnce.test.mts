import type { IDataObject } from 'n8n-workflow';

import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import type { NetworkOptions } from '../../support/virtualNetwork.mts';
import { VirtualN8n, type Execution, type ExecutionOptions } from '../../support/virtualRun.mts';
import { IMAGE } from '../../support/virtualImages.mts';
import { warmUp } from '../../support/warmUp.mts';
import { toldBy } from '../../support/toldBy.mts';

/** Nothing is paid for twice, through the whole node, with n8n's retries around it. */

const RETRY = { retryOnFail: true, maxTries: 5, waitBetweenTries: 0 };

const LOST: FaultRuleInput = {
	match: { kind: 'create' },
	fault: { kind: 'reset' },
	when: 'after',
	times: 1,
};

/** One image for each prompt; a prompt may vary by the time it is asked for. */
const images = (
	prompts: Array<string | (() => string)>,
	more: Partial<ExecutionOptions> = {},
	parameters: IDataObject = {},
): ExecutionOptions => ({
	items: prompts.map((prompt) => (typeof prompt === 'string' ? { prompt } : {})),
	parameters: (item) => {
		const prompt = prompts[item]!;
		return { ...IMAGE, prompt: typeof prompt === 'string' ? prompt : prompt(), ...parameters };
	},
	...more,
});

/** Items as they were, which ask for something else now. */
const asking = (...prompts: string[]) => ({ parameters: images(prompts).parameters });

const open = (options: NetworkOptions = {}, rules: FaultRuleInput[] = []) => {
	const n8n = new VirtualN8n(options);
	for (const rule of rules) n8n.state.faults.add(rule);
	return {
		n8n,
		/** Prompts of all jobs; those that vary without their number. */
		paid: () =>
			n8n.state.jobs.list.map(({ body }) => String(body.prompt).replace(/ \d+$/, '')).sort(),
		ids: () => n8n.state.jobs.list.map(({ id }) => id),
		idOf: (prompt: string) => n8n.state.jobs.list.find(({ body }) => body.prompt === prompt)?.id,
		run: async (execution: ExecutionOptions) => await n8n.run(execution),
		retry: async (last: Execution, more: Partial<ExecutionOptions> = {}) =>
			await n8n.rerun({ ...last, options: { ...last.options, ...more } }),
	};
};

const textOf = ({ items, error, hints }: Execution) =>
	JSON.stringify([items, error?.message, error?.description, hints]);

/** A random word, `$now`: another prompt each time. */
const varying = () => {
	let count = 0;
	return () => `word ${++count}`;
};

describe('an expression that varies', () => {
	const SECOND_REFUSED: FaultRuleInput = {
		match: { kind: 'create', bodyPattern: 'second' },
		fault: { kind: 'status', status: 400 },
	};

	test('Retry On Fail finds the job of the item, whatever the request is by then', async () => {
		const { run, paid, ids } = open({}, [SECOND_REFUSED]);
		const { error, tries } = await run(images([varying(), 'second'], { node: RETRY }));
		expect({ tries, paid: paid() }).toEqual({ tries: 5, paid: ['word'] });
		expect(toldBy(error)).toContain(ids()[0]);
	});

	test.each<[string, object]>([
		['an unchanged workflow', {}],
		['one with another option', { options: { timeout: 600 }, waitForCompletion: true }],
	])('so does Retry execution of %s', async (_, changed) => {
		const { n8n, run, retry, paid } = open({}, [SECOND_REFUSED]);
		const typed = { prompt: '={{ $now }}', options: { timeout: 5 } };
		const first = await run(images([varying(), 'second'], { node: { parameters: typed } }));
		n8n.state.faults.clear();
		const { items } = await retry(first, { node: { parameters: { ...typed, ...changed } } });
		expect(paid()).toEqual(['second', 'word']);
		expect(items).toHaveLength(2);
	});
});

/** `retries` draws more such stories. */
describe('the first execution, retried once more after a retry of it has failed', () => {
	const refused = (prompt: string, times: number): FaultRuleInput => ({
		match: { kind: 'create', bodyPattern: prompt },
		fault: { kind: 'status', status: 402 },
		times,
	});

	test('a job that has failed in the retry is ordered anew', async () => {
		const { run, retry, paid } = open({}, [refused('bad', 1)]);
		const first = await run(images(['good', 'bad [fail]']));
		await retry(first);
		const { error } = await retry(first);
		expect(error?.message).toContain('failed');
		expect(paid()).toEqual(['bad [fail]', 'bad [fail]', 'good']);
	});

	test('a retry of more rows than reads fit into a minute takes all of them, long after', async () => {
		const prompts = Array.from({ length: 150 }, (_, index) => `p${index}.`);
		const settings = { credits: { purchased: 10_000 } };
		const { n8n, ids, run, retry } = open({ settings }, [refused('p149', 1)]);
		const first = await run(images(prompts));
		await n8n.clock.advance(86_400_000);
		const { items, error } = await retry(first);
		expect([error, items.length, ids().length]).toEqual([undefined, 150, 150]);
	});

	test('another execution of the workflow has orders of its own', async () => {
		const { run, retry, paid } = open({}, [refused('second', 3)]);
		const [first, other] = [
			await run(images(['first', 'second'])),
			await run(images(['first', 'second'])),
		];
		await retry(first);
		await retry(other);
		expect(paid()).toEqual(['first', 'first', 'second']);
	});
});

describe('Retry execution of a workflow that a person has changed', () => {
	const typed = (prompt: string) => ({ node: { parameters: { prompt } } });
	const late = { options: { timeout: 1 } };

	const unasked = (id?: string) => `Ordered by an earlier try, and by no row now: job ${id}`;

	test('orders what is new, and names what no row has any more', async () => {
		const { run, retry, paid, ids } = open();
		const first = await run(images(['cat'], typed('cat'), late));
		const second = await retry(first, { ...asking('dog'), ...typed('dog') });
		expect(paid()).toEqual(['cat', 'dog']);
		expect(second.items[0]?.json.jobId).toBe(ids()[1]);
		expect(second.hints.map(({ message }) => message)).toContain(unasked(ids()[0]));
	});

	test('names it also where the node only reads now', async () => {
		const { run, retry, paid, ids } = open();
		const first = await run(images(['cat'], typed('cat'), late));
		const read = { resource: 'job', operation: 'get', startedWith: 'generation', jobId: ids()[0] };
		const second = await retry(first, { parameters: () => read, node: { parameters: read } });
		expect(paid()).toEqual(['cat']);
		expect(second.hints.map(({ message }) => message)).toContain(unasked(ids()[0]));
	});

	test('waits for the job where the request is the same', async () => {
		const { run, retry, paid } = open();
		const first = await run(images(['cat'], typed('cat'), late));
		await retry(first, typed('={{ "cat" }}'));
		expect(paid()).toEqual(['cat']);
	});

	test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'%s: an error names what it has replaced',
		async (onError) => {
			const { n8n, run, retry, ids } = open();
			const first = await run(images(['cat'], typed('cat'), late));
			n8n.state.faults.add({ match: { kind: 'create' }, fault: { kind: 'status', status: 402 } });
			const node = { ...typed('dog').node, onError };
			const second = await retry(first, { ...asking('dog'), node });
			expect(textOf(second)).toContain(ids()[0]);
		},
	);

	test.each([
		['is', []],
		['may be', [LOST]],
	])('an item that cannot be sent any more names the job that %s paid for', async (_, faults) => {
		const { run, retry, ids } = open({}, faults);
		const first = await run(images(['cat'], typed('cat'), late));
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			const node = { parameters: {}, onError };
			expect(textOf(await retry(first, { ...asking(''), node }))).toContain(ids()[0]);
		}
	});

	test('a run that cannot begin any more names what is paid for, and what may be', async () => {
		const lost = { ...LOST, match: { kind: 'create', bodyPattern: 'dog' } } as const;
		const { n8n, run, retry, idOf } = open({}, [lost]);
		await warmUp(n8n);
		const first = await run(images(['cat', 'dog', 'fox'], typed('cat')));
		n8n.credential.baseUrl = 'ftp://service.example';
		const { error } = await retry(first);
		expect(error?.message).toContain('Base URL');
		expect(error?.description).toContain('What an earlier try has paid for stays paid for.');
		expect(error?.messages).toEqual([
			`Row 1: Ordered by an earlier try: job ${idOf('cat')}.`,
			expect.stringMatching(RegExp(`^Row 2: .*it may be job ${idOf('dog')}`)),
			`Row 3: Ordered by an earlier try: job ${idOf('fox')}.`,
		]);
	});
});

describe('On Error: Stop', () => {
	test.each([1, 5])('max. %i at once: nothing is created after a failure', async (at) => {
		for (let seed = 0; seed < 4; seed++) {
			const { n8n, run, paid } = open({ settings: { seed } }, [
				{
					match: { kind: 'create', bodyPattern: 'refused' },
					fault: { kind: 'status', status: 400 },
				},
			]);
			const all = ['refused', ...Array.from({ length: 9 }, (_, item) => `item ${item}`)];
			const { error } = await run(images(all, {}, { options: { maxConcurrentJobs: at } }));
			expect(error?.message).toContain('refused the request');
			const refusedAt = n8n.state.journal.entries.find(({ status }) => status === 400)!.answeredAt!;
			// Those that were under way by then were sent before the answer arrived.
			const later = n8n.state.jobs.list.filter(({ createdAt }) => createdAt > refusedAt + 70);
			expect(later).toEqual([]);
			expect(paid().length).toBeLessThan(at);
		}
	});
});

describe('a creation whose answer was lost', () => {
	test('Retry On Fail names the job that the history shows, and orders nothing', async () => {
		const { run, paid, ids } = open({}, [LOST]);
		const { error } = await run(images(['a', 'b', 'c'], { node: RETRY }));
		expect(paid()).toEqual(['a']);
		expect(error?.message).toContain('Not sent again');
		expect(toldBy(error)).toContain(`${ids()[0]} (2026-01-01T00:00:0`);
		expect(toldBy(error)).toContain('"a")');
		expect(toldBy(error)).toContain('Job > Wait for Completion');
	});

	/** Such a run, and what the history does not say while it runs. */
	const untold = async (prompts: string[], more: Partial<ExecutionOptions> = {}) => {
		const account = open({}, [{ ...LOST, times: 2 }]);
		const { faults } = account.n8n.state;
		faults.add({ match: { kind: 'list' }, fault: { kind: 'status', status: 500 } });
		const first = await account.run(images(prompts, more));
		faults.clear();
		return { ...account, first };
	};

	test('its own error names the job; Retry execution orders anew', async () => {
		const { run, retry, paid, ids } = open({}, [LOST]);
		const told = await run(images(['a']));
		expect(toldBy(told.error)).toContain(ids()[0]);
		const anew = await retry(told);
		expect(paid()).toEqual(['a', 'a']);
		expect(anew.items[0]?.json.jobId).toBe(ids()[1]);
	});

	test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'%s: a retry that finds a job of which nobody was told names it, once',
		async (onError) => {
			const { retry, paid, ids, first } = await untold(['a', 'b', 'c'], { node: { onError } });
			expect(textOf(first)).not.toContain(ids()[0]);
			const told = await retry(first);
			expect(textOf(told)).toContain(`${ids()[0]} (`);
			const before = onError === 'stopWorkflow' ? ['a'] : ['a', 'b', 'c'];
			expect(paid()).toEqual(before);
			expect((await retry(told)).error).toBeUndefined();
			const anew = onError === 'stopWorkflow' ? ['a', 'b', 'c'] : ['a', 'b'];
			expect(paid()).toEqual([...before, ...anew].sort());
		},
	);

	test('where the history does not tell, Retry On Fail sends nothing; a person is told so, and orders anew', async () => {
		const { run, retry, paid } = open({ settings: { shapes: { list: { body: 'none' } } } }, [LOST]);
		const told = await run(images(['a'], { node: RETRY }));
		expect(paid()).toEqual(['a']);
		expect(told.error?.message).toContain('Not sent again');
		expect(toldBy(told.error)).toContain('look for it with Job > Get History');
		const { hints } = await retry(told);
		expect(paid()).toEqual(['a', 'a']);
		expect(JSON.stringify(hints)).toContain('Ordered by an earlier try: The connection');
	});

	test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'%s: ordered anew and refused, the item still says what may have been charged',
		async (onError) => {
			const { n8n, run, retry, ids } = open({}, [LOST]);
			const told = await run(images(['a'], { node: { onError } }));
			n8n.state.faults.add({ match: { kind: 'create' }, fault: { kind: 'status', status: 402 } });
			const refused = await retry(told);
			expect(textOf(refused)).toContain('Ordered by an earlier try: ');
			expect(textOf(refused)).toContain(`it may be job ${ids()[0]}`);
			const charged = refused.items.map(({ json }) => json.charged);
			expect(charged).toEqual(onError === 'stopWorkflow' ? [] : ['unknown']);
		},
	);
});

describe('API Key > Create', () => {
	test('the keys are in their items alone: not in the memory, nor in the error of another item', async () => {
		const { n8n, run } = open({}, [
			{
				match: { operation: 'apiKey.create', bodyPattern: 'second' },
				fault: { kind: 'status', status: 400 },
			},
		]);
		const parameters = (item: number) => ({
			...{ resource: 'apiKey', operation: 'create' },
			name: ['first', 'second'][item],
		});
		const keys = { items: [{}, {}], parameters, kind: 'account' as const };
		const node = { onError: 'continueRegularOutput' } as const;
		const given = await run({ ...keys, node });
		const [, key = ''] = n8n.state.account.keys;
		expect(given.items[0]?.json.key).toBe(key);
		const failed = await run(keys);
		const [, , lost = ''] = n8n.state.account.keys;
		const told = JSON.stringify([given.memory, failed.memory, toldBy(failed.error)]);
		for (const one of [key, lost]) {
			expect(one).not.toBe('');
			expect(told).not.toContain(one);
		}
	});
});
