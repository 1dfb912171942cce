import { runInEngine, type EngineOptions } from '../support/engine.mts';
import { jobOf } from '../support/jobOf.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { useSandbox } from '../support/useSandbox.mts';
import { toldBy } from '../support/toldBy.mts';

/** The image node in n8n's own engine, against the sandbox over real HTTP. */

const sandbox = useSandbox({ jobMs: { min: 0, max: 0 } });

const generate = {
	resource: 'image',
	operation: 'generate',
	prompt: '={{ $json.prompt }}',
	size: '={{ $json.size || "1:1" }}',
};
const prompts = (...texts: string[]) => texts.map((prompt) => ({ prompt }));

const run = async (options: Partial<EngineOptions>) =>
	await runInEngine({
		parameters: generate,
		credential: { baseUrl: sandbox.url, apiKey: sandbox.key, headerForm: 'bearer' },
		...options,
	});

describe('generate', () => {
	test('one item out for each item in, in order and paired', async () => {
		sandbox.settings.jobMs = { min: 0, max: 900 };
		const { outputs } = await run({ items: prompts('a', 'b', 'c') });
		const [items = []] = outputs;
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		expect(items.map(({ json }) => json.jobId)).toEqual(
			['a', 'b', 'c'].map((prompt) => jobOf(sandbox, prompt)?.id),
		);
		expect(items[0]?.json).toMatchObject({
			status: 'completed',
			mediaType: 'image',
			mediaUrl: expect.stringMatching(/^http.*\.png$/),
			creditsUsed: 8,
		});
		expect(sandbox.account.charges.map(({ credits }) => credits)).toEqual([8, 8, 8]);
	});

	test('a batch larger than the limit never has more than 5 running', async () => {
		sandbox.settings.jobMs = { min: 100, max: 900 };
		const items = prompts(...Array.from({ length: 12 }, (_, index) => `image ${index}`));
		const { outputs, error } = await run({ items });
		expect(error).toBeUndefined();
		expect(outputs[0]).toHaveLength(12);
		expect(sandbox.journal.entries.filter(({ status }) => status === 429)).toEqual([]);
		expect(sandbox.account.charges).toHaveLength(12);
	});

	test.each([
		['bearer', 'Bearer '],
		['token', 'Token '],
		['key', ''],
	])('header form %s', async (headerForm, prefix) => {
		const { error } = await run({
			items: prompts('a'),
			credential: { baseUrl: sandbox.url, apiKey: sandbox.key, headerForm },
		});
		expect(error).toBeUndefined();
		expect(sandbox.journal.entries.map(({ headers }) => headers.authorization)).toEqual([
			`${prefix}${sandbox.key}`,
			`${prefix}${sandbox.key}`,
		]);
	});

	test('without waiting, the job is handed on as it was created', async () => {
		sandbox.settings.jobMs = { min: 60_000, max: 60_000 };
		const parameters = { ...generate, waitForCompletion: false };
		const { outputs } = await run({ items: prompts('a'), parameters });
		expect(outputs[0]?.[0]?.json).toMatchObject({
			jobId: sandbox.jobs[0]?.id,
			status: 'processing',
			mediaUrl: null,
			creditsUsed: 8,
			details: { creditsRemaining: 1042 },
		});
		expect(sandbox.journal.ofKind('status')).toEqual([]);
	});

	test('a Result Field without a URL: a hint names those that have one', async () => {
		const parameters = { ...generate, options: { resultField: 'result.url' } };
		const { outputs, run: whole } = await run({ items: prompts('a'), parameters });
		expect(outputs[0]?.[0]?.json).toMatchObject({ mediaUrl: null, status: 'completed' });
		expect(JSON.stringify(whole.data.resultData.runData.MediaGen?.at(-1)?.hints)).toContain(
			'no URL at result.url. It has URLs at image_url.',
		);
	});
});

