import {
	expectOwnOrInDoubt,
	expectPaidOnce,
	expectResults,
	startBatch,
	untilParked,
} from '../support/durableBatch.mts';
import { parameters, prompts } from '../support/imageBatch.mts';
import { ranOf } from '../support/n8nRuns.mts';
import { until, untilJobs } from '../support/until.mts';
import { useFastQueue } from '../support/useRealN8n.mts';

/** A durable batch on n8n's workers, one of which is killed in the middle. */

/** As time passes ten times as fast, the lock of n8n's queue lasts ten minutes. */
const n8n = useFastQueue();

/** Section "Limits": requests of an account in a minute. */
const BUDGET = 100;

/** Most requests in any minute. */
function mostInAMinute(): number {
	const times = n8n.sandbox.journal.entries.map(({ at }) => at);
	return Math.max(
		...times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length),
	);
}

test('killed while the run is parked: it goes on, on another machine', async () => {
	n8n.sandbox.settings.jobMs = { min: 200_000, max: 200_000 };
	const batch = await startBatch(n8n, 'image');
	await untilParked(n8n, batch.workflow);
	await n8n.workers.at(-1)?.kill();
	await expectResults(n8n, batch);
}, 300_000);

test('30 images, a machine killed while it works: none twice, none lost, the limits kept', async () => {
	Object.assign(n8n.sandbox.settings, { jobMs: { min: 10_000, max: 40_000 }, queuedMs: 0 });
	const workflow = await n8n.start({
		items: prompts(30),
		parameters: { ...parameters, options: { waitMode: 'durable' } },
		settings: { onError: 'continueRegularOutput' },
	});
	const executions = async () => await n8n.client.listExecutions(workflow.id);
	const isParked = async () =>
		(await executions()).some(({ mode, status }) => mode === 'webhook' && status === 'waiting');
	await until('the batch to be parked', isParked, { seen: executions });
	await untilJobs(n8n, 12);
	// It runs in the process that has started it.
	const caller = (await executions()).find(({ mode }) => mode === 'webhook')!;
	const taker = (await n8n.taken()).findIndex((ids) => ids.includes(caller.id));
	await n8n.workers[taker]!.kill();

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
