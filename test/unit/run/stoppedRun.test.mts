import type { IDataObject, INodeExecutionData, IWorkflowBase } from 'n8n-workflow';

import {
	keepPaidJobs,
	keptJobsOf,
	leavePaidJobs,
	takeUpPaidJobs,
} from '../../../nodes/shared/run/paidJobs.ts';
import type { Order } from '../../../nodes/shared/orders/order.ts';
import type { ItemPlan, Run } from '../../../nodes/shared/run/run.ts';
import { GENERATE_IMAGE } from '../../../nodes/shared/spec/images.ts';

/** The paid jobs of a run that was stopped are kept by an execution of their own. */

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

const plan = (itemIndex: number) =>
	({
		value: {
			itemIndex,
			operation: GENERATE_IMAGE,
			values: { prompt: `image ${itemIndex}` },
			request: {},
		} as unknown as ItemPlan,
	}) as const;

const ENTRIES: Array<Order | undefined> = [
	{
		job: { id: 'a', creation: { status: 'processing' }, startedAt: 0, status: { unknown: '' } },
		state: 'ended',
		ended: 'completed',
	},
	{ state: 'inDoubt', unknownOutcome: 'no answer', answer: '{"ticket":"t-1"}' },
	undefined,
];

const stopped = (executionId: string, context: object, entries = ENTRIES) =>
	({
		context,
		executionId,
		service: { account: 'account' },
		clock: { now: () => 0 },
		ledger: { runIndex: 0, find: (itemIndex: number) => entries[itemIndex], unasked: () => [] },
	}) as unknown as Run;

const PLANS = [plan(0), plan(1), plan(2), { error: new Error('invalid') }];

const recovered = async (context: object, id: string) =>
	await keptJobsOf(context as Parameters<typeof keptJobsOf>[0], id);

const EXPECTED: IDataObject[] = [
	{
		mediaUrl: null,
		status: 'completed',
		jobId: 'a',
		charged: 'yes',
		retry: 'waitForJob',
		itemIndex: 0,
		prompt: 'image 0',
		details: {
			mediaType: 'image',
			mediaUrls: [],
			startedWith: 'generation',
			createdAt: '1970-01-01T00:00:00.000Z',
			executionId: '7',
			node: 'MediaGen',
			runIndex: 0,
			operation: 'generate',
			model: null,
		},
	},
	{
		jobId: null,
		status: null,
		charged: 'unknown',
		retry: 'lookFirst',
		itemIndex: 1,
		prompt: 'image 1',
		unknownOutcome: 'no answer',
		details: {
			// It may name the job in its own way.
			answer: '{"ticket":"t-1"}',
			executionId: '7',
			node: 'MediaGen',
			runIndex: 0,
			model: null,
		},
	},
];

test('they are given back by the number of the stopped execution, and by that of the other', async () => {
	const { contextOf } = fakeN8n();
	const id = await keepPaidJobs(stopped('7', contextOf('w')), PLANS);
	expect(id).toBe('101');
	expect(await recovered(contextOf('w'), '7')).toEqual(EXPECTED);
	expect(await recovered(contextOf('w'), '101')).toEqual(EXPECTED);
});

test('another workflow gets nothing', async () => {
	const { contextOf } = fakeN8n();
	await keepPaidJobs(stopped('8', contextOf('w')), PLANS);
	expect(await recovered(contextOf('other'), '8')).toBeUndefined();
	expect(await recovered(contextOf('other'), '101')).toBeUndefined();
});

test('those of two nodes that were stopped together are given back together', async () => {
	const { contextOf } = fakeN8n();
	await keepPaidJobs(stopped('9', contextOf('w')), PLANS);
	await keepPaidJobs(stopped('9', contextOf('w', true, 'Other')), PLANS);
	expect(await recovered(contextOf('w'), '9')).toHaveLength(4);
});

test('after Stop, n8n tries a node with Retry On Fail again: its jobs are kept once', async () => {
	const { contextOf, started } = fakeN8n();
	const run = stopped('15', contextOf('w'));
	const ids = [await keepPaidJobs(run, PLANS), await keepPaidJobs(run, PLANS)];
	expect(ids).toEqual(['101', '101']);
	expect(started).toHaveLength(1);
	expect(await recovered(contextOf('w'), '15')).toEqual(await recovered(contextOf('w'), '101'));
	// Other jobs of the same node, such as those of another call of an agent's tool, are kept besides.
	await keepPaidJobs(stopped('15', contextOf('w'), [ENTRIES[0]]), PLANS);
	expect(started).toHaveLength(2);
});

test('where nothing was paid for, nothing is started', async () => {
	const { contextOf, started } = fakeN8n();
	expect(await keepPaidJobs(stopped('10', contextOf('w'), []), PLANS)).toBeUndefined();
	expect(started).toEqual([]);
});

test('an n8n that does not let the node start one is no error, and it is none to pick from', async () => {
	const { contextOf } = fakeN8n();
	const context = contextOf('refusing', false);
	expect(await keepPaidJobs(stopped('11', context), PLANS)).toBeUndefined();
});

test('whoever opens it reads which execution was stopped, with a link, and what to do', async () => {
	const { contextOf, started } = fakeN8n();
	await keepPaidJobs(stopped('12', contextOf('w')), PLANS);
	const [start, note] = started[0]!.workflow.nodes;
	expect(start?.name).toBe('MediaGen: paid jobs of execution 12');
	expect(note?.parameters.content).toContain('[execution 12](/workflow/w/executions/12)');
	expect(note?.parameters.content).toContain('Job > Get Paid Jobs Back');
	expect(note?.parameters.content).not.toContain('Job > Wait for Completion');
});

test('what a run that has failed leaves is gone when it goes on', async () => {
	const memory: IDataObject = {};
	const context = { ...fakeN8n().contextOf('w'), getContext: () => memory };
	leavePaidJobs(stopped('14', context), PLANS);
	expect(Object.keys(memory)).toHaveLength(1);
	takeUpPaidJobs(stopped('14', context));
	expect(memory).toEqual({});
});