describe('bad values', () => {
	test('stop the run before any request, and name the item', async () => {
		const { error } = await run({
			items: [{ prompt: 'a' }, { prompt: 'b', size: '4:3' }, { prompt: '' }],
		});
		expect(error?.message).toBe(
			'2 of 3 failed: row 2: Size (size) must be one of 1:1, 3:2, 2:3, but is "4:3"',
		);
		expect(error?.description).toContain('Nothing was sent');
		expect(toldBy(error)).toContain('Row 3: Prompt is empty');
		expect(sandbox.journal.entries).toEqual([]);
	});

	test('with Continue, the others go on', async () => {
		const { outputs } = await run({
			items: [{ prompt: 'a' }, { prompt: 'b', size: '4:3' }, { prompt: 'c' }],
			node: { onError: 'continueRegularOutput' },
		});
		expect(outputs[0]?.map(({ json }) => json.error ?? json.status)).toEqual([
			'completed',
			'Size (size) must be one of 1:1, 3:2, 2:3, but is "4:3"',
			'completed',
		]);
		expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
	});
});

describe('jobs that come to nothing', () => {
	test('a failed job stops the run; jobs already paid for are waited for and named', async () => {
		// The second must not have failed before the third is paid for.
		sandbox.settings.jobMs = { min: 500, max: 500 };
		const { error } = await run({ items: prompts('a', 'b [fail]', 'c') });
		const [first, failed, third] = sandbox.jobs;
		expect(error?.message).toContain(`1 of 3 failed: row 2, "b [fail]": Job ${failed?.id} failed`);
		expect(toldBy(error)).toContain(`Row 1, "a": job ${first?.id} completed http`);
		expect(toldBy(error)).toContain(`Row 3, "c": job ${third?.id} completed http`);
	});

	test('with the error output, it leaves by that, with its id', async () => {
		const { outputs } = await run({
			items: prompts('a', 'b [fail]'),
			node: { onError: 'continueErrorOutput' },
		});
		expect(outputs[0]?.map(({ json }) => json.status)).toEqual(['completed']);
		expect(outputs[1]?.map(({ json }) => json)).toEqual([
			expect.objectContaining({
				prompt: 'b [fail]',
				error: expect.stringContaining('failed'),
				message: expect.objectContaining({
					jobId: jobOf(sandbox, 'b [fail]')?.id,
					status: 'failed',
				}),
			}),
		]);
	});

	test('with Continue, it says why, what it cost and what to do, and Job > Get needs no more', async () => {
		const { outputs } = await run({
			items: prompts('a', 'b [fail]'),
			node: { onError: 'continueRegularOutput' },
		});
		const [finished, failed] = outputs[0] ?? [];
		const jobId = jobOf(sandbox, 'b [fail]')?.id;
		expect(finished?.json).toMatchObject({
			status: 'completed',
			details: { startedWith: 'generation' },
		});
		expect(Object.keys(failed?.json ?? {})).toEqual([
			'error',
			'status',
			'jobId',
			'charged',
			'retry',
			'errorMessage',
			'creditsUsed',
			'description',
			'prompt',
			'details',
		]);
		expect(failed?.json).toMatchObject({
			error: `Job ${jobId} failed: The sandbox was asked to fail this generation.`,
			status: 'failed',
			errorMessage: 'The sandbox was asked to fail this generation.',
			jobId,
			description: expect.stringContaining('another one costs again'),
			charged: 'yes',
			retry: 'paysAgain',
			creditsUsed: 8,
			details: { mediaType: 'image', operation: 'generate', startedWith: 'generation' },
		});
	});

	test('with the error output, an invalid item leaves by that, too', async () => {
		const { outputs } = await run({
			items: [{ prompt: 'a' }, { prompt: 'b', size: '4:3' }],
			node: { onError: 'continueErrorOutput' },
		});
		expect(outputs[0]).toHaveLength(1);
		expect(outputs[1]?.map(({ json }) => json)).toEqual([
			{
				prompt: 'b',
				size: '4:3',
				error: 'Size (size) must be one of 1:1, 3:2, 2:3, but is "4:3"',
				message: {
					status: 'failed',
					charged: 'no',
					retry: 'correctFirst',
					errorMessage: 'Size (size) must be one of 1:1, 3:2, 2:3, but is "4:3"',
					description: expect.stringContaining('Nothing was sent'),
				},
			},
		]);
	});

	test('a time-out says so, with the id', async () => {
		sandbox.settings.jobMs = { min: 60_000, max: 60_000 };
		const parameters = { ...generate, options: { timeout: 1 } };
		const { error } = await run({ items: prompts('a'), parameters });
		expect(error?.message).toBe(
			`Job ${sandbox.jobs[0]?.id} was not seen to finish within 1 seconds`,
		);
	});
});

