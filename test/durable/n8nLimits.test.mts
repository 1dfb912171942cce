import { TIME_LAPSE } from '../../tools/lib/lapsedTime.mts';
import { parameters, prompts } from '../support/imageBatch.mts';
import { recover, saveBatch, startOf } from '../support/durableBatch.mts';
import { ranOf } from '../support/n8nRuns.mts';
import { until } from '../support/until.mts';
import { useRealN8n } from '../support/useRealN8n.mts';

/** n8n's own limits of executions: how many run at once, and how long one may take. */

const n8n = useRealN8n({
	timeLapse: TIME_LAPSE,
	env: { N8N_CONCURRENCY_PRODUCTION_LIMIT: '1' },
	sandbox: { jobMs: { min: 200_000, max: 200_000 }, queuedMs: 0 },
});

jest.setTimeout(300_000);

const durable = { ...parameters, options: { waitMode: 'durable' } };

/** In the time of the machine. */
const PATIENT = { timeout: 200_000 };

test('parked executions leave their places free: with one place, three wait at once', async () => {
	const workflows = [];
	for (const name of ['first', 'second', 'third']) {
		const workflow = await n8n.start({ items: prompts(1, name), parameters: durable });
		await n8n.client.waitForWorkflow(workflow, { until: ['waiting'] });
		workflows.push(workflow);
	}
	for (const workflow of workflows) {
		const { execution, outputs } = ranOf(await n8n.client.waitForWorkflow(workflow, PATIENT));
		expect(execution.status).toBe('success');
		expect(outputs[0]).toHaveLength(1);
	}
	expect(n8n.sandbox.account.charges).toHaveLength(3);
});

describe("a workflow's time-out, which n8n counts from the start of an execution", () => {
	const executionTimeout = 60;

	test('ends a wait in process; the paid jobs are kept as after Stop', async () => {
		const workflow = await n8n.start({
			items: prompts(1),
			parameters,
			workflowSettings: { executionTimeout },
		});
		const { execution, outputs } = ranOf(await n8n.client.waitForWorkflow(workflow, PATIENT));
		expect(execution.status).toBe('canceled');
		expect(outputs).toEqual([]);
		const kept = () => n8n.client.listExecutions(workflow.id);
		await until('what keeps the jobs', async () => (await kept()).length > 1, { seen: kept });
		const [newest] = await kept();
		expect(newest?.mode).toBe('integrated');
		const keeper = await n8n.client.waitForExecution(newest?.id ?? '');
		expect(JSON.stringify(keeper)).toContain(n8n.sandbox.jobs[0]?.id);
	});

	test('lets a parked execution wait, and ends it when it goes on; its jobs can be recovered', async () => {
		const workflow = await saveBatch(n8n, { workflowSettings: { executionTimeout } });
		const id = await startOf(n8n, workflow, prompts(1));
		const { execution, outputs } = ranOf(await n8n.client.waitForExecution(id, PATIENT));
		expect(execution.status).toBe('canceled');
		expect(outputs).toEqual([]);
		const [job] = n8n.sandbox.jobs;
		expect(Date.parse(execution.stoppedAt ?? '')).toBeGreaterThan(job?.endsAt ?? Infinity);
		const { items } = await recover(n8n, workflow, id, { wait: false });
		expect(items.map(({ json }) => json.jobId)).toEqual([job?.id]);
	});
});
