import type { SavedWorkflow, WorkflowNode } from '../../tools/lib/n8nClient.mts';
import {
	end,
	expectToldOnce,
	expectToldOverRestart,
	firedFor,
	hold,
	NEXT,
	polls,
	saveTrigger,
	startJobs,
	TRIGGER,
} from '../support/triggerRuns.mts';
import { useFastN8n } from '../support/useRealN8n.mts';

/** MediaGen Trigger in a real n8n, where minutes pass ten times as fast. */

const n8n = useFastN8n({
	sandbox: { jobMs: { min: 5_000, max: 30_000 } },
});

jest.setTimeout(240_000);

const BOTH = { events: ['completed', 'failed'] };

let workflow: SavedWorkflow;

beforeEach(() => {
	n8n.sandbox.account.credits.purchased = 100_000;
});

afterEach(async () => {
	// Its polls would be those of another test.
	await n8n.client.deactivate(workflow);
});

/** Changes a node, and publishes that. */
async function edit(
	name: string,
	change: (node: WorkflowNode) => Partial<WorkflowNode>,
): Promise<void> {
	const nodes = workflow.nodes.map((node) =>
		node.name === name ? { ...node, ...change(node) } : node,
	);
	workflow = await n8n.client.saveWorkflow({ ...workflow, nodes });
	await n8n.client.activate(workflow);
}

test('30 jobs, n8n killed and started again: it fires once for each', async () => {
	workflow = await saveTrigger(n8n, BOTH);
	await expectToldOverRestart(n8n, workflow, 'SIGKILL');
});

test('an edit that is published while it is active: none twice, none lost', async () => {
	workflow = await saveTrigger(n8n, BOTH);
	await n8n.client.activate(workflow);
	const before = await startJobs(n8n, 3);
	await firedFor(n8n, workflow, before);
	const running = await startJobs(n8n, 3);
	hold(running);
	await polls(n8n, 1);
	const unpolled = await startJobs(n8n, 2);
	end(n8n, unpolled);
	// n8n registers the trigger anew.
	await edit(TRIGGER, (node) => ({ parameters: { ...node.parameters, downloadMedia: true } }));
	end(n8n, running);
	const more = await startJobs(n8n, 2);
	// n8n leaves the trigger as it is.
	await edit(NEXT, () => ({ notes: 'edited' }));
	await expectToldOnce(n8n, workflow, [...before, ...running, ...unpolled, ...more]);
});

describe('a key that the service does not take', () => {
	const MESSAGE = 'The API key is missing, invalid or revoked';

	const addWrongKey = async () =>
		await n8n.addCredential({ baseUrl: n8n.sandbox.url, apiKey: 'wrong' });

	test('n8n does not activate the workflow, and says why', async () => {
		workflow = await saveTrigger(n8n, BOTH, undefined, await addWrongKey());
		await expect(n8n.client.activate(workflow)).rejects.toThrow(MESSAGE);
	});

	test('after a restart: a failed execution, and the trigger goes on when the key is taken', async () => {
		workflow = await saveTrigger(n8n, BOTH);
		await n8n.client.activate(workflow);
		await polls(n8n, 1);
		await n8n.kill();
		n8n.sandbox.faults.add({ match: { kind: 'list' }, fault: { kind: 'status', status: 401 } });
		await n8n.restart();
		await polls(n8n, 2);
		n8n.sandbox.faults.clear();
		const jobs = await startJobs(n8n, 2);
		const { executions } = await expectToldOnce(n8n, workflow, jobs);
		const failed = executions.filter(({ status }) => status !== 'success');
		expect(failed.map(({ status, error }) => [status, error.message])).toEqual([
			['error', MESSAGE],
		]);
	});
});
