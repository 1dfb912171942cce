import type { INodeExecutionData } from 'n8n-workflow';

import { runInEngine, type EngineOptions } from '../support/engine.mts';
import { useSandbox } from '../support/useSandbox.mts';

/** *Output by Status* and the guards in n8n's own engine, with its error output. */

const sandbox = useSandbox({ jobMs: { min: 0, max: 0 } });

const run = async (options: object, more: Partial<EngineOptions> = {}) =>
	await runInEngine({
		parameters: {
			resource: 'image',
			operation: 'generate',
			prompt: '={{ $json.prompt }}',
			size: '1:1',
			options,
		},
		credential: { baseUrl: sandbox.url, apiKey: sandbox.key, headerForm: 'bearer' },
		items: [{ prompt: 'a' }, { prompt: 'b [fail]' }, { prompt: '' }, { prompt: 'd' }],
		...more,
	});

const numbers = (outputs: INodeExecutionData[][]) =>
	outputs.map((items) => items.map(({ pairedItem }) => (pairedItem as { item: number }).item));

test('three outputs; an item that went wrong is on Failed', async () => {
	const { outputs, error } = await run(
		{ outputByStatus: true },
		{ node: { onError: 'continueRegularOutput' } },
	);
	expect(error).toBeUndefined();
	expect(numbers(outputs)).toEqual([[0, 3], [1, 2], []]);
	expect(outputs[1]?.[0]?.json).toMatchObject({ status: 'failed' });
});

test('with an error output, that is the last one: it has the errors, Failed the failed jobs', async () => {
	const { outputs, error } = await run(
		{ outputByStatus: true },
		{ node: { onError: 'continueErrorOutput' } },
	);
	expect(error).toBeUndefined();
	expect(numbers(outputs)).toEqual([[0, 3], [1], [], [2]]);
	expect(outputs[3]?.[0]?.json.error).toEqual(expect.any(String));
});

test('off, there is one output, and the error output is the second', async () => {
	const { outputs } = await run({}, { node: { onError: 'continueErrorOutput' } });
	expect(numbers(outputs)).toEqual([
		[0, 3],
		[1, 2],
	]);
});

test('a job that is not waited for is in progress', async () => {
	const { outputs } = await run(
		{},
		{
			parameters: {
				resource: 'image',
				operation: 'generate',
				prompt: 'a',
				size: '1:1',
				waitForCompletion: false,
				options: { outputByStatus: true },
			},
			items: [{}],
		},
	);
	expect(numbers(outputs)).toEqual([[], [], [0]]);
});

test('a limit by expression is kept, and the hint of a run is stored', async () => {
	const items = [{ prompt: 'a' }, { prompt: 'b' }];
	const over = await run({ maxCredits: '={{ 5 + 10 }}' }, { items });
	expect(over.error?.message).toContain(
		'These 2 items would cost 16 credits, more than Max Credits per Run (15)',
	);
	expect(sandbox.journal.entries).toEqual([]);

	const { run: whole } = await run({ maxCredits: '={{ 6 + 10 }}' }, { items });
	expect(whole.data.resultData.runData.MediaGen?.[0]?.hints).toEqual([
		expect.objectContaining({
			type: 'info',
			message: expect.stringMatching(/^2 jobs done, 16 credits, 1034 left, \d+ s$/),
		}),
	]);
});

test('a limit by an expression that gives nothing is refused', async () => {
	const { error } = await run({ maxCredits: '={{ $json.nothing }}' }, { items: [{ prompt: 'a' }] });
	expect(error?.message).toContain('Options > Max Credits per Run must be a number');
	expect(sandbox.journal.entries).toEqual([]);
});

test('an estimate needs no service', async () => {
	const { outputs, error } = await run(
		{ estimateOnly: true },
		{ items: [{ prompt: 'a' }], credential: { baseUrl: '', apiKey: '' } },
	);
	expect(error).toBeUndefined();
	expect(outputs[0]?.[0]?.json).toMatchObject({ credits: 8, estimateOnly: true });
	expect(sandbox.journal.entries).toEqual([]);
});
