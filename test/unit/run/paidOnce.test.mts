import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import type { NetworkOptions } from '../../support/virtualNetwork.mts';
import { VirtualN8n, type Execution, type ExecutionOptions } from '../../support/virtualRun.mts';
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

/** One image for each prompt, which its item has; a prompt may vary by the time it is asked for. */
const images = (
	prompts: Array<string | (() => string)>,
	more: Partial<ExecutionOptions> = {},
	parameters: object = {},
): ExecutionOptions => ({
	items: prompts.map((prompt) => (typeof prompt === 'string' ? { prompt } : {})),
	parameters: (itemIndex) => {
		const prompt = prompts[itemIndex]!;
		return {
			resource: 'image',
			operation: 'generate',
			size: '1:1',
			prompt: typeof prompt === 'string' ? prompt : prompt(),
			...parameters,
		};
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
		run: async (execution: ExecutionOptions) => await n8n.clock.run(n8n.execute(execution)),
		retry: async (last: Execution, more: Partial<ExecutionOptions> = {}) =>
			await n8n.clock.run(n8n.retry({ ...last, options: { ...last.options, ...more } })),
	};
};

const textOf = ({ items, error, hints }: Execution) =>
	JSON.stringify([items, error?.message, error?.description, hints]);

/** A random word, `$now`: another prompt each time. */
const varying = () => {
	let count = 0;
	return () => `word ${++count}`;
};

describe('Retry On Fail after a success whose first item has a field error', () => {
	const record = (answer: unknown, error: string) =>
		Object.hasOwn(Object(answer), 'prompt') ? { ...Object(answer), error } : answer;

	test('a completed record with an empty error: one creation in 5 tries', async () => {
		const { run, paid } = open({ retell: (answer) => record(answer, '') });
		const raw = { options: { simplify: false } };
		const { tries, items } = await run(images(['a', 'b'], { node: RETRY }, raw));
		expect({ tries, paid: paid() }).toEqual({ tries: 5, paid: ['a', 'b'] });
		expect(items.map(({ json }) => json.status)).toEqual(['completed', 'completed']);
	});
});

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

	test('so does Retry execution of an unchanged workflow', async () => {
		const { n8n, run, retry, paid } = open({}, [SECOND_REFUSED]);
		const first = await run(images([varying(), 'second']));
		n8n.state.faults.clear();
		const { items } = await retry(first);
		expect(paid()).toEqual(['second', 'word']);
		expect(items).toHaveLength(2);
	});

	test('and where only options were changed, or the order of fields', async () => {
		const { n8n, run, retry, paid } = open({}, [SECOND_REFUSED]);
		const fields = { a: 1, b: 2 };
		const typed = { prompt: '={{ $now }}', additionalFields: fields, options: { timeout: 5 } };
		const first = await run(images([varying(), 'second'], { node: { parameters: typed } }));
		n8n.state.faults.clear();
		const sorted = { additionalFields: { b: 2, a: 1 } };
		const retyped = { ...typed, ...sorted, options: { timeout: 600 }, waitForCompletion: true };
		await retry(first, { node: { parameters: retyped } });
		expect(paid()).toEqual(['second', 'word']);
	});
});

