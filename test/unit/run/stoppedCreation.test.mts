import type { NetworkOptions } from '../../support/virtualNetwork.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** Stop is pressed while a creation has been sent, and its answer is still to come. */

const parameters = { resource: 'image', operation: 'generate', prompt: 'a fox', size: '1:1' };

async function stoppedAfter(ms: number, options: NetworkOptions) {
	const n8n = new VirtualN8n(options);
	const stop = new AbortController();
	const running = n8n.execute({ items: [{}], parameters, signal: stop.signal });
	const stopped = n8n.clock.sleep(ms).then(() => stop.abort());
	const [ran] = await n8n.clock.run(Promise.all([running, stopped]));
	return { ...ran, jobs: n8n.state.jobs.list };
}

test('the error says that, and that the job may exist, and blames no connection', async () => {
	const latencyMs = { min: 2000, max: 2000 };
	const { error, memory, messages, jobs } = await stoppedAfter(3000, { latencyMs });
	expect(jobs).toHaveLength(1);
	const message = 'The execution was stopped before the service had answered';
	expect(error?.message).toBe(message);
	expect(error?.description).toContain('The job may exist and be paid for');
	expect(error?.description).not.toContain('network');
	expect(JSON.stringify(memory)).toContain(message);
	expect(messages.join()).toContain(message);
});

test('a connection that was refused then has started no job all the same', async () => {
	const outages = [{ fromMs: 0, toMs: 1e9, code: 'ECONNREFUSED' }];
	const { error } = await stoppedAfter(100, { outages });
	expect(error?.message).toContain('the connection was refused');
});
