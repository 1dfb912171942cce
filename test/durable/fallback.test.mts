import { TIME_LAPSE } from '../../tools/lib/lapsedTime.mts';
import { parameters, prompts, promptsOf } from '../support/imageBatch.mts';
import { submitPhoto } from '../support/forms.mts';
import type { Ran } from '../support/n8nRuns.mts';
import { useRealN8n } from '../support/useRealN8n.mts';

/**
 * An n8n in which a run cannot wait durably: one that does not let a node start executions; or one
 * that is too old, named by MEDIAGEN_N8N_FOLDER. It keeps files in memory.
 */

const n8n = useRealN8n({
	timeLapse: TIME_LAPSE,
	env: {
		NODES_EXCLUDE: JSON.stringify(['n8n-nodes-base.executeWorkflowTrigger']),
		N8N_DEFAULT_BINARY_DATA_MODE: 'default',
	},
	sandbox: { jobMs: { min: 5000, max: 5000 } },
});

const inProcess = { ...parameters, downloadMedia: true, options: { waitMode: 'durable' } };

function theHint({ execution }: Ran): string {
	const [{ hints = [] } = {}] = execution.runData.MediaGen ?? [];
	const warnings = hints.filter(({ type }: { type: string }) => type === 'warning');
	expect(warnings).toHaveLength(1);
	return warnings[0].message;
}

test('the node waits in process, and says so; the next node has the results and their files', async () => {
	const items = prompts(2);
	const ran = await n8n.run({ items, parameters: inProcess });
	expect(ran.execution.status).toBe('success');
	expect(promptsOf(n8n.sandbox, ran.outputs[0])).toEqual(items.map(({ prompt }) => prompt));
	expect(ran.outputs[0]!.every(({ binary }) => binary?.data !== undefined)).toBe(true);
	expect(n8n.sandbox.account.charges).toHaveLength(2);
	expect(theHint(ran)).toMatch(/^Waited in process, not durably: .+\.$/);
	console.log(theHint(ran));
}, 120_000);

test('a file in memory has no address: nothing is paid for, and the error says what to do', async () => {
	await n8n.startAfresh();
	const workflow = await submitPhoto(n8n);
	const { error } = await n8n.client.waitForWorkflow(workflow, { until: ['error'] });
	expect(error?.message).toContain('Set N8N_DEFAULT_BINARY_DATA_MODE=filesystem');
	expect(n8n.sandbox.jobs).toEqual([]);
});
