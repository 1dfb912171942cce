import { runInEngine } from '../support/engine.mts';
import { useSandbox } from '../support/useSandbox.mts';

/** What n8n makes of expressions in resource, operation, options and switches, for each item. */

const sandbox = useSandbox({ jobMs: { min: 0, max: 0 } });

async function run(
	parameters: Record<string, unknown>,
	items: Array<Record<string, unknown>> = [{}],
) {
	const { outputs, error } = await runInEngine({
		items,
		parameters: { resource: 'image', operation: 'generate', prompt: 'a lighthouse', ...parameters },
		credential: { baseUrl: sandbox.url, apiKey: sandbox.key },
	});
	return {
		items: (outputs[0] ?? []).map(({ json }) => json),
		error,
		sent: sandbox.journal.entries.length,
		charges: sandbox.account.charges.length,
	};
}

describe('resource and operation', () => {
	test.each([
		[
			{ operation: '={{ $json.do }}' },
			'Operation is the expression {{ $json.do }}, and n8n does not evaluate expressions in this field',
			'divide them with a Switch node and give each branch a MediaGen node of its own. There are: Generate (generate)',
		],
		[
			{ resource: '={{ $json.what }}' },
			'Resource is the expression {{ $json.what }}, and n8n does not',
			'There are: Image (image), Job (job), Model (model).',
		],
		[
			{ operation: 'paint' },
			'"paint" is no operation of Image',
			'Choose one in the list. There are: Generate (generate)',
		],
		[
			{ resource: 'picture' },
			'"picture" is no resource of this node',
			'There are: Image (image), Job (job), Model (model).',
		],
	])('%j is refused before anything is sent', async (parameters, message, advice) => {
		const { error, sent } = await run(parameters, [{ do: 'generate', what: 'image' }]);
		expect(error?.message).toContain(message);
		expect(error?.description).toContain(advice);
		expect(error?.description).toContain('Nothing was sent, nothing was charged.');
		expect(sent).toBe(0);
	});
});

describe('an option by expression', () => {
	test.each([
		['timeout', [60, '60', ' 60 ']],
		['maxConcurrentJobs', [1, '1']],
		['waitMode', ['inProcess']],
		['simplify', [true, 'true', 'TRUE']],
		['binaryPropertyName', ['picture', 7]],
		['resultField', ['image_url']],
	])('%s: each item has its own, and where there is none, the default', async (name, values) => {
		const given = [...values, null, '', undefined].map((value) => ({ value }));
		const { items, error } = await run({ options: { [name]: '={{ $json.value }}' } }, given);
		expect(error).toBeUndefined();
		expect(items.map(({ status }) => status)).toEqual(given.map(() => 'completed'));
	});

	test('simplify as a text decides item by item', async () => {
		const values = [{ value: 'true' }, { value: 'false' }];
		const { items } = await run({ options: { simplify: '={{ $json.value }}' } }, values);
		expect(items.map((json) => 'mediaUrl' in json)).toEqual([true, false]);
	});

	test.each([
		['timeout', 'soon', 'Options > Timeout must be a number'],
		['timeout', true, 'Options > Timeout must be a number'],
		['maxConcurrentJobs', 6, 'Options > Max Concurrent Jobs must be between 1 and 5'],
		['waitMode', 'long', 'Options > Wait Mode must be one of inProcess, durable, but is "long"'],
		['simplify', 'maybe', 'Options > Simplify must be true or false, but is "maybe"'],
		['resultField', ['a'], 'Options > Result Field must be a text, but is ["a"]'],
	])('%s: %j in one item stops all before the first charge', async (name, value, message) => {
		const items = [{ value: undefined }, { value }];
		// Some are shown beside it only.
		const downloadMedia = true;
		const options = { downloadMedia, [name]: '={{ $json.value }}' };
		const { error, charges } = await run({ downloadMedia, options }, items);
		expect(error?.message).toContain(message);
		expect(error?.message).toContain('1 of 2 failed: row 2: ');
		expect(charges).toBe(0);
	});
});

describe('Wait for Completion by expression', () => {
	test('as a truth value or its text, and on where there is none', async () => {
		const values = [true, 'true', false, 'false', '', null, undefined];
		const { items } = await run(
			{ waitForCompletion: '={{ $json.value }}' },
			values.map((value) => ({ value })),
		);
		expect(items.map(({ status }) => status)).toEqual([
			'completed',
			'completed',
			'processing',
			'processing',
			'completed',
			'completed',
			'completed',
		]);
	});

	test('anything else stops all before the first charge', async () => {
		const items = [{ value: true }, { value: 'perhaps' }];
		const { error, charges } = await run({ waitForCompletion: '={{ $json.value }}' }, items);
		expect(error?.message).toContain('Wait for Completion must be true or false, but is "perhaps"');
		expect(error?.message).toContain('1 of 2 failed: row 2: ');
		expect(charges).toBe(0);
	});
});