describe('money', () => {
	test.each([
		['a 500 after the job was made', { kind: 'status', status: 500 }, 'after'],
		['a reset after the job was made', { kind: 'reset' }, 'after'],
		['garbage after the job was made', { kind: 'garbage' }, 'after'],
		['a 500 before anything happened', { kind: 'status', status: 500 }, 'before'],
	] as const)('%s: never sent again, also by Retry On Fail', async (_, fault, when) => {
		sandbox.settings.shapes.list.body = 'none';
		sandbox.faults.add({ match: { kind: 'create' }, fault, when, times: 1 });
		const { error } = await run({
			items: prompts('a'),
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
		});
		expect(sandbox.journal.ofKind('create')).toHaveLength(1);
		expect(error?.message).toContain('Not sent again');
		expect(error?.description).toContain('Job > Wait for Completion');
	});

	test('a lost answer: Retry On Fail names the job that the history shows, and pays no more', async () => {
		const match = { kind: 'create' } as const;
		sandbox.faults.add({ match, fault: { kind: 'reset' }, when: 'after', times: 1 });
		const { error } = await run({
			items: prompts('a'),
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
		});
		expect(sandbox.journal.ofKind('create')).toHaveLength(1);
		expect(error?.description).toContain(sandbox.jobs[0]?.id);
	});

	test('Retry On Fail waits for what was paid and creates only what is missing', async () => {
		sandbox.faults.add({
			match: { kind: 'create' },
			fault: { kind: 'status', status: 429 },
			times: 1,
		});
		const { error, outputs } = await run({
			items: prompts('a', 'b', 'c', 'd'),
			node: { retryOnFail: true, maxTries: 3, waitBetweenTries: 0 },
		});
		expect(error).toBeUndefined();
		expect(outputs[0]).toHaveLength(4);
		expect(sandbox.account.charges).toHaveLength(4);
	});

	test('a failed job is not paid for again by Retry On Fail', async () => {
		await run({
			items: prompts('a [fail]', 'b'),
			node: {
				retryOnFail: true,
				maxTries: 3,
				waitBetweenTries: 0,
				onError: 'continueRegularOutput',
			},
		});
		expect(sandbox.account.charges).toHaveLength(2);
	});
});

describe('the key', () => {
	test('does not follow a redirect', async () => {
		const other = await startSandbox();
		sandbox.faults.add({
			fault: { kind: 'status', status: 307, headers: { location: `${other.url}/stolen` } },
		});
		const { error } = await run({ items: prompts('a') });
		expect(error?.message).toContain('answered with status 30');
		expect(other.journal.entries).toEqual([]);
		await other.close();
	});

	test('is in no item and no error, even where the service repeats it', async () => {
		const echo = { success: false, error: `bad key ${sandbox.key}`, details: { k: sandbox.key } };
		sandbox.faults.add({
			match: { kind: 'create' },
			fault: { kind: 'status', status: 400, body: echo },
		});
		const result = await run({ items: prompts('a') });
		expect(result.error?.message).toContain('***');
		expect(JSON.stringify(result.run)).not.toContain(sandbox.key);
	});
});
