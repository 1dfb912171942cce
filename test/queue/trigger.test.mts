import { outputsOf } from '../../tools/lib/n8nClient.mts';
import {
	end,
	expectHashed,
	expectToldOnce,
	expectToldOverRestart,
	HASH_FILE,
	saveTrigger,
	startJobs,
	TRIGGER,
} from '../support/triggerRuns.mts';
import { useFastQueue } from '../support/useRealN8n.mts';

/** MediaGen Trigger in queue mode: the main process polls, the workers run what it starts. */

const n8n = useFastQueue({
	sandbox: { jobMs: { min: 5_000, max: 30_000 } },
});

jest.setTimeout(240_000);

beforeEach(() => {
	n8n.sandbox.account.credits.purchased = 100_000;
});

test('30 jobs, the main process ended and started again: it fires once for each', async () => {
	const workflow = await saveTrigger(n8n, { events: ['completed', 'failed'] });
	const { executions } = await expectToldOverRestart(n8n, workflow, 'SIGTERM');
	const workers = (await n8n.taken()).flat();
	for (const { id } of executions) expect(workers).toContain(id);
	await n8n.client.deactivate(workflow);
});

test('a file that the main process has downloaded reaches the next node on a worker', async () => {
	const workflow = await saveTrigger(
		n8n,
		{ events: ['completed'], downloadMedia: true },
		HASH_FILE,
	);
	await n8n.client.activate(workflow);
	const jobs = await startJobs(n8n, 3);
	const completed = jobs.filter(({ outcome }) => outcome === 'completed');
	await expectHashed(await expectToldOnce(n8n, workflow, completed));
	await n8n.client.deactivate(workflow);
});

test('Fetch Test Event, on a worker', async () => {
	const jobs = await startJobs(n8n, 2);
	end(n8n, jobs);
	const workflow = await saveTrigger(n8n, { events: ['completed'] });
	const id = await n8n.client.runManually(workflow, TRIGGER);
	const [items = []] = outputsOf(await n8n.client.waitForExecution(id), TRIGGER);
	const completed = jobs.filter(({ outcome }) => outcome === 'completed');
	expect(items.map(({ json }) => json.jobId)).toEqual(completed.map((job) => job.id));
	expect((await n8n.taken()).flat()).toContain(id);
});
