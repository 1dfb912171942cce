import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { outputsOf } from '../../tools/lib/n8nClient.mjs';
import { TIME_LAPSE } from '../../tools/lib/lapsedTime.mjs';
import type { ChainNode } from '../support/realN8n.mts';
import { useRealN8n } from '../support/useRealN8n.mts';

/** What the tests of long waits stand on: n8n's time passes faster, and goes on when n8n was killed. */

const n8n = useRealN8n({ timeLapse: TIME_LAPSE });

/**
 * Longer than the 65 seconds for which n8n keeps an execution in its process, and than n8n takes to start:
 * while it starts, it goes on with what is due, and then takes for crashed what it finds running.
 */
const WAIT_SECONDS = 300;

const WAIT: ChainNode = {
	name: 'Wait',
	type: 'n8n-nodes-base.wait',
	typeVersion: 1.1,
	parameters: { amount: WAIT_SECONDS, unit: 'seconds' },
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

const LIST = { parameters: { resource: 'model', operation: 'list' } };

/** n8n takes an execution for crashed whose begin alone is in its log, which has its end a moment after the database. */
async function untilLogged(id: string): Promise<void> {
	const log = path.join(n8n.server.userFolder, '.n8n', 'n8nEventLog.log');
	const ofTheEnd = (line: string) =>
		line.includes('"n8n.workflow.success"') && line.includes(`"executionId":"${id}"`);
	while (!(await fs.readFile(log, 'utf8')).split('\n').some(ofTheEnd)) await delay(50);
}

test('killed while an execution waits: it goes on after the restart, in a later time', async () => {
	const id = await n8n.startChain([setTime('Before'), WAIT, setTime('After')]);
	await n8n.client.waitForExecution(id, { until: ['waiting'] });
	await untilLogged(id);
	const killedAt = n8n.clock.now();
	await n8n.kill();
	await n8n.restart();
	const execution = await n8n.client.waitForExecution(id);
	expect(execution.status).toBe('success');
	const [before, after] = ['Before', 'After'].map(
		(name) => outputsOf(execution, name)[0]?.[0]?.json,
	);
	for (const clock of ['now', 'date', 'made']) {
		expect(after[clock] - before[clock]).toBeGreaterThanOrEqual((WAIT_SECONDS - 1) * 1000);
		// The test has the same time, but for a second of the machine's.
		expect(after[clock]).toBeGreaterThan(killedAt - 1000 * TIME_LAPSE);
		expect(after[clock]).toBeLessThan(n8n.clock.now() + 1000 * TIME_LAPSE);
	}
	expect(Date.parse(execution.stoppedAt ?? '')).toBeGreaterThanOrEqual(after.now);
	// The credential is still good.
	const { execution: next } = await n8n.run(LIST);
	expect(next.status).toBe('success');
}, 120_000);
