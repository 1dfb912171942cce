import { outputsOf } from '../../tools/lib/n8nClient.mts';
import { untilParked } from '../support/durableBatch.mts';
import { addressesSent, fetched, PHOTO, submitPhoto } from '../support/forms.mts';
import { untilJobs } from '../support/until.mts';
import { useFastN8n } from '../support/useRealN8n.mts';

/** A photo of a form becomes a video in an execution that is parked, in a real n8n ten times as fast. */

const n8n = useFastN8n({
	sandbox: { jobMs: { min: 300_000, max: 300_000 }, queuedMs: 0 },
});

jest.setTimeout(600_000);

const parameters = { options: { waitMode: 'durable' } };

test('the service can fetch it, also when n8n was killed meanwhile', async () => {
	n8n.sandbox.settings.shapes.record.echo = true;
	const workflow = await submitPhoto(n8n, { parameters });
	await untilJobs(n8n, 1);
	await untilParked(n8n, workflow);
	await n8n.kill();
	await n8n.restart();
	const execution = await n8n.client.waitForWorkflow(workflow, { timeout: 400_000 });
	expect({ status: execution.status, error: execution.error }).toEqual({ status: 'success' });
	const [address = ''] = addressesSent(n8n);
	expect(await fetched(address)).toEqual({ status: 200, type: 'image/png', bytes: PHOTO });
	const [[item] = []] = outputsOf(execution, 'MediaGen');
	expect(item).toBeDefined();
	expect(item?.json.mediaUrl).toBe(`${n8n.sandbox.url}/media/${n8n.sandbox.jobs[0]?.id}.mp4`);
	expect(n8n.sandbox.jobs).toHaveLength(1);
	for (const { id } of await n8n.client.listExecutions(execution.workflowId)) {
		expect(JSON.stringify(await n8n.client.getExecution(id))).not.toContain('token=ey');
	}
});
