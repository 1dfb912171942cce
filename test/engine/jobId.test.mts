import { runInEngine } from '../support/engine.mts';
import { useSandbox } from '../support/useSandbox.mts';

/** *Job ID* as workflows have it: picked from n8n's list, typed, and as a plain text of before. */

const sandbox = useSandbox();

const locator = (mode: string, value: string) => ({ __rl: true, mode, value });

test.each([
	['picked from the list', { ...locator('list', 'gen-1'), cachedResultName: 'a red fox' }],
	['typed', locator('id', 'gen-1')],
	['an expression', locator('id', '={{ $json.job }}')],
	['a plain text', 'gen-1'],
	['a plain expression', '={{ $json.job }}'],
	['not there: what the item says', undefined],
])('%s', async (_, jobId) => {
	await runInEngine({
		parameters: { resource: 'job', operation: 'get', ...(jobId !== undefined && { jobId }) },
		items: [{ job: 'gen-1', jobId: 'gen-1' }],
		credential: { baseUrl: sandbox.url, apiKey: sandbox.key, headerForm: 'bearer' },
	});
	expect(sandbox.journal.ofKind('status').map(({ path }) => path)).toEqual([
		'/api/v1/generate/gen-1/',
	]);
});

const read = (jobId: unknown) =>
	runInEngine({
		parameters: { resource: 'job', operation: 'get', jobId },
		credential: { baseUrl: sandbox.url, apiKey: sandbox.key, headerForm: 'bearer' },
	});

test('nothing is picked: n8n does not run the workflow', async () => {
	await expect(read(locator('list', ''))).rejects.toThrow('Parameter "Job ID" is required.');
});

test('an expression gives nothing: nothing is sent', async () => {
	await read(locator('id', '={{ $json.missing }}'));
	expect(sandbox.journal.entries).toEqual([]);
});
