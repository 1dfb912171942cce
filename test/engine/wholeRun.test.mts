import { runInEngine, type EngineOptions } from '../support/engine.mts';
import { useSandbox } from '../support/useSandbox.mts';

/**
 * What is wrong with the run as a whole, under *Continue*. A node that throws there gives n8n nothing, and n8n
 * passes the items that came in on by the first output: a workflow takes them for results.
 */

const sandbox = useSandbox({ jobMs: { min: 0, max: 0 } });

const generate = {
	resource: 'image',
	operation: 'generate',
	prompt: '={{ $json.prompt }}',
	size: '1:1',
};

const items = [
	{ prompt: 'a', seconds: '60' },
	{ prompt: 'b', seconds: '60' },
];

/** Runs it as a user who wants errors as items. */
async function run(onError: string, more: Partial<EngineOptions>) {
	const { outputs } = await runInEngine({
		parameters: generate,
		credential: { baseUrl: sandbox.url, apiKey: sandbox.key, headerForm: 'bearer' },
		items,
		...more,
		node: { onError: onError as 'continueErrorOutput', ...more.node },
	});
	const [first = [], second = []] = outputs.map((some) => some.map(({ json }) => json));
	if (onError === 'continueErrorOutput') return { results: first, errors: second };
	return {
		results: first.filter(({ error }) => error === undefined),
		errors: first.filter(({ error }) => error !== undefined),
	};
}

describe.each(['continueRegularOutput', 'continueErrorOutput'])('%s', (onError) => {
	test.each<[string, Partial<EngineOptions>, string]>([
		[
			'a Base URL that is none',
			{ credential: { baseUrl: 'ftp://example.com', apiKey: 'k' } },
			'is not an http(s) address',
		],
		[
			'an operation that the node does not have',
			{ parameters: { ...generate, operation: 'paint' } },
			'is no operation',
		],
		[
			'a resource that is an expression',
			{ parameters: { ...generate, resource: '={{ "image" }}' } },
			'n8n does not evaluate expressions in this field',
		],
	])('%s: each item fails, and leaves as such', async (_, more, message) => {
		const { results, errors } = await run(onError, more);
		expect(results).toEqual([]);
		expect(errors).toEqual(
			Array(2).fill(expect.objectContaining({ error: expect.stringContaining(message) })),
		);
		expect(sandbox.journal.entries).toEqual([]);
	});

	test.each([
		['the first', 0],
		['the last', 1],
	])('an expression under Options that n8n cannot evaluate for %s item', async (_, index) => {
		const some = items.map((item, at) => (at === index ? { ...item, seconds: undefined } : item));
		const { results, errors } = await run(onError, {
			items: some,
			parameters: {
				...generate,
				options: { timeout: "={{ $json.seconds ?? $('None').first().json.seconds }}" },
			},
		});
		expect(results).toEqual([expect.objectContaining({ status: 'completed' })]);
		expect(errors).toHaveLength(1);
		expect(sandbox.account.charges).toHaveLength(1);
	});

	test('Options that are one expression: n8n takes them for none, so no limit can hide there', async () => {
		const { results } = await run(onError, {
			parameters: { ...generate, options: '={{ { estimateOnly: true } }}' },
		});
		expect(results).toEqual(Array(2).fill(expect.not.objectContaining({ estimateOnly: true })));
	});
});
