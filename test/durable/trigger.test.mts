import { buffer } from 'node:stream/consumers';

import axios from 'axios';

import { TIME_LAPSE } from '../../tools/lib/lapsedTime.mts';
import type { SavedWorkflow, WorkflowNode } from '../../tools/lib/n8nClient.mts';
import {
	end,
	expectHashed,
	expectToldOnce,
	expectToldOverRestart,
	firedFor,
	hold,
	LAST_LIST,
	NEXT,
	polls,
	HASH_FILE,
	saveTrigger,
	startJobs,
	TRIGGER,
} from '../support/triggerRuns.mts';
import { useRealN8n } from '../support/useRealN8n.mts';

/** MediaGen Trigger in a real n8n, where minutes pass ten times as fast. */

const n8n = useRealN8n({
	timeLapse: TIME_LAPSE,
	// As by default, but for older versions.
	env: { N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem' },
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

test.each(['SIGTERM', 'SIGKILL'] as const)(
	'30 jobs, n8n ended by %s and started again: it fires once for each',
	async (signal) => {
		workflow = await saveTrigger(n8n, BOTH);
		await expectToldOverRestart(n8n, workflow, signal);
	},
);

test('deactivated and activated again: it fires for nothing that ended before', async () => {
	workflow = await saveTrigger(n8n, BOTH);
	await n8n.client.activate(workflow);
	const before = await startJobs(n8n, 3);
	await firedFor(n8n, workflow, before);
	await n8n.client.deactivate(workflow);
	const meanwhile = await startJobs(n8n, 3);
	end(n8n, meanwhile);
	await n8n.client.activate(workflow);
	const after = await startJobs(n8n, 3);
	await expectToldOnce(n8n, workflow, [...before, ...after]);
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

	test('n8n does not publish an edit with it, and says why', async () => {
		workflow = await saveTrigger(n8n, BOTH);
		await n8n.client.activate(workflow);
		const { id, name } = await addWrongKey();
		// Between two polls, where nothing else takes of the 15 s that n8n gives a try to publish.
		await polls(n8n, 1);
		const edited = edit(TRIGGER, () => ({ credentials: { mediaGenApi: { id, name } } }));
		await expect(edited).rejects.toThrow(MESSAGE);
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

test('a service that is down: two polls pass in silence, then one failed execution says so', async () => {
	workflow = await saveTrigger(n8n, BOTH);
	await n8n.client.activate(workflow);
	n8n.sandbox.faults.add({ match: { kind: 'list' }, fault: { kind: 'status', status: 503 } });
	const jobs = await startJobs(n8n, 3);
	end(n8n, jobs);
	await polls(n8n, 5);
	n8n.sandbox.faults.clear();
	const { executions } = await expectToldOnce(n8n, workflow, jobs);
	const failed = executions.filter(({ status }) => status !== 'success');
	expect(failed.map(({ status, error }) => [status, error.message])).toEqual([
		['error', 'The service, or a proxy in front of it, answered with status 503'],
	]);
	const shownAt = Date.parse(failed[0]!.stoppedAt!);
	const inVain = n8n.sandbox.journal.to(LAST_LIST).filter(({ status }) => status === 503);
	// Polls are a minute apart, and the clocks of n8n and the sandbox agree to some seconds.
	expect(inVain.filter(({ at }) => at < shownAt + 30_000)).toHaveLength(3);
});

test('a downloaded file reaches the next node', async () => {
	workflow = await saveTrigger(n8n, { events: ['completed'], downloadMedia: true }, HASH_FILE);
	await n8n.client.activate(workflow);
	const jobs = await startJobs(n8n, 3);
	const completed = jobs.filter(({ outcome }) => outcome === 'completed');
	const told = await expectToldOnce(n8n, workflow, completed);
	await expectHashed(told);
	for (const { json, binary } of told.items) {
		const { data } = await axios.get(json.mediaUrl, { responseType: 'arraybuffer' });
		// As the editor's download button gets it.
		const file = await buffer(await n8n.client.download(binary.data));
		expect(file.equals(data)).toBe(true);
	}
});
