import { TIME_LAPSE } from '../../tools/lib/lapsedTime.mts';
import { parameters, prompts } from '../support/imageBatch.mts';
import { expectOwnOrInDoubt, expectPaidOnce, UNDER_WAY } from '../support/inDoubt.mts';
import { ranOf } from '../support/n8nRuns.mts';
import { expectResults, startBatch, untilParked } from '../support/parkedBatch.mts';
import { until, untilJobs } from '../support/until.mts';
import type { RealQueue } from '../support/realQueue.mts';
import { useRealQueue } from '../support/useRealN8n.mts';

/** A durable batch on n8n's workers, one of which is killed in the middle. */

/** As time passes ten times as fast, the lock of n8n's queue lasts ten minutes. */
const n8n = useRealQueue({ workers: 3, timeLapse: TIME_LAPSE });

/** Section "Limits": requests of an account in a minute. */
const BUDGET = 100;

/** Most requests in any minute. */
function mostInAMinute(): number {
	const times = n8n.sandbox.journal.entries.map(({ at }) => at);
	return Math.max(
		...times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length),
	);
}

/** Starts a batch; each job takes so long, ms. */
async function started(queue: RealQueue, count: number, jobMs: { min: number; max: number }) {
	Object.assign(queue.sandbox.settings, { jobMs, queuedMs: 0 });
	return await queue.start({
		items: prompts(count),
		parameters: { ...parameters, options: { waitMode: 'durable' } },
		settings: { onError: 'continueRegularOutput' },
	});
}

/** Kills a machine as soon as it has begun an execution. */
async function killTaker(queue: RealQueue, id: string): Promise<void> {
	for (;;) {
		for (const machine of queue.workers)
			if ((await machine.takenExecutions()).includes(id)) return await machine.kill();
		await queue.clock.sleep(200);
	}
}

test('killed while the run is parked: it goes on, on another machine', async () => {
	n8n.sandbox.settings.jobMs = { min: 200_000, max: 200_000 };
	const batch = await startBatch(n8n, 'image');
	await untilParked(n8n, batch.workflow);
	await n8n.workers[0]?.kill();
	await expectResults(n8n, batch);
}, 300_000);

test('30 images, a machine killed while it works: none twice, none lost, the limits kept', async () => {
	const workflow = await started(n8n, 30, { min: 10_000, max: 40_000 });
	const executions = async () => await n8n.client.listExecutions(workflow.id);
	const isParked = async () =>
		(await executions()).some(({ mode, status }) => mode === 'webhook' && status === 'waiting');
	await until('the batch to be parked', isParked, { seen: executions });
	await untilJobs(n8n, 12);
	// It runs in the process that has started it.
	const caller = (await executions()).find(({ mode }) => mode === 'webhook');
	await killTaker(n8n, String(caller?.id));

	const { execution, outputs } = ranOf(
		await n8n.client.waitForWorkflow(workflow, { timeout: 200_000 }),
	);
	expect(execution.status).toBe('success');
	const ordered = prompts(30).map(({ prompt }) => prompt);
	// What was under way in the worker that was killed may stay in doubt.
	const { whole, doubts } = expectOwnOrInDoubt(n8n.sandbox, outputs[0] ?? [], ordered);
	const ids = whole.map(({ json }) => String(json.jobId));
	expectPaidOnce(n8n.sandbox, ids, doubts);
	expect(mostInAMinute()).toBeLessThanOrEqual(BUDGET);
}, 300_000);

describe('n8n drops what it had stored of the worker, since its lock is short', () => {
	const short = useRealQueue({
		workers: 2,
		timeLapse: TIME_LAPSE,
		env: { QUEUE_WORKER_LOCK_DURATION: '3000', QUEUE_WORKER_STALLED_INTERVAL: '3000' },
	});

	test('nothing is paid twice, and the error names what is paid for, unless the run goes on', async () => {
		const workflow = await started(short, 12, { min: 60_000, max: 120_000 });
		await untilJobs(short, 5);
		const all = await short.client.listExecutions(workflow.id);
		const helpers = all.filter(({ mode }) => mode === 'integrated').map(({ id }) => Number(id));
		// The watcher was started before the worker, which wakes up on any machine.
		await killTaker(short, String(Math.max(...helpers)));
		const ended = await short.client.waitForWorkflow(workflow, { timeout: 250_000 });
		const { execution, outputs } = ranOf(ended);
		console.log(`${execution.status}: ${JSON.stringify(outputs[0]?.[0]?.json).slice(0, 600)}`);
		const told = JSON.stringify(outputs);
		const paid = short.sandbox.jobs.map(({ body }) => String(body.prompt));
		expect(new Set(paid).size).toBe(paid.length);
		// A row whose job nobody knows is named as one that may be paid for.
		const untold = short.sandbox.jobs.filter(({ id }) => !told.includes(id));
		if (untold.length > 0) expect(told).toContain('may be paid for, too');
		expect(untold.length).toBeLessThanOrEqual(UNDER_WAY);
	}, 300_000);
});
