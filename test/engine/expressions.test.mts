import type { IDataObject } from 'n8n-workflow';

import { credentialFor, runInEngine } from '../support/engine.mts';
import type { Kind } from '../support/product.mts';
import { useSandbox } from '../support/useSandbox.mts';

/** What n8n makes of expressions, for each item: what they give, and what they lose. */

const sandbox = useSandbox({ jobMs: { min: 0, max: 0 } });

async function run(parameters: IDataObject, items: IDataObject[] = [{}], kind: Kind = 'image') {
	const { outputs, error } = await runInEngine({
		...{ items, kind, parameters },
		credential: { ...credentialFor(sandbox), ...sandbox.settings.openPaths },
	});
	return {
		items: (outputs[0] ?? []).map(({ json }) => json),
		message: error?.message,
		sent: sandbox.journal.entries.length,
		charges: sandbox.account.charges.length,
	};
}

const IMAGE = { resource: 'image', operation: 'generate', prompt: 'a lighthouse' };
const STANDARD = {
	resource: 'standardVideo',
	operation: 'generate',
	prompt: 'a video',
	waitForCompletion: false,
};

test.each([
	[
		{ operation: '={{ $json.do }}' },
		'Operation is the expression {{ $json.do }}, and n8n does not',
	],
	[{ resource: '={{ $json.what }}' }, 'Resource is the expression {{ $json.what }}, and n8n does'],
])('%j is refused, since n8n does not evaluate it: nothing is sent', async (parameters, said) => {
	const { message, sent } = await run({ ...IMAGE, ...parameters }, [{ do: 'generate' }]);
	expect(message).toContain(said);
	expect(sent).toBe(0);
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
		const options = { [name]: '={{ $json.value }}' };
		const { items, message } = await run({ ...IMAGE, options }, given as IDataObject[]);
		expect(message).toBeUndefined();
		expect(items.map(({ status }) => status)).toEqual(given.map(() => 'completed'));
	});

	test.each([
		['timeout', 'soon', 'Options > Timeout must be a number'],
		['timeout', -1, 'Options > Timeout must be 1 to 31536000, but is -1'],
		['maxConcurrentJobs', 6, 'Options > Max Concurrent Jobs must be 1 to 5'],
		['maxCredits', '', 'Options > Max Credits per Run must be a number'],
		['waitMode', 'long', 'Options > Wait Mode must be one of inProcess, durable, but is "long"'],
		['simplify', 'maybe', 'Options > Simplify must be true or false, but is "maybe"'],
		['resultField', ['a'], 'Options > Result Field must be a text, but is ["a"]'],
	])('%s: %j in one item stops all before the first charge', async (name, value, said) => {
		const valid = name === 'maxCredits' ? 100 : undefined;
		// Some are shown beside it only.
		const shown = { ...IMAGE, downloadMedia: true, options: { [name]: '={{ $json.value }}' } };
		const { message, charges } = await run(shown, [{ value: valid }, { value }]);
		expect(message).toContain(said);
		expect(message).toContain('1 of 2 failed: row 2: ');
		expect(charges).toBe(0);
	});

	test('a limit that n8n works out is kept', async () => {
		const { message, sent } = await run({ ...IMAGE, options: { maxCredits: '={{ 3 + 4 }}' } });
		expect(message).toContain('would cost 8 credits, more than Max Credits per Run (7)');
		expect(sent).toBe(0);
	});

	test('all of them as one expression: n8n takes that for none, so no limit can hide there', async () => {
		const { items } = await run({ ...IMAGE, options: '={{ { estimateOnly: true } }}' });
		expect(items).toEqual([expect.objectContaining({ status: 'completed' })]);
	});
});

test('Wait for Completion: as a truth value or its text, and on where there is none', async () => {
	const values = [true, 'true', false, 'false', '', null, undefined].map((value) => ({ value }));
	const parameters = { ...IMAGE, waitForCompletion: '={{ $json.value }}' };
	const { items } = await run(parameters, values as IDataObject[]);
	const waited = [true, true, false, false, true, true, true];
	expect(items.map(({ status }) => status)).toEqual(
		waited.map((isWaited) => (isWaited ? 'completed' : 'processing')),
	);
});

test.each<[Kind, IDataObject, string, string]>([
	['video', STANDARD, 'video_model', '={{ $json.missing }}'],
	['video', STANDARD, 'video_model', '={{ null }}'],
	['video', STANDARD, 'aspect_ratio', '={{ undefined }}'],
	['video', STANDARD, 'prompt_directory_optin', '={{ "" }}'],
	['music', { resource: 'song', operation: 'generate' }, 'prompt', '={{ $json.missing }}'],
])('%s %j: %s is refused by name where %s gives nothing', async (kind, given, name, nothing) => {
	const { message, sent } = await run({ ...given, [name]: nothing }, [{}], kind);
	expect(message).toMatch(
		new RegExp(`\\(${name}\\) is (empty|an expression that returns nothing)`),
	);
	expect(sent).toBe(0);
});

describe('Job ID', () => {
	const locator = (mode: string, value: string) => ({ __rl: true, mode, value });
	const read = async (jobId: IDataObject | string | undefined) =>
		await run({ resource: 'job', operation: 'get', ...(jobId !== undefined && { jobId }) }, [
			{ job: 'gen-1', jobId: 'gen-1' },
		]);

	test.each([
		['picked from the list', { ...locator('list', 'gen-1'), cachedResultName: 'a red fox' }],
		['typed', locator('id', 'gen-1')],
		['an expression', locator('id', '={{ $json.job }}')],
		['a plain text', 'gen-1'],
		['a plain expression', '={{ $json.job }}'],
		['not there: what the item says', undefined],
	])('%s', async (_, jobId) => {
		await read(jobId);
		expect(sandbox.journal.ofKind('status').map(({ path }) => path)).toEqual([
			'/api/v1/generate/gen-1/',
		]);
	});

	test('nothing is picked: n8n does not run the workflow', async () => {
		await expect(read(locator('list', ''))).rejects.toThrow('Parameter "Job ID" is required.');
	});

	test('an expression gives nothing: nothing is sent', async () => {
		expect((await read(locator('id', '={{ $json.missing }}'))).sent).toBe(0);
	});
});
