import type {
	IDataObject,
	IExecuteFunctions,
	INodeExecutionData,
	IRunExecutionData,
} from 'n8n-workflow';

import { VirtualN8n } from '../../support/virtualRun.mts';

/** Job > Get Paid Jobs Back for an execution that was stopped. */

/** An n8n that stores the paid jobs of a stopped execution in another one. */
function keeper(): Partial<IExecuteFunctions> {
	const stored: Record<string, IRunExecutionData> = {};
	const executeWorkflow = async (
		{ code }: { code: { nodes: Array<{ name: string }> } },
		items: INodeExecutionData[],
	) => {
		const runData = { [code.nodes[0]!.name]: [{ data: { main: [items] } }] };
		stored['101'] = { resultData: { runData } } as object as IRunExecutionData;
		return { executionId: '101', data: [null] };
	};
	const getExecutionDataById = async (id: string) => stored[id];
	return { executeWorkflow, getExecutionDataById } as object as Partial<IExecuteFunctions>;
}

test('after a row that was refused, the others keep their numbers', async () => {
	const n8n = new VirtualN8n({ settings: { jobMs: { min: 60_000, max: 60_000 } } });
	n8n.state.faults.add({
		match: { kind: 'create', bodyPattern: 'a fox' },
		fault: { kind: 'status', status: 402 },
	});
	const prompts = ['a fox', 'a whale', 'a frog'];
	const image = { resource: 'image', operation: 'generate', size: '1:1' };
	const stop = new AbortController();
	const engine = keeper();
	const running = n8n.execute({
		items: prompts.map(() => ({})),
		parameters: (i): IDataObject => ({ ...image, prompt: prompts[i] }),
		node: { onError: 'continueRegularOutput' },
		signal: stop.signal,
		engine,
	});
	await n8n.clock.advance(20_000);
	stop.abort();
	const { id } = await n8n.clock.run(running);
	const jobs = n8n.state.jobs.list;
	expect(jobs.map(({ body }) => body.prompt)).toEqual(['a whale', 'a frog']);
	jobs[1]!.outcome = 'failed';
	const parameters = {
		...{ resource: 'job', operation: 'recover' },
		...{ executionId: id, downloadMedia: true },
	};
	const { items, hints } = await n8n.clock.run(n8n.execute({ items: [{}], parameters, engine }));
	expect(hints[0]?.message).toContain('1 job paid and here, 1 without a result (row 3)');
	expect(items.map(({ json, binary }) => [json.jobId, binary?.data?.fileName])).toEqual([
		[jobs[0]!.id, '02-a-whale.png'],
		[jobs[1]!.id, undefined],
	]);
	// The number of the execution that keeps them does, too, but not in another workflow: n8n would let it read them.
	const byKeeper = { ...parameters, executionId: '101' };
	const read = async (more: Partial<IExecuteFunctions>) =>
		await n8n.clock.run(
			n8n.execute({ items: [{}], parameters: byKeeper, engine: { ...engine, ...more } }),
		);
	expect((await read({})).items).toHaveLength(2);
	const other = { getWorkflow: () => ({ id: 'other', name: 'Other', active: false }) };
	const { error } = await read(other);
	expect(error?.message).toContain('this workflow knows no paid jobs of it');
});
