import { outputsOf } from '../../tools/lib/n8nClient.mts';
import { TIME_LAPSE } from '../../tools/lib/lapsedTime.mts';
import type { ChainNode } from '../support/realN8n.mts';
import { useRealN8n } from '../support/useRealN8n.mts';

/** What the tests of long waits stand on: n8n's time passes faster, and goes on when n8n was killed. */

const n8n = useRealN8n({ timeLapse: TIME_LAPSE });

const SET_TIME: ChainNode = {
	name: 'Time',
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		mode: 'raw',
		jsonOutput: '={{ { now: $now.toMillis(), date: Date.now(), made: new Date().getTime() } }}',
	},
};

const LIST = { parameters: { resource: 'model', operation: 'list' } };

/** What n8n's clocks show now, ms since 1970; the test has the same time, but for a second of the machine's. */
async function expectTime(): Promise<number> {
	const earliest = n8n.clock.now() - 1000 * TIME_LAPSE;
	const id = await n8n.startChain([SET_TIME]);
	const execution = await n8n.client.waitForExecution(id);
	const times = outputsOf(execution, SET_TIME.name)[0]?.[0]?.json;
	for (const clock of ['now', 'date', 'made']) {
		expect(times[clock]).toBeGreaterThan(earliest);
		expect(times[clock]).toBeLessThan(n8n.clock.now() + 1000 * TIME_LAPSE);
	}
	return times.now;
}

test('killed and started again, n8n goes on in a later time', async () => {
	const before = await expectTime();
	await n8n.kill();
	const killedAt = n8n.clock.now();
	await n8n.restart();
	const after = await expectTime();
	expect(after).toBeGreaterThan(killedAt);
	expect(after - before).toBeGreaterThan(1000 * TIME_LAPSE);
	// The credential is still good.
	const { execution } = await n8n.run(LIST);
	expect(execution.status).toBe('success');
}, 120_000);
