import { outputsOf, type Execution } from '../../tools/lib/n8nClient.mts';
import { jobOf } from '../support/jobOf.mts';
import { useExamples, type NodeChanges } from '../support/useExamples.mts';

/** Examples that tell apart what may become of a job. */

const { n8n, importExample, runExample } = useExamples({
	sandbox: { jobMs: { min: 0, max: 0 } },
});

jest.setTimeout(60_000);

/** Milliseconds of a job that has not ended before the test does. */
const AN_HOUR = 3_600_000;

const withPrompts = (...prompts: string[]) => ({
	Prompts: { parameters: { jsonOutput: JSON.stringify({ prompts }) } },
});

/** The JSON of all that has come to a node by whatever way. */
const itemsOf = ({ runData }: Execution, node: string) =>
	(runData[node] ?? []).flatMap(({ data }) => data.main[0] ?? []).map(({ json }) => json);

describe('errorsByKind', () => {
	const run = async (changes: NodeChanges) => {
		const execution = await runExample('errorsByKind.json', 'Start', changes);
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		return execution;
	};

	const url = (prompt: string) => `${n8n.sandbox.url}/media/${jobOf(n8n.sandbox, prompt)?.id}.png`;

	test('as it is imported: two images, and one value that is invalid', async () => {
		const execution = await run({});
		expect(itemsOf(execution, 'Finished')).toHaveLength(2);
		expect(itemsOf(execution, 'Invalid value')).toEqual([
			{ prompt: '', problem: expect.stringContaining('Prompt'), whatToDo: expect.any(String) },
		]);
	});

	test('each item goes where somebody can do something about it', async () => {
		n8n.sandbox.faults.add({
			match: { kind: 'create', bodyPattern: 'refuse' },
			fault: { kind: 'status', status: 403 },
		});
		n8n.sandbox.faults.add({
			match: { kind: 'create', bodyPattern: 'lose' },
			fault: { kind: 'reset' },
			when: 'after',
		});
		const execution = await run(withPrompts('a kite', 'a fox [fail]', '', 'refuse', 'lose'));
		expect(itemsOf(execution, 'Finished')).toEqual([{ prompt: 'a kite', imageUrl: url('a kite') }]);
		expect(itemsOf(execution, 'Job failed')).toEqual([
			{
				prompt: 'a fox [fail]',
				problem: 'The sandbox was asked to fail this generation.',
				whatToDo: expect.any(String),
				jobId: jobOf(n8n.sandbox, 'a fox [fail]')?.id,
			},
		]);
		for (const [node, ...prompts] of [
			['Invalid value', '', 'refuse'],
			['Look for the job', 'lose'],
		] as const) {
			const told = { problem: expect.any(String), whatToDo: expect.any(String) };
			const expected = prompts.map((prompt) => ({ prompt, ...told }));
			expect([node, itemsOf(execution, node)]).toEqual([node, expected]);
		}
		for (const node of ['Not enough credits', 'Refused']) {
			expect([node, itemsOf(execution, node)]).toEqual([node, []]);
		}
		expect(n8n.sandbox.account.charges).toHaveLength(3);
	});

	test.each([
		['the account has none', 0, {}],
		['they are more than the limit', 1000, { maxCredits: 7 }],
	])('not enough credits: %s', async (_, purchased, more) => {
		n8n.sandbox.account.credits.purchased = purchased;
		const execution = await run({
			...withPrompts('a kite'),
			'Make the images': { parameters: { options: { outputByStatus: true, ...more } } },
		});
		expect(itemsOf(execution, 'Not enough credits')).toHaveLength(1);
		expect(n8n.sandbox.account.charges).toEqual([]);
	});

	test('what takes too long is waited for, and not paid for again', async () => {
		n8n.sandbox.settings.jobMs = { min: 3000, max: 3000 };
		const execution = await run({
			...withPrompts('a kite', 'a fox [fail]'),
			'Make the images': { parameters: { options: { outputByStatus: true, timeout: 1 } } },
		});
		expect(outputsOf(execution, 'Make the images')[2]).toHaveLength(2);
		expect(itemsOf(execution, 'Finished')).toEqual([{ prompt: 'a kite', imageUrl: url('a kite') }]);
		expect(itemsOf(execution, 'Job failed')).toMatchObject([{ prompt: 'a fox [fail]' }]);
		expect(n8n.sandbox.account.charges).toHaveLength(2);
	});

	test('what cannot be read is waited for, too', async () => {
		n8n.sandbox.faults.add({
			match: { kind: 'status' },
			fault: { kind: 'status', status: 403 },
			times: 3,
		});
		const execution = await run(withPrompts('a kite'));
		expect(outputsOf(execution, 'What went wrong?')[0]).toHaveLength(1);
		expect(itemsOf(execution, 'Finished')).toEqual([{ prompt: 'a kite', imageUrl: url('a kite') }]);
		expect(n8n.sandbox.account.charges).toHaveLength(1);
	});

	test('what is not finished even then keeps its ID', async () => {
		n8n.sandbox.settings.jobMs = { min: AN_HOUR, max: AN_HOUR };
		const execution = await run({
			...withPrompts('a kite'),
			'Make the images': { parameters: { options: { outputByStatus: true, timeout: 1 } } },
			'Wait for it': { parameters: { options: { outputByStatus: true, timeout: 1 } } },
		});
		expect(itemsOf(execution, 'Not finished yet')).toEqual([
			{ prompt: 'a kite', jobId: n8n.sandbox.jobs[0]?.id, whatToDo: expect.any(String) },
		]);
	});

	test('jobs of an execution that was stopped are recovered by hand', async () => {
		n8n.sandbox.settings.jobMs = { min: AN_HOUR, max: AN_HOUR };
		const workflow = await importExample('errorsByKind.json', withPrompts('a kite', 'a fox'));
		const stopped = await n8n.client.runManually(workflow, 'Start');
		while (n8n.sandbox.jobs.length < 2) await n8n.clock.sleep(50);
		await n8n.client.stopExecution(stopped);
		await n8n.client.waitForExecution(stopped);

		for (const job of n8n.sandbox.jobs) job.endsAt = n8n.clock.now();
		const which = workflow.nodes.find(({ name }) => name === 'Which execution?');
		const [field] = Object(which?.parameters).assignments.assignments;
		field.value = stopped;
		const saved = await n8n.client.saveWorkflow(workflow);
		const { executionId } = await n8n.client.request('POST', `/rest/workflows/${saved.id}/run`, {
			workflowData: saved,
			destinationNode: { nodeName: 'Wait for them', mode: 'inclusive' },
		});
		const execution = await n8n.client.waitForExecution(executionId);
		const recovered = outputsOf(execution, 'Wait for them')[0] ?? [];
		expect(recovered.map(({ json }) => json.mediaUrl).sort()).toEqual(
			[url('a kite'), url('a fox')].sort(),
		);
		expect(n8n.sandbox.account.charges).toHaveLength(2);
	});
});

test('visibleLoop: each video leaves the loop when its job has ended', async () => {
	n8n.sandbox.settings.jobMs = { min: 1500, max: 3000 };
	const execution = await runExample('visibleLoop.json', 'Start', {
		...withPrompts('a kite', 'a fox [fail]'),
		'A minute': { parameters: { amount: 1 } },
	});
	expect(execution.status).toBe('success');
	const jobId = (prompt: string) => jobOf(n8n.sandbox, prompt)?.id;
	expect(itemsOf(execution, 'Completed')).toEqual([
		{
			prompt: 'a kite',
			videoUrl: `${n8n.sandbox.url}/media/${jobId('a kite')}.mp4`,
			jobId: jobId('a kite'),
		},
	]);
	expect(itemsOf(execution, 'Failed')).toEqual([
		{
			prompt: 'a fox [fail]',
			problem: 'The sandbox was asked to fail this generation.',
			jobId: jobId('a fox [fail]'),
		},
	]);
	expect(n8n.sandbox.account.charges).toHaveLength(2);
});
