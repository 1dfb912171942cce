import { parameters, prompts, promptsOf } from '../support/imageBatch.mts';
import { startRealN8n, type RealN8n } from '../support/realN8n.mts';

/** An n8n that does not let a node start executions. */

let n8n: RealN8n;

beforeAll(async () => {
	n8n = await startRealN8n({
		env: { NODES_EXCLUDE: JSON.stringify(['n8n-nodes-base.executeWorkflowTrigger']) },
	});
}, 180_000);

afterAll(async () => {
	await n8n?.stop();
}, 60_000);

test('the node waits in process, and says so', async () => {
	n8n.sandbox.settings.jobMs = { min: 500, max: 500 };
	const items = prompts(2);
	const { execution, outputs } = await n8n.run({
		items,
		parameters: { ...parameters, options: { waitMode: 'durable' } },
	});
	expect(execution.status).toBe('success');
	expect(promptsOf(outputs[0])).toEqual(items.map(({ prompt }) => prompt));
	expect(n8n.sandbox.account.charges).toHaveLength(2);
	const [{ hints = [] } = {}] = execution.runData.MediaGen ?? [];
	expect(hints).toHaveLength(1);
	expect(hints[0].message).toMatch(/^Waited in process, not durably: .+\.$/);
	console.log(hints[0].message);
}, 120_000);
