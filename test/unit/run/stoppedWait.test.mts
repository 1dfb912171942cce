import { VirtualN8n } from '../../support/virtualRun.mts';

/** Stop is pressed while jobs run at the service. */

const SECOND = 1000;

/** From the document: "Concurrent generations: 5 per user". */
const AT_ONCE = 5;

async function stopped(node = {}) {
	const n8n = new VirtualN8n({ settings: { jobMs: { min: 60 * SECOND, max: 60 * SECOND } } });
	const prompts = Array.from({ length: 8 }, (_, index) => `picture ${index + 1}`);
	const image = { resource: 'image', operation: 'generate', size: '1:1' };
	const stop = new AbortController();
	const running = n8n.execute({
		items: prompts.map(() => ({})),
		parameters: (item) => ({ ...image, prompt: prompts[item]! }),
		node,
		signal: stop.signal,
	});
	const pressed = n8n.clock.sleep(20 * SECOND).then(() => {
		stop.abort();
		return n8n.clock.now();
	});
	const [execution, pressedAt] = await n8n.clock.run(Promise.all([running, pressed]));
	await n8n.clock.advance(300 * SECOND);
	return { ...execution, jobs: n8n.state.jobs.list, lateMs: execution.endedAt - pressedAt };
}

describe.each([{}, { onError: 'continueRegularOutput' }])('under the settings %j', (node) => {
	test('the run ends at once, and starts no more', async () => {
		const { lateMs, jobs } = await stopped(node);
		expect(lateMs).toBeLessThan(SECOND);
		expect(jobs).toHaveLength(AT_ONCE);
	});

	test('each job that is paid for is named, by its row', async () => {
		const { messages, jobs } = await stopped(node);
		const text = messages.find((message) => message.includes('Stopped.'));
		for (const { id, body } of jobs)
			expect(text).toMatch(new RegExp(`Row \\d, "${String(body.prompt)}": [^;]*${id}`));
	});
});
