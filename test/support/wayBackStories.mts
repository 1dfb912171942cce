import { endJobs, recover, saveBatch, startOf } from './durableBatch.mts';
import { prompts } from './imageBatch.mts';
import type { N8nRuns } from './n8nRuns.mts';
import { until, untilJobs } from './until.mts';

interface Mode {
	/** Kills what works on the newest execution, and replaces it. */
	killAtWork(): Promise<void>;
	/** Whether *Get Paid Jobs Back* knows a stopped execution by its own number for certain. */
	knowsStopped: boolean;
	/** How an execution that was killed in process ends, and its retry, and the retry of that: a success has paid again. */
	killed: { status: string; retries: string[] };
}

const LONG = { min: 600_000, max: 600_000 };

/** Six images; of these, the fourth fails at the service. */
const SIX = prompts(6);
const ONE_FAILS = SIX.map(({ prompt }, index) => ({
	prompt: index === 3 ? `${prompt} [fail]` : prompt,
}));
const ALL = SIX.map(({ prompt }) => prompt);

const stateOf = (prompt: string) => (prompt.includes('[fail]') ? 'failed' : 'completed');

/** What docs/money.md says about a batch of six, tried in one of n8n's modes. */
export function wayBackStories(n8n: N8nRuns, { killAtWork, knowsStopped, killed }: Mode): void {
	jest.setTimeout(500_000);

	const paidFor = () => n8n.sandbox.jobs.map(({ body }) => String(body.prompt)).sort();

	test('one failed job: Retry On Fail orders none, Retry execution the one that failed; Recover gets what is there', async () => {
		n8n.sandbox.settings.jobMs = { min: 300, max: 300 };
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };
		const workflow = await saveBatch(n8n, { options: {}, settings });
		const id = await startOf(n8n, workflow, ONE_FAILS);
		const failed = await n8n.client.waitForExecution(id, { timeout: 120_000 });
		expect(failed.error.message).toMatch(
			/^1 of 6 failed: row 4, "image 4\. \[fail\]": Job .* failed/,
		);
		const paid = paidFor();
		expect(new Set(paid).size).toBe(paid.length);
		const { items, error } = await recover(n8n, workflow, id);
		expect(error).toBeUndefined();
		const states = items.map(({ json }) => [json.prompt, json.status]);
		expect(states.sort()).toEqual(paid.map((prompt) => [prompt, stateOf(prompt)]));
		expect(paidFor()).toEqual(paid);

		const retry = await n8n.client.retryExecution(id);
		await n8n.client.waitForExecution(retry, { timeout: 120_000 });
		const every = [...new Set([...paid, ...paidFor()])];
		expect(paidFor()).toEqual([...every, String(ONE_FAILS[3]?.prompt)].sort());
	});

	test('a stop, and a creation of unknown outcome: Recover', async () => {
		n8n.sandbox.settings.jobMs = LONG;
		n8n.sandbox.faults.add({
			match: { kind: 'create', bodyPattern: 'image 3' },
			fault: { kind: 'status', status: 500 },
			times: 1,
		});
		const settings = { onError: 'continueRegularOutput' };
		const workflow = await saveBatch(n8n, { options: {}, settings });
		const id = await startOf(n8n, workflow, SIX);
		await untilJobs(n8n, 5);
		await n8n.client.stopExecution(id);
		const keeper = async () =>
			(await n8n.client.listExecutions(workflow.id)).find(
				({ mode, status }) => mode === 'integrated' && status === 'success',
			)?.id;
		await until('what keeps the jobs', async () => Boolean(await keeper()));
		endJobs(n8n);
		const numbers = [String(await keeper()), ...(knowsStopped ? [id] : [])];
		for (const number of numbers) {
			const { items, error } = await recover(n8n, workflow, number);
			expect(error).toBeUndefined();
			expect(items.map(({ json }) => json.prompt)).toEqual(ALL);
			const states = items.map(({ json }) => json.status);
			expect(states).toEqual(ALL.map((_, item) => (item === 2 ? null : 'completed')));
			expect(items[2]?.json.unknownOutcome).toEqual(expect.any(String));
		}
		expect(n8n.sandbox.account.charges).toHaveLength(5);
	});

	test('a kill in process: n8n has forgotten the jobs; a retry names them once, the next pays again', async () => {
		n8n.sandbox.settings.jobMs = LONG;
		const workflow = await saveBatch(n8n, { options: {}, settings: {} });
		const id = await startOf(n8n, workflow, SIX);
		await untilJobs(n8n, 5);
		await killAtWork();
		endJobs(n8n);
		const until = [killed.status];
		await n8n.client.waitForExecution(id, { until, timeout: 200_000 });
		const { error } = await recover(n8n, workflow, id);
		expect(error?.message).toContain('this workflow knows no paid jobs of it');
		const paid = paidFor();
		let newest = id;
		for (const status of killed.retries) {
			newest = await n8n.client.retryExecution(newest);
			const retried = await n8n.client.waitForExecution(newest, { timeout: 120_000 });
			expect(retried.status).toBe(status);
			expect(paidFor()).toEqual([...paid, ...(status === 'success' ? ALL : [])].sort());
		}
	});
}
