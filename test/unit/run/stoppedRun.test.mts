import type { INodeExecutionData, IWorkflowBase } from 'n8n-workflow';

import type { Order } from '../../../nodes/shared/orders/order.ts';
import { keepPaidJobs, ordersOf } from '../../../nodes/shared/run/keep.ts';
import type { Run } from '../../../nodes/shared/run/run.ts';

/** The orders of a run that was stopped are kept by an execution of their own. */

/** An n8n that stores what is started. */
function fakeN8n() {
	const started: Array<{ workflow: IWorkflowBase; items: INodeExecutionData[] }> = [];
	const contextOf = (workflowId: string, mayStart = true, name = 'MediaGen') => ({
		getNode: () => ({ name, type: 'mediaGenImage' }),
		getWorkflow: () => ({ id: workflowId }),
		executeWorkflow: async ({ code }: { code: IWorkflowBase }, items: INodeExecutionData[]) => {
			if (!mayStart) throw new Error('The policy does not allow it');
			started.push({ workflow: code, items });
			return { executionId: String(100 + started.length), data: [null] };
		},
		getExecutionDataById: async (id: string) => {
			const one = started[Number(id) - 101];
			if (!one) return undefined;
			const name = one.workflow.nodes[0]!.name;
			return { resultData: { runData: { [name]: [{ data: { main: [one.items] } }] } } };
		},
	});
	return { started, contextOf };
}

const ordered = (row: number, outcome: Order['outcome']): Order => ({
	...{ id: `order ${row}`, run: 0, row, orderedIn: '7', execution: '7', asks: '', sentAt: 0 },
	credential: 'c',
	started: { resource: 'image', operation: 'generate', prompt: `image ${row}` },
	outcome,
});

const ORDERS = [
	ordered(0, {
		state: 'completed',
		job: { id: 'a', creation: { status: 'processing' }, startedAt: 0, status: { unknown: '' } },
	}),
	ordered(1, { state: 'unknown', why: 'no answer', answer: '{"ticket":"t-1"}' }),
];

const stopped = (executionId: string, context: object, all = ORDERS) =>
	({ context, executionId, orders: { all } }) as unknown as Run;

const recovered = async (context: object, id: string) =>
	(await ordersOf({ context } as Parameters<typeof ordersOf>[0], id)).map(({ order }) => order);

test('they are given back by the number of the stopped execution, and by that of the other, whose items show them', async () => {
	const { contextOf, started } = fakeN8n();
	expect(await keepPaidJobs(stopped('7', contextOf('w')))).toBe('101');
	expect(await recovered(contextOf('w'), '7')).toEqual(ORDERS);
	expect(await recovered(contextOf('w'), '101')).toEqual(ORDERS);
	const by = { executionId: '7', node: 'MediaGen', runIndex: 0, model: null };
	expect(started[0]?.items).toMatchObject([
		{
			json: {
				...{ mediaUrl: null, status: 'completed', jobId: 'a', itemIndex: 0, prompt: 'image 0' },
				...{ charged: 'yes', retry: 'waitForJob' },
				details: { ...by, startedWith: 'generation', createdAt: '1970-01-01T00:00:00.000Z' },
			},
		},
		{
			json: {
				...{ jobId: null, status: null, charged: 'unknown', retry: 'lookFirst', itemIndex: 1 },
				...{ prompt: 'image 1', unknownOutcome: 'no answer' },
				// It may name the job in its own way.
				details: { ...by, answer: '{"ticket":"t-1"}' },
			},
		},
	]);
});

test('another workflow gets nothing', async () => {
	const { contextOf } = fakeN8n();
	await keepPaidJobs(stopped('8', contextOf('w')));
	for (const id of ['8', '101'])
		await expect(recovered(contextOf('other'), id)).rejects.toThrow('knows no paid jobs');
});

test('those of two nodes that were stopped together are given back together', async () => {
	const { contextOf } = fakeN8n();
	await keepPaidJobs(stopped('9', contextOf('w')));
	await keepPaidJobs(stopped('9', contextOf('w', true, 'Other')));
	expect(await recovered(contextOf('w'), '9')).toHaveLength(4);
});

test('after Stop, n8n tries a node with Retry On Fail again: its jobs are kept once', async () => {
	const { contextOf, started } = fakeN8n();
	const run = stopped('15', contextOf('w'));
	expect([await keepPaidJobs(run), await keepPaidJobs(run)]).toEqual(['101', '101']);
	expect(started).toHaveLength(1);
	// Other jobs of the same node, such as those of another call of an agent's tool, are kept besides.
	await keepPaidJobs(stopped('15', contextOf('w'), ORDERS.slice(0, 1)));
	expect(started).toHaveLength(2);
});

test('where nothing was paid for, nothing is started', async () => {
	const { contextOf, started } = fakeN8n();
	expect(await keepPaidJobs(stopped('10', contextOf('w'), []))).toBeUndefined();
	expect(started).toEqual([]);
});

test('an n8n that does not let the node start one is no error', async () => {
	const context = fakeN8n().contextOf('refusing', false);
	expect(await keepPaidJobs(stopped('11', context))).toBeUndefined();
});

test('whoever opens it reads which execution was stopped, with a link, and what to do', async () => {
	const { contextOf, started } = fakeN8n();
	await keepPaidJobs(stopped('12', contextOf('w')));
	const [start, note] = started[0]!.workflow.nodes;
	expect(start?.name).toBe('MediaGen: paid jobs of execution 12');
	expect(note?.parameters.content).toContain('[execution 12](/workflow/w/executions/12)');
	expect(note?.parameters.content).toContain('Job > Get Paid Jobs Back');
	expect(note?.parameters.content).not.toContain('Job > Wait for Completion');
});
