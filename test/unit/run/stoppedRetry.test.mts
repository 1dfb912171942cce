import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { VirtualN8n, type ExecutionOptions } from '../../support/virtualRun.mts';

/** What an earlier try has paid for while a later one has come to nothing of its own. */

const images = (
	prompts: string[],
	more: Partial<ExecutionOptions> = {},
	options: IDataObject = {},
) => ({
	items: prompts.map((prompt) => ({ prompt })),
	parameters: (item: number) => ({
		resource: 'image',
		operation: 'generate',
		size: '1:1',
		prompt: prompts[item]!,
		options,
	}),
	...more,
});

/** An n8n that starts the execution which keeps paid jobs; `kept` is what that is given. */
function keeper() {
	const kept: INodeExecutionData[] = [];
	const executeWorkflow = async (_workflow: unknown, items: INodeExecutionData[]) => {
		kept.push(...items);
		return { executionId: '101', data: [null] };
	};
	return { kept, engine: { executeWorkflow } as unknown as Partial<IExecuteFunctions> };
}

test('Stop while a run looks for what a lost creation may be: all that it has ordered is kept', async () => {
	const n8n = new VirtualN8n();
	const { faults, journal, jobs } = n8n.state;
	const match = { kind: 'create', bodyPattern: 'second' } as const;
	faults.add({ match, fault: { kind: 'reset' }, when: 'after' });
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
	'Stop under Continue: what a lost answer may have paid for is told and kept%s',
	async (_, now, ids) => {
		const n8n = new VirtualN8n();
		const { faults } = n8n.state;
		const lost = { kind: 'create', bodyPattern: 'first' } as const;
		const second = { kind: 'create', bodyPattern: 'second' } as const;
		faults.add({ match: lost, fault: { kind: 'reset' }, when: 'after', times: 1 });
		faults.add({ match: second, fault: { kind: 'status', status: 400 }, times: 1 });
		const headers = { 'retry-after': '60' };
		faults.add({ match: second, fault: { kind: 'status', status: 429, headers } });
		const { kept, engine } = keeper();
		const stop = new AbortController();
		const node = { onError: 'continueRegularOutput' as const };
		const order = images(['first', 'second'], { node, signal: stop.signal, engine });
		const first = await n8n.clock.run(n8n.execute(order));
		const press = async () => {
			await n8n.clock.sleep(20_000);
			stop.abort();
		};
		const { parameters } = images([now, 'second']);
		const again = { ...first, options: { ...first.options, parameters } };
		const [stopped] = await n8n.clock.run(Promise.all([n8n.retry(again), press()]));
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