describe('the first execution, retried once more after a retry of it has failed', () => {
	const refused = (prompt: string, times: number): FaultRuleInput => ({
		match: { kind: 'create', bodyPattern: prompt },
		fault: { kind: 'status', status: 402 },
		times,
	});

	test('what the retry has paid for is not paid for again', async () => {
		const { run, retry, paid } = open({}, [refused('second', 1), refused('third', 1)]);
		const first = await run(images(['first', 'second', 'third']));
		const again = await retry(first);
		expect(again.error).toBeDefined();
		const { items } = await retry(first);
		expect(items.map(({ json }) => json.prompt)).toEqual(['first', 'second', 'third']);
		expect(paid()).toEqual(['first', 'second', 'third']);
	});

	test('a job that has failed in the retry is ordered anew', async () => {
		const { run, retry, paid } = open({}, [refused('bad', 1)]);
		const first = await run(images(['good', 'bad [fail]']));
		await retry(first);
		const { error } = await retry(first);
		expect(error?.message).toContain('failed');
		expect(paid()).toEqual(['bad [fail]', 'bad [fail]', 'good']);
	});

	test('nor what the first execution has paid for, where a changed workflow was retried between', async () => {
		const typed = (prompt: string) => ({ node: { parameters: { prompt } } });
		const { run, retry, paid } = open({}, [refused('third', 3), refused('last', 1)]);
		const original = images(['first', 'third'], typed('as it was'));
		const changed = images(['other', 'last'], typed('changed'));
		const first = await run(original);
		await retry(first, changed);
		await retry(first);
		expect(paid()).toEqual(['first', 'other']);
		await retry(first, changed);
		expect(paid()).toEqual(['first', 'last', 'other']);
	});

	test('nor where a row asks at random for what another row has', async () => {
		const { run, retry, paid } = open({}, [refused('missing', 2)]);
		const first = await run(images(['cat', 'dog', 'missing']));
		await retry(first);
		const { items } = await retry(first, asking('dog', 'bird', 'missing'));
		expect(items.map(({ json }) => json.prompt)).toEqual(['cat', 'dog', 'missing']);
		expect(paid()).toEqual(['cat', 'dog', 'missing']);
	});

	describe('in a later node, or a later round of a loop', () => {
		const later = (...prompts: string[]) => images(prompts, { node: { name: 'Later' } });

		/** The first node has failed; a retry of that has failed in the later one. */
		const afterTwo = async () => {
			const account = open({}, [refused('second', 1), refused('sun', 1)]);
			const { n8n, run, retry } = account;
			const first = await run(images(['first', 'second']));
			const again = await retry(first);
			const failed = await n8n.clock.run(n8n.nextNode(again, later('rain', 'snow', 'sun')));
			expect(failed.error).toBeDefined();
			const retryLater = async (...prompts: string[]) => {
				const other = await retry(first);
				const { items, hints } = await n8n.clock.run(n8n.nextNode(other, later(...prompts)));
				return { made: items.map(({ json }) => json.prompt), hints: JSON.stringify(hints) };
			};
			return { ...account, retryLater, failed };
		};

		test('what the retry has paid for there is not paid for again, whichever is retried', async () => {
			const { retryLater, retry, failed, paid } = await afterTwo();
			const { made, hints } = await retryLater('rain', 'snow', 'sun');
			expect(made).toEqual(['rain', 'snow', 'sun']);
			expect(hints).not.toContain('by no row');
			await retry(failed);
			expect(paid()).toEqual(['first', 'rain', 'second', 'snow', 'sun']);
		});

		test('a row that asks for something else has that, and what no row asks for is named', async () => {
			const { retryLater, paid, ids, idOf } = await afterTwo();
			const { made, hints } = await retryLater('fog', 'rain', 'wind');
			expect(made).toEqual(['fog', 'rain', 'wind']);
			expect(paid()).toEqual(['first', 'fog', 'rain', 'second', 'snow', 'wind']);
			const named = ids().filter((id) => hints.includes(`by no row now: job ${id}`));
			expect(named).toEqual([idOf('snow')]);
			await retryLater('snow');
			expect(paid()).toHaveLength(6);
		});

		test('nor by Retry On Fail', async () => {
			const { n8n, run, retry, paid } = open({}, [refused('second', 1), refused('sun', 2)]);
			const first = await run(images(['first', 'second']));
			const more = { node: { ...RETRY, name: 'Later' } };
			const late = [
				images(['rain', 'sun'], { node: { name: 'Later' } }),
				images(['rain', 'sun'], more),
			];
			for (const options of late) await n8n.clock.run(n8n.nextNode(await retry(first), options));
			expect(paid()).toEqual(['first', 'rain', 'second', 'sun']);
		});

		test('nor in a later round', async () => {
			const { n8n, run, retry, paid } = open({}, [refused('second', 1), refused('fourth', 1)]);
			const first = await run(images(['first', 'second']));
			for (let retries = 0; retries < 2; retries++) {
				const options = images(['third', 'fourth']);
				await n8n.clock.run(n8n.nextRun(await retry(first), options));
			}
			expect(paid()).toEqual(['first', 'fourth', 'second', 'third']);
		});
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

	test('with Execute Once, it names the jobs of the rows that it does not have any more', async () => {
		const refused = { kind: 'status', status: 402 } as const;
		const { n8n, run, retry, idOf } = open({}, [
			{ match: { kind: 'create', bodyPattern: 'dog' }, fault: refused },
		]);
		await warmUp(n8n);
		const first = await run(images(['cat', 'dog', 'fox']));
		const { items, hints } = await retry(first, images(['cat']));
		expect(items.map(({ json }) => json.jobId)).toEqual([idOf('cat')]);
		expect(hints.map(({ message }) => message)).toContain(unasked(idOf('fox')));
	});

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
			`Row 1: job ${idOf('cat')}, paid for by an earlier try`,
			expect.stringMatching(RegExp(`^Row 2: .*it may be job ${idOf('dog')}`)),
			`Row 3: job ${idOf('fox')}, paid for by an earlier try`,
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
		const { error } = await run(images(['a'], { node: RETRY }));
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

	test('beside the error of another item, the job is named, too', async () => {
		const node = { onError: 'continueRegularOutput' } as const;
		const { retry, ids, first } = await untold(['a', 'b'], { node });
		const { error } = await retry(first, { node: {} });
		expect(toldBy(error)).toContain(`${ids()[0]} (`);
		expect(toldBy(error)).toContain(ids()[1]);
	});

	test('nothing else is ordered by Retry On Fail, with On Error: Stop, while one is in doubt', async () => {
		const { run, paid } = open({}, [LOST]);
		await run(images(['a', 'b', 'c'], { node: RETRY }));
		expect(paid()).toEqual(['a']);
	});

	test('where the history does not tell, Retry On Fail sends nothing; a person is told so, and orders anew', async () => {
		const { run, retry, paid } = open({ settings: { shapes: { list: { body: 'none' } } } }, [LOST]);
		const told = await run(images(['a'], { node: RETRY }));
		expect(paid()).toEqual(['a']);
		expect(told.error?.message).toContain('Not sent again');
		expect(toldBy(told.error)).toContain('look for it with Job > Get History');
		const { hints } = await retry(told);
		expect(paid()).toEqual(['a', 'a']);
		expect(JSON.stringify(hints)).toContain(
			'an earlier creation may also have been paid for: The connection',
		);
	});

	test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'%s: ordered anew and refused, the item still says what may have been charged',
		async (onError) => {
			const { n8n, run, retry, ids } = open({}, [LOST]);
			const told = await run(images(['a'], { node: { onError } }));
			n8n.state.faults.add({ match: { kind: 'create' }, fault: { kind: 'status', status: 402 } });
			const refused = await retry(told);
			expect(textOf(refused)).toContain('n earlier creation may also have been paid for');
			expect(textOf(refused)).toContain(`it may be job ${ids()[0]}`);
			const charged = refused.items.map(({ json }) => json.charged);
			expect(charged).toEqual(onError === 'stopWorkflow' ? [] : ['unknown']);
		},
	);

	test('an item that a limit forbids says what may have been charged', async () => {
		const { run, retry, ids } = open({}, [LOST]);
		const node = { onError: 'continueRegularOutput' } as const;
		const told = await run(images(['a'], { node }));
		const { items } = await retry(told, images(['a'], { node }, { options: { maxCredits: 7 } }));
		expect(items[0]?.json).toMatchObject({ charged: 'unknown', retry: 'lookFirst' });
		expect(items[0]?.json.description).toContain(`it may be job ${ids()[0]}`);
	});
});

describe('an answer that does not say whether it was carried out', () => {
	test.each([302, 303, 307, 408, 409, 499])(
		'status %i: one creation in 5 tries',
		async (status) => {
			const { run, paid, ids } = open({}, [
				{ match: { kind: 'create' }, fault: { kind: 'status', status }, when: 'after' },
			]);
			const { error } = await run(images(['a'], { node: RETRY }));
			expect(paid()).toEqual(['a']);
			expect(toldBy(error)).toContain(ids()[0]);
		},
	);

	test.each([408, 409, 425])('status %i to a poll is waited out', async (status) => {
		const { run, paid } = open({}, [
			{ match: { kind: 'status' }, fault: { kind: 'status', status }, times: 1 },
		]);
		const { error } = await run(images(['a']));
		expect({ error, paid: paid() }).toEqual({ error: undefined, paid: ['a'] });
	});

	test('an error that names something else is not taken for the job', async () => {
		const body = { success: false, error: 'boom', id: 'req-123' };
		const { run, paid, ids } = open({}, [
			{
				match: { kind: 'create' },
				fault: { kind: 'status', status: 500, body },
				when: 'after',
				times: 1,
			},
		]);
		const { error } = await run(images(['a'], { node: RETRY }));
		expect(paid()).toEqual(['a']);
		expect(toldBy(error)).toContain(`${ids()[0]} (`);
	});
});

test('equal prompts of other sizes, answers lost: no item is given the picture of another', async () => {
	const sizes = ['1:1', '3:2', '2:3'];
	for (let seed = 0; seed < 5; seed++) {
		const { n8n, run, paid } = open({ settings: { seed } }, [{ ...LOST, times: 3 }]);
		const { items } = await run({
			...images(['cat', 'cat', 'cat'], { node: { ...RETRY, onError: 'continueRegularOutput' } }),
			parameters: (item) => ({
				resource: 'image',
				operation: 'generate',
				prompt: 'cat',
				size: sizes[item],
			}),
		});
		const given = items.map(({ json }) => n8n.state.jobs.find(String(json.jobId))?.body.size);
		expect(given.filter((size, item) => size !== undefined && size !== sizes[item])).toEqual([]);
		expect(paid()).toHaveLength(3);
	}
});

test('a job that another execution is just making is not taken', async () => {
	const { n8n, paid } = open({}, [
		{ match: { kind: 'create' }, fault: { kind: 'reset' }, when: 'before', times: 1 },
		{ match: { kind: 'create' }, fault: { kind: 'slow', ms: 6000 }, when: 'after', times: 1 },
	]);
	const lost = n8n.execute(images(['cat'], { node: RETRY }));
	const late = n8n.clock.sleep(500).then(async () => await n8n.execute(images(['cat'])));
	const [one, other] = await n8n.clock.run(Promise.all([lost, late]));
	expect(paid()).toEqual(['cat']);
	expect(one.items).toEqual([]);
	expect(other.items[0]?.json.jobId).toBe(n8n.state.jobs.list[0]?.id);
});

describe('API Key > Create', () => {
	test('the keys are in their items alone: not in the memory, nor in the error of another item', async () => {
		const { n8n, run } = open({}, [
			{
				match: { operation: 'apiKey.create', bodyPattern: 'second' },
				fault: { kind: 'status', status: 400 },
			},
		]);
		const names = ['first', 'second'];
		const parameters = (item: number) => ({
			...{ resource: 'apiKey', operation: 'create' },
			name: names[item],
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

test('a retry has the jobs that run in their places before it creates others, wherever they stand', async () => {
	const jobs = { jobMs: { min: 60_000, max: 60_000 } };
	const { n8n, run, retry, paid } = open({ settings: jobs }, [
		{
			match: { kind: 'create', bodyPattern: 'image [0-4]' },
			fault: { kind: 'status', status: 400 },
			times: 5,
		},
	]);
	const prompts = Array.from({ length: 10 }, (_, index) => `image ${index}.`);
	const node = { onError: 'continueRegularOutput' } as const;
	const first = await run(images(prompts, { node }, { options: { timeout: 20 } }));
	expect(paid()).toEqual(prompts.slice(5));
	const { items } = await retry(first, images(prompts, { node }));
	expect(items.map(({ json }) => json.status)).toEqual(Array(10).fill('completed'));
	expect(paid()).toEqual(prompts);
	expect(n8n.state.journal.entries.filter(({ status }) => status === 429)).toEqual([]);
});
