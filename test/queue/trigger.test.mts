import { createHash } from 'node:crypto';

import axios from 'axios';

import { TIME_LAPSE } from '../../tools/lib/lapsedTime.mts';
import { outputsOf } from '../../tools/lib/n8nClient.mts';
import {
	end,
	fired,
	firedFor,
	HASH_FILE,
	hold,
	polls,
	saveTrigger,
	startJobs,
	TRIGGER,
} from '../support/triggerRuns.mts';
import { useRealQueue } from '../support/useRealN8n.mts';

/** MediaGen Trigger in queue mode: the main process polls, the workers run what it starts. */

const n8n = useRealQueue({
	workers: 2,
	timeLapse: TIME_LAPSE,
	sandbox: { jobMs: { min: 5_000, max: 30_000 } },
});

jest.setTimeout(240_000);

beforeEach(() => {
	n8n.sandbox.account.credits.purchased = 100_000;
});

const taken = async () =>
	(await Promise.all(n8n.workers.map(async (worker) => await worker.takenExecutions()))).flat();

test('30 jobs, the main process ended and started again: it fires once for each', async () => {
	const old = await startJobs(n8n, 3);
	end(n8n, old);
	const workflow = await saveTrigger(n8n, { events: ['completed', 'failed'] });
	await n8n.client.activate(workflow);
	const first = await startJobs(n8n, 15);
	await firedFor(n8n, workflow, first.slice(0, 1));
	const [whileDown, afterwards] = [first.slice(-2, -1), first.slice(-1)];
	hold([...whileDown, ...afterwards]);
	await polls(n8n, 1);
	await n8n.kill('SIGTERM');
	end(n8n, whileDown);
	await n8n.restart();

	const second = await startJobs(n8n, 15);
	end(n8n, afterwards);
	const expected = [...first, ...second];
	await firedFor(n8n, workflow, expected);
	await polls(n8n, 2);

	const { executions, items, jobIds } = await fired(n8n, workflow);
	expect(jobIds.sort()).toEqual(expected.map(({ id }) => id).sort());
	for (const { json } of items) {
		const job = expected.find(({ id }) => id === json.jobId);
		expect(json.status).toBe(job?.outcome);
		if (job?.outcome === 'failed') expect(json.mediaUrl).toBeNull();
		else expect((await axios.get(json.mediaUrl)).status).toBe(200);
	}
	expect(executions.map(({ status }) => status)).toEqual(executions.map(() => 'success'));
	const workers = await taken();
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
	await firedFor(n8n, workflow, completed);
	const { items, next, jobIds } = await fired(n8n, workflow);
	expect(jobIds.sort()).toEqual(completed.map(({ id }) => id).sort());
	for (const [index, { json }] of items.entries()) {
		const { data } = await axios.get(json.mediaUrl, { responseType: 'arraybuffer' });
		expect(next[index]?.json.hash).toBe(createHash('sha256').update(data).digest('hex'));
	}
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
	expect(await taken()).toContain(id);
});
