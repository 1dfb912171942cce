import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import { VirtualN8n, type ExecutionOptions } from '../../support/virtualRun.mts';

/** Stop is pressed: the run ends at once, starts no more, and what is paid for is told, and kept for later. */

const SECOND = 1000;

/** From the document: "Concurrent generations: 5 per user". */
const AT_ONCE = 5;

const images = (
	prompts: string[],
	more: Partial<ExecutionOptions> = {},
	options: IDataObject = {},
) => ({
	items: prompts.map((prompt) => ({ prompt })),
	parameters: (item: number) => ({
		...{ resource: 'image', operation: 'generate', size: '1:1', prompt: prompts[item]!, options },
	}),
	...more,
});

const lost = (prompt: string): FaultRuleInput => ({
	match: { kind: 'create', bodyPattern: prompt },
	fault: { kind: 'reset' },
	when: 'after',
	times: 1,
});

/** An n8n that starts the execution which keeps paid jobs; `kept` is what that is given. */
function keeper() {
	const kept: INodeExecutionData[] = [];
	const notes: string[] = [];
	const executeWorkflow = async ({ code }: { code: object }, items: INodeExecutionData[]) => {
		kept.push(...items);
		notes.push(JSON.stringify(code));
		return { executionId: '101', data: [null] };
	};
	return { kept, notes, engine: { executeWorkflow } as unknown as Partial<IExecuteFunctions> };
}

describe.each([{}, { onError: 'continueRegularOutput' as const }])(
	'under the settings %j',
	(node) => {
		test('while jobs run: it ends at once, starts no more, names each by its row, and keeps it', async () => {
			const n8n = new VirtualN8n({ settings: { jobMs: { min: 60 * SECOND, max: 60 * SECOND } } });
			const { kept, notes, engine } = keeper();
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

describe('while a creation is under way', () => {
	async function stoppedAfter(ms: number, options: ConstructorParameters<typeof VirtualN8n>[0]) {
		const n8n = new VirtualN8n(options);
		const stop = new AbortController();
		const running = n8n.execute(images(['a fox'], { signal: stop.signal }));
		const stopped = n8n.clock.sleep(ms).then(() => stop.abort());
		const [ran] = await n8n.clock.run(Promise.all([running, stopped]));
		return { ...ran, jobs: n8n.state.jobs.list };
	}

	test('the error says that the job may exist', async () => {
		const latencyMs = { min: 2000, max: 2000 };
		const { error, memory, messages, jobs } = await stoppedAfter(3000, { latencyMs });
		expect(jobs).toHaveLength(1);
		const message = 'The connection to the service broke off before the answer';
		expect(error?.message).toBe(message);
		expect(error?.description).toContain('The job may exist and be paid for');
		expect(JSON.stringify(memory)).toContain(message);
		expect(messages.join()).toContain(message);
	});

	test('a connection that was refused then has started no job all the same', async () => {
		const outages = [{ fromMs: 0, toMs: 1e9, code: 'ECONNREFUSED' }];
		const { error } = await stoppedAfter(100, { outages });
		expect(error?.message).toContain('cannot be reached');
	});
});

test('while a run looks for what a lost creation may be: all that it has ordered is kept', async () => {
	const n8n = new VirtualN8n();
	const { faults, journal, jobs } = n8n.state;
	faults.add(lost('second'));
	faults.add({ match: { kind: 'list' }, fault: { kind: 'slow', ms: 3000 } });
	const { kept, engine } = keeper();
	const stop = new AbortController();
	const press = async () => {
		// It has looked before, how many jobs are running.
		while (journal.ofKind('list').length < 2) await n8n.clock.sleep(50);
		stop.abort();
	};
	const order = images(['first', 'second'], { signal: stop.signal, engine });
	await n8n.clock.run(Promise.all([n8n.execute(order), press()]));
	expect(kept.map(({ json }) => json.jobId)).toEqual([jobs.list[0]!.id, null]);
});

test.each([
	['', 'first', [null, expect.any(String)]],
	[', where its row is invalid by now', '', [null]],
])(
	'under Continue: what a lost answer may have paid for is told and kept%s',
	async (_, now, ids) => {
		const n8n = new VirtualN8n();
		const { faults } = n8n.state;
		const second = { kind: 'create', bodyPattern: 'second' } as const;
		faults.add(lost('first'));
		faults.add({ match: second, fault: { kind: 'status', status: 400 }, times: 1 });
		const headers = { 'retry-after': '60' };
		faults.add({ match: second, fault: { kind: 'status', status: 429, headers } });
		const { kept, engine } = keeper();
		const stop = new AbortController();
		const node = { onError: 'continueRegularOutput' as const };
		const order = images(['first', 'second'], { node, signal: stop.signal, engine });
		const first = await n8n.clock.run(n8n.execute(order));
		void n8n.clock.sleep(20 * SECOND).then(() => stop.abort());
		const { parameters } = images([now, 'second']);
		const again = { ...first, options: { ...first.options, parameters } };
		const stopped = await n8n.clock.run(n8n.retry(again));
		const text = stopped.messages.find((message) => message.includes('Stopped.'));
		expect(text).toMatch(RegExp(`Row 1.*it may be job ${n8n.state.jobs.list[0]!.id}.*Row 2`));
		expect(kept.map(({ json }) => json.jobId)).toEqual(ids);
	},
);

test('an item that waits after a 429 is not the error when another one fails', async () => {
	const n8n = new VirtualN8n({ settings: { jobMs: { min: 3000, max: 3000 } } });
	const headers = { 'retry-after': '20' };
	const match = { kind: 'create', bodyPattern: 'last' } as const;
	n8n.state.faults.add({ match, fault: { kind: 'status', status: 429, headers } });
	const { error } = await n8n.clock.run(n8n.execute(images(['first [fail]', 'last'])));
	expect(error?.message).toContain('1 of 2 failed: row 1');
});
