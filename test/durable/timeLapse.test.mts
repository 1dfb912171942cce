import { outputsOf } from '../../tools/lib/n8nClient.mjs';
import { TIME_LAPSE } from '../../tools/lib/lapsedTime.cjs';
import type { ChainNode } from '../support/realN8n.mts';
import { useRealN8n } from '../support/useRealN8n.mts';

/** What the tests of long waits stand on: n8n's time passes faster, and goes on when n8n was killed. */

const n8n = useRealN8n({ timeLapse: TIME_LAPSE });

jest.setTimeout(120_000);

/** Longer than the 65 seconds for which n8n keeps an execution in its process. */
const WAIT: ChainNode = {
	name: 'Wait',
	type: 'n8n-nodes-base.wait',
	typeVersion: 1.1,
	parameters: { amount: 70, unit: 'seconds' },
	webhookId: '7d1f2a50-0000-4000-8000-000000000001',
};

const setTime = (name: string): ChainNode => ({
	name,
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		mode: 'raw',
		jsonOutput: '={{ { now: $now.toMillis(), date: Date.now(), made: new Date().getTime() } }}',
	},
});

const timesOf = (execution: Parameters<typeof outputsOf>[0], name: string) =>
	outputsOf(execution, name)[0]?.[0]?.json;

test('an execution that waits in the database has waited as long as it should', async () => {
	const realStart = Date.now();
	const execution = await n8n.runChain([setTime('Before'), WAIT, setTime('After')]);
	const realMs = Date.now() - realStart;
	expect(execution.status).toBe('success');
	const ms = Date.parse(execution.stoppedAt ?? '') - Date.parse(execution.startedAt);
	expect(ms).toBeGreaterThanOrEqual(70_000);
	const [before, after] = [timesOf(execution, 'Before'), timesOf(execution, 'After')];
	for (const clock of ['now', 'date', 'made']) {
		expect(after[clock] - before[clock]).toBeGreaterThanOrEqual(69_000);
	}
	console.log(`${ms / 1000} s in n8n, ${realMs / 1000} s for the machine`);
});

test('the sandbox has the same time: a job is done when it should be', async () => {
	n8n.sandbox.settings.jobMs = { min: 30_000, max: 30_000 };
	const { outputs, execution } = await n8n.run({
		parameters: { resource: 'image', operation: 'generate', prompt: 'a', size: '1:1' },
	});
	const [json] = (outputs[0] ?? []).map((item) => item.json);
	expect(json.status).toBe('completed');
	expect(json.waitedMs).toBeGreaterThanOrEqual(29_000);
	expect(Date.parse(json.completedAt) - Date.parse(json.createdAt)).toBe(30_000);
	expect(Date.parse(json.createdAt)).toBeGreaterThanOrEqual(Date.parse(execution.startedAt));
	expect(Date.parse(json.completedAt)).toBeLessThanOrEqual(Date.parse(execution.stoppedAt ?? ''));
});

test('killed while an execution waits: it goes on after the restart, in a later time', async () => {
	const id = await n8n.startChain([setTime('Before'), WAIT, setTime('After')]);
	await n8n.client.waitForExecution(id, { until: ['waiting'] });
	const killedAt = n8n.clock.now();
	await n8n.kill();
	await n8n.restart();
	const execution = await n8n.client.waitForExecution(id);
	expect(execution.status).toBe('success');
	expect(timesOf(execution, 'After').now).toBeGreaterThan(killedAt);
	// The credential is still good.
	const { execution: next } = await n8n.run({
		parameters: { resource: 'model', operation: 'list' },
	});
	expect(next.status).toBe('success');
});
