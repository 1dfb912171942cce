import { storedExecutions } from '../../support/storedExecutions.mts';
import { images } from '../../support/virtualImages.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** Stop is pressed: the run ends at once, starts no more, and what is paid for is told, and kept for later. */

const SECOND = 1000;

/** From the document: "Concurrent generations: 5 per user". */
const AT_ONCE = 5;

describe.each([{}, { onError: 'continueRegularOutput' as const }])(
	'under the settings %j',
	(node) => {
		test('while jobs run: it ends at once, starts no more, names each by its row, and keeps it', async () => {
			const n8n = new VirtualN8n({ settings: { jobMs: { min: 60 * SECOND, max: 60 * SECOND } } });
			const { kept, notes, engine } = storedExecutions();
			const stop = new AbortController();
			const prompts = Array.from({ length: 8 }, (_, index) => `picture ${index + 1}`);
			const running = n8n.execute(images(prompts, { node, signal: stop.signal, engine }));
			const pressed = n8n.clock.sleep(20 * SECOND).then(() => {
				stop.abort();
				return n8n.clock.now();
			});
			const [stopped, at] = await n8n.clock.run(Promise.all([running, pressed]));
			const { endedAt, messages, id } = stopped;
			expect(endedAt - at).toBeLessThan(SECOND);
			await n8n.clock.advance(300 * SECOND);
			const { list } = n8n.state.jobs;
			expect(list).toHaveLength(AT_ONCE);
			const text = messages.find((message) => message.includes('Stopped.'));
			for (const { id: jobId, body } of list)
				expect(text).toMatch(new RegExp(`Row \\d, "${String(body.prompt)}": [^;]*${jobId}`));
			expect(kept.map(({ json }) => json.jobId).sort()).toEqual(list.map((job) => job.id).sort());
			// Whoever opens it reads whose jobs these are, and what to do.
			expect(notes).toHaveLength(1);
			expect(notes[0]).toContain(`executions/${id}`);
			expect(notes[0]).toContain('Job > Get Paid Jobs Back');
		});
	},
);

test('while a creation is under way: the error says that the job may exist', async () => {
	const n8n = new VirtualN8n({ latencyMs: { min: 2000, max: 2000 } });
	const stop = new AbortController();
	const running = n8n.execute(images(['a fox'], { signal: stop.signal }));
	void n8n.clock.sleep(3000).then(() => stop.abort());
	const { error, memory, messages } = await n8n.clock.run(running);
	expect(n8n.state.jobs.list).toHaveLength(1);
	const message = 'The connection to the service broke off before the answer';
	expect(error?.message).toBe(message);
	expect(error?.description).toContain('The job may exist and be paid for');
	expect(JSON.stringify(memory)).toContain(message);
	expect(messages.join()).toContain(message);
});

test('between two tries of Retry On Fail: what the first has paid for is told and kept, once', async () => {
	const n8n = new VirtualN8n({ settings: { jobMs: { min: SECOND, max: SECOND } } });
	const match = { kind: 'create', bodyPattern: 'second' } as const;
	n8n.state.faults.add({ match, fault: { kind: 'status', status: 403 } });
	const { kept, engine } = storedExecutions();
	const stop = new AbortController();
	const node = { retryOnFail: true, maxTries: 3, waitBetweenTries: 5000 };
	void n8n.clock.sleep(5 * SECOND).then(() => stop.abort());
	const { messages } = await n8n.run(
		images(['first', 'second'], { node, signal: stop.signal, engine }),
	);
	const { id } = n8n.state.jobs.list[0]!;
	expect(messages.filter((text) => text.includes('Stopped.') && text.includes(id))).not.toEqual([]);
	expect(kept.map(({ json }) => json.jobId)).toEqual([id]);
});

test('calls of an agent at once: each paid job is told, also if the first call to end has none', async () => {
	const n8n = new VirtualN8n({ settings: { jobMs: { min: 60 * SECOND, max: 60 * SECOND } } });
	const { engine } = storedExecutions();
	const stop = new AbortController();
	const shared = { id: '77', mode: 'manual', memory: {}, flow: {}, options: {} } as never;
	const node = { type: 'n8n-nodes-mediagen.mediaGenImageTool', name: 'Tool' } as never;
	const more = { node, mode: 'manual' as const, signal: stop.signal, engine };
	const prompts = Array.from({ length: AT_ONCE + 2 }, (_, index) => `call ${index}`);
	const calls = prompts.map(async (one) => await n8n.nextRun(shared, images([one], more)));
	void n8n.clock.sleep(8 * SECOND).then(() => stop.abort());
	const ended = await n8n.clock.run(Promise.all(calls));
	const told = ended.flatMap(({ messages }) => messages).join();
	const ids = n8n.state.jobs.list.map(({ id }) => id);
	expect([ids.length, ids.filter((id) => !told.includes(id))]).toEqual([AT_ONCE, []]);
});
