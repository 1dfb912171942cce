import { TIME_LAPSE } from '../../tools/lib/lapsedTime.mts';
import { parameters, prompts, promptsOf } from '../support/imageBatch.mts';
import { isInDoubt, UNDER_WAY } from '../support/inDoubt.mts';
import { mostAtOnce } from '../support/mostAtOnce.mts';
import { ranOf } from '../support/n8nRuns.mts';
import { until, untilJobs } from '../support/until.mts';
import { useRealQueue } from '../support/useRealN8n.mts';

/** A durable batch on n8n's workers, one of which is killed in the middle. */

const n8n = useRealQueue({ workers: 2, timeLapse: TIME_LAPSE });

/** Section "Limits": requests of an account in a minute. */
const BUDGET = 100;

/** Most requests in any minute. */
function mostInAMinute(): number {
	const times = n8n.sandbox.journal.entries.map(({ at }) => at);
	return Math.max(
		...times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length),
	);
}

test('30 images over two workers, one killed: none twice, none lost, the limits kept', async () => {
	n8n.sandbox.settings.jobMs = { min: 10_000, max: 40_000 };
	n8n.sandbox.settings.queuedMs = 0;
	const items = prompts(30);
	const workflow = await n8n.start({
		items,
		parameters: { ...parameters, options: { waitMode: 'durable' } },
		settings: { onError: 'continueRegularOutput' },
	});
	const executions = async () => await n8n.client.listExecutions(workflow.id);
	const isParked = async () =>
		(await executions()).some(({ mode, status }) => mode === 'webhook' && status === 'waiting');
	await until('the batch to be parked', isParked, { seen: executions });
	await untilJobs(n8n, 12);
	// The one that has begun it works on it still.
	const taken = await Promise.all(
		n8n.workers.map(async (worker) => await worker.takenExecutions()),
	);
	const busy = n8n.workers.find((_, index) => taken[index]?.length);
	await busy?.kill();

	const { execution, outputs } = ranOf(
		await n8n.client.waitForWorkflow(workflow, { timeout: 200_000 }),
	);
	expect(execution.status).toBe('success');
	const [given = []] = outputs;
	expect(given).toHaveLength(30);
	// What was under way in the worker that was killed may stay in doubt.
	const doubts = items.filter((_, item) => isInDoubt(given[item])).map(({ prompt }) => prompt);
	expect(doubts.length).toBeLessThanOrEqual(UNDER_WAY);
	const whole = given.filter((item) => !isInDoubt(item));
	const ordered = items.map(({ prompt }) => prompt);
	expect(promptsOf(n8n.sandbox, whole)).toEqual(
		ordered.filter((prompt) => !doubts.includes(prompt)),
	);
	const paid = n8n.sandbox.jobs.map(({ body }) => String(body.prompt));
	expect(new Set(paid).size).toBe(paid.length);
	expect(n8n.sandbox.account.charges).toHaveLength(paid.length);
	const certain = n8n.sandbox.jobs.filter(({ body }) => !doubts.includes(String(body.prompt)));
	expect(whole.map(({ json }) => json.jobId).sort()).toEqual(certain.map(({ id }) => id).sort());
	expect(mostAtOnce(n8n.sandbox)).toBeLessThanOrEqual(5);
	expect(mostInAMinute()).toBeLessThanOrEqual(BUDGET);
}, 300_000);
