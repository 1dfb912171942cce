import { TIME_LAPSE } from '../../tools/lib/lapsedTime.mts';
import { outputsOf } from '../../tools/lib/n8nClient.mts';
import { prompts } from '../support/imageBatch.mts';
import { recoverableWorkflow } from '../support/recoverable.mts';
import { until, untilJobs } from '../support/until.mts';
import { useRealN8n } from '../support/useRealN8n.mts';

/** An execution that waits durably, and for which nobody works any more. */

const n8n = useRealN8n({ timeLapse: TIME_LAPSE });

const PATH = 'recover';

test('its paid jobs are given back', async () => {
	n8n.sandbox.settings.jobMs = { min: 300_000, max: 300_000 };
	const items = prompts(7);
	const saved = await n8n.client.createWorkflow(recoverableWorkflow(PATH, n8n.credential));
	await n8n.client.activate(saved);
	await n8n.client.callWebhook(PATH, { items });
	const parked = await n8n.client.waitForWorkflow(saved, { until: ['waiting'] });
	await untilJobs(n8n, 5);
	const helpers = async () =>
		(await n8n.client.listExecutions(saved.id)).filter(({ mode }) => mode === 'integrated');
	// The worker and its watcher; parked, they can be stopped.
	const isParked = (all: Array<{ status: string }>) =>
		all.length === 2 && all.every(({ status }) => status === 'waiting');
	await until('two parked helpers', async () => isParked(await helpers()), {
		seen: helpers,
		everyMs: 100,
	});
	for (const { id } of await helpers()) await n8n.client.stopExecution(id);

	const started = Date.now();
	await n8n.client.callWebhook(PATH, { items: [{ executionId: parked.id }] });
	const isRecovery = ({ id, mode }: { id: string; mode: string }) =>
		mode !== 'integrated' && id !== parked.id;
	let recovery;
	do {
		await n8n.clock.sleep(1000);
		recovery = (await n8n.client.listExecutions(saved.id)).find(isRecovery);
	} while (recovery?.status !== 'success' && Date.now() - started < 60_000);
	const execution = await n8n.client.getExecution(String(recovery?.id));
	const [recovered = []] = outputsOf(execution, 'Recover');
	const paid = n8n.sandbox.jobs.map(({ id }) => id).sort();
	expect(execution.error).toBeUndefined();
	expect(recovered.map(({ json }) => json.jobId).sort()).toEqual(paid);
	expect((await n8n.client.getExecution(parked.id)).status).toBe('waiting');
	expect(n8n.sandbox.account.charges).toHaveLength(5);
}, 240_000);
