import { credentialFor, runInEngine, type EngineOptions } from '../support/engine.mts';
import { useSandbox } from '../support/useSandbox.mts';

/** What n8n makes of what the node gives it: pairs, outputs, errors under *On Error*, and tries of *Retry On Fail*. */

const sandbox = useSandbox({ jobMs: { min: 0, max: 0 } });

const GENERATE = {
	resource: 'image',
	operation: 'generate',
	prompt: '={{ $json.prompt }}',
	size: '={{ $json.size || "1:1" }}',
};

const run = async (more: Partial<EngineOptions>) =>
	await runInEngine({ parameters: GENERATE, credential: credentialFor(sandbox), ...more });

/** Rows of which the second fails at the service, and the third is refused before. */
const ROWS = [
	{ prompt: 'a' },
	{ prompt: 'b [fail]' },
	{ prompt: 'c', size: '4:3' },
	{ prompt: 'd' },
];

const STATUS = { ...GENERATE, options: { outputByStatus: true } };

test.each<[string, object, EngineOptions['node'], number[][]]>([
	['Continue', GENERATE, { onError: 'continueRegularOutput' }, [[0, 1, 2, 3]]],
	[
		'the error output',
		GENERATE,
		{ onError: 'continueErrorOutput' },
		[
			[0, 3],
			[1, 2],
		],
	],
	['Output by Status', STATUS, { onError: 'continueRegularOutput' }, [[0, 3], [1, 2], []]],
	['both', STATUS, { onError: 'continueErrorOutput' }, [[0, 3], [1], [], [2]]],
	['no waiting', { ...STATUS, waitForCompletion: false }, {}, [[], [], [0, 1]]],
])('%s: each item leaves where it belongs, paired', async (_, parameters, node, rows) => {
	const items = node?.onError ? ROWS : ROWS.slice(0, 2);
	const { outputs, error } = await run({ parameters: { ...parameters }, node, items });
	expect(error).toBeUndefined();
	const numbers = outputs.map((some) =>
		some.map(({ pairedItem }) => (pairedItem as { item: number }).item),
	);
	expect(numbers).toEqual(rows);
});

test('an item of the error output has what it came with, and what is told of the job', async () => {
	const { outputs } = await run({ items: ROWS, node: { onError: 'continueErrorOutput' } });
	const [job] = sandbox.jobs.filter(({ body }) => body.prompt === 'b [fail]');
	const [failed, invalid] = (outputs[1] ?? []).map(({ json }) => json);
	expect(failed).toEqual({
		prompt: 'b [fail]',
		error: expect.stringContaining('failed'),
		message: expect.objectContaining({ jobId: job?.id, status: 'failed', charged: 'yes' }),
	});
	expect(invalid).toEqual({
		...{ prompt: 'c', size: '4:3' },
		error: 'Size (size) must be one of 1:1, 3:2, 2:3, but is "4:3"',
		message: expect.objectContaining({ charged: 'no', retry: 'correctFirst' }),
	});
});

/**
 * A node that throws under *Continue* gives n8n nothing, and n8n passes the items that came in on by the first output: a
 * workflow takes them for results.
 */
describe.each(['continueRegularOutput', 'continueErrorOutput'] as const)('%s', (onError) => {
	const split = async (more: Partial<EngineOptions>) => {
		const items = [{ prompt: 'a', seconds: '60' }, { prompt: 'b' }];
		const { outputs } = await run({ items, node: { onError }, ...more });
		const all = outputs.flat().map(({ json }) => json);
		return [false, true].map((isError) =>
			all.filter(({ error }) => (error !== undefined) === isError),
		);
	};

	test.each<[string, Partial<EngineOptions>, string]>([
		[
			'a Base URL that is none',
			{ credential: { baseUrl: 'ftp://a' } },
			'is not an http(s) address',
		],
		['no such operation', { parameters: { ...GENERATE, operation: 'paint' } }, 'is no operation'],
	])('%s: each item fails, and leaves as such', async (_, more, message) => {
		const [results, errors] = await split(more);
		expect(results).toEqual([]);
		expect(errors).toHaveLength(2);
		for (const { error } of errors!) expect(error).toContain(message);
		expect(sandbox.journal.entries).toEqual([]);
	});

	test('an option that n8n cannot evaluate for one item', async () => {
		const options = { timeout: "={{ $json.seconds ?? $('None').first().json.seconds }}" };
		const [results, errors] = await split({ parameters: { ...GENERATE, options } });
		expect(results).toEqual([expect.objectContaining({ status: 'completed' })]);
		expect(errors).toHaveLength(1);
		expect(sandbox.account.charges).toHaveLength(1);
	});
});

describe('Retry On Fail', () => {
	const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 };

	test('what is paid for is waited for, what was refused is created', async () => {
		const match = { kind: 'create', bodyPattern: 'd' } as const;
		sandbox.faults.add({ match, fault: { kind: 'status', status: 403 }, times: 1 });
		const { error, outputs } = await run({ items: [{ prompt: 'a' }, { prompt: 'd' }], node });
		expect(error).toBeUndefined();
		expect(outputs[0]).toHaveLength(2);
		expect(sandbox.account.charges).toHaveLength(2);
	});
});
