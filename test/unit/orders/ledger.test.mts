import type { IDataObject } from 'n8n-workflow';

import {
	entriesIn,
	Ledger,
	replacedText,
	UnknownLedger,
} from '../../../nodes/shared/orders/ledger.ts';
import type { Order } from '../../../nodes/shared/orders/order.ts';

const request = { method: 'POST' as const, path: '/x', body: { prompt: 'a' } };
const other = { ...request, body: { prompt: 'b' } };
const job = { id: 'j', status: { path: '/s', urlFields: {} }, creation: {}, startedAt: 0 };

const BY = { executionId: 'first' };
const CREATED = { kind: 'created', job } as const;
const LOST = { kind: 'lost', unknownOutcome: 'lost' } as const;
const ENDED = { kind: 'ended', job, as: 'completed' } as const;
const RUNNING = { state: 'running', job, ...BY };

test('finds a job by run and item, whatever is asked for by then', () => {
	const context = {};
	new Ledger(context, { index: 0 }).remember(1, request, CREATED, BY);
	const again = new Ledger(context, { index: 0 });
	expect(again.find(1, request)).toEqual(RUNNING);
	expect(again.find(1, other)).toEqual(RUNNING);
	expect(again.find(0, request)).toBeUndefined();
});

test('lives in the execution data, which is JSON', () => {
	const context = {};
	new Ledger(context, { index: 0 }).remember(0, request, CREATED, BY);
	const stored = JSON.parse(JSON.stringify(context));
	expect(new Ledger(stored, { index: 0 }).find(0, request)).toEqual(RUNNING);
});

test('several of a run share what they know', () => {
	const context = {};
	const [first, second] = [new Ledger(context, { index: 0 }), new Ledger(context, { index: 0 })];
	first.remember(0, request, CREATED, BY);
	expect(second.find(0)).toEqual(RUNNING);
	expect(second.jobs).toEqual([job]);
});

test('the next run of the node drops what the one before had', () => {
	const context = {};
	new Ledger(context, { index: 1 }).remember(0, request, CREATED, BY);
	const eleventh = new Ledger(context, { index: 11 });
	expect(eleventh.find(0, request)).toBeUndefined();
	expect(JSON.stringify(context)).not.toContain('"j"');
});

test('is not closed by success: n8n may run the node again', () => {
	const context = {};
	const ledger = new Ledger(context, { index: 0 });
	ledger.remember(0, request, CREATED, BY);
	ledger.remember(0, request, ENDED, BY);
	ledger.close();
	expect(new Ledger(context, { index: 0 }).find(0)).toMatchObject({ job, ended: 'completed' });
});

test('a run that has asked for an order in vain ends like any other', () => {
	const context = {};
	const ledger = new Ledger(context, { index: 3 });
	expect(ledger.find(0)).toBeUndefined();
	ledger.close();
	ledger.leave();
	expect([entriesIn(context), ledger.jobs, ledger.runIndex]).toEqual([{}, [], 3]);
	expect(entriesIn({})).toEqual({});
});

test('of creations in doubt no job is known', () => {
	const ledger = new Ledger({}, { index: 0 });
	ledger.remember(0, request, LOST, BY);
	ledger.remember(1, request, CREATED, BY);
	expect(ledger.jobs).toEqual([job]);
});

test.each<[object[] | undefined, string]>([
	[undefined, ''],
	[[], ''],
	[[{ job: 'a' }, { job: 'b' }], 'earlier jobs of this item were charged, too: jobs a, b'],
	[
		[{ unknownOutcome: 'no answer' }, { job: 'a' }, { unknownOutcome: 'status 500' }],
		'an earlier job of this item was charged, too: job a; ' +
			'an earlier creation may also have been paid for (no answer); ' +
			'an earlier creation may also have been paid for (status 500)',
	],
])('the replaced orders %j in words', (replaced, words) => {
	expect(replacedText({ replaced } as Order)).toBe(words);
});

test('no order has replaced nothing', () => {
	expect(replacedText(undefined)).toBe('');
});

const REFUSED =
	'This version cannot read what the other remembers, and starts nothing, so that nothing is paid for twice.';
const ADVICE =
	'Read the jobs that are paid for with Job > Get Status. A new run pays for all items again.';

test.each([
	[
		{ version: 2, entries: { '0:0': { job: { id: 'j1' } }, '0:1': { job: { id: 'j2' } } } },
		'j1, j2',
	],
	[{ '0:0:hash': { job: { id: 'j1' } } }, 'j1'],
])('one that another version has kept is refused, with its jobs: %j', (kept, jobs) => {
	const open = () => new Ledger({ mediaGenJobs: kept }, { index: 0 });
	expect(open).toThrow(UnknownLedger);
	const { description } = new UnknownLedger(kept);
	expect(description).toBe(`${REFUSED} Paid for: jobs ${jobs}. ${ADVICE}`);
});

test('one of another version without jobs is refused, too', () => {
	const { name, message, description } = new UnknownLedger({ version: 2, entries: {} });
	expect({ name, message, description }).toEqual({
		name: 'UnknownLedger',
		message: 'Another version of this package has started jobs in this execution',
		description: `${REFUSED} ${ADVICE}`,
	});
});

describe("an agent's tool", () => {
	const tool = (index: number, { executionId } = BY) => ({ index, isTool: true, executionId });

	test('finds the job of a call that is tried again, in a run of its own', () => {
		const context = {};
		const first = new Ledger(context, tool(0));
		first.remember(0, request, CREATED, BY);
		first.leave();
		expect(new Ledger(context, tool(1)).find(0, request)).toEqual(RUNNING);
	});

	test('finds what a call has left, however many have left nothing before it', () => {
		const context = {};
		const calls = [0, 1, 2, 3].map((index) => new Ledger(context, tool(index)));
		for (const call of calls) call.find(0, request);
		calls[3]!.remember(0, request, CREATED, BY);
		for (const call of calls) call.leave();
		expect(new Ledger(context, tool(4)).find(0, request)).toEqual(RUNNING);
	});

	test('keeps calls apart that are made at once, in the same run', () => {
		const context = {};
		new Ledger(context, tool(0)).remember(0, request, CREATED, BY);
		expect(new Ledger(context, tool(0)).find(0, other)).toBeUndefined();
	});

	test('two equal calls at once have an order each, and each is found by its retry', () => {
		const context = {};
		const [first, second] = [new Ledger(context, tool(0)), new Ledger(context, tool(0))];
		first.remember(0, request, LOST, BY);
		second.remember(0, request, CREATED, BY);
		second.close();
		second.leave();
		first.leave();
		const retried = new Ledger(context, tool(1));
		expect(retried.find(0, request)).toMatchObject({ unknownOutcome: 'lost' });
		expect(new Ledger(context, tool(2)).find(0, request)).toBeUndefined();
	});

	test('of two equal calls, the second of which was left, its retry has that one', () => {
		const context = {};
		const [first, second] = [new Ledger(context, tool(0)), new Ledger(context, tool(0))];
		first.remember(0, request, CREATED, BY);
		second.remember(0, request, LOST, BY);
		first.close();
		first.leave();
		second.leave();
		const retried = new Ledger(context, tool(1));
		expect(retried.find(0, request)).toMatchObject({ unknownOutcome: 'lost' });
	});

	test('a call goes on with its own order, though an equal one was left meanwhile', () => {
		const [context, own] = [{}, { ...job, id: 'own' }];
		const [first, second] = [new Ledger(context, tool(0)), new Ledger(context, tool(0))];
		first.find(0, request);
		second.find(0, request);
		first.remember(0, request, CREATED, BY);
		first.leave();
		second.remember(0, request, { kind: 'created', job: own }, BY);
		expect(second.find(0, request)).toMatchObject({ job: own });
		expect(second.jobs).toEqual([job, own]);
	});

	test('has nothing of what the node has done otherwise', () => {
		const context = {};
		new Ledger(context, { index: 0 }).remember(0, request, CREATED, BY);
		expect(new Ledger(context, tool(0)).jobs).toEqual([]);
	});

	test('the same call once more, after the result of the first, is another order', () => {
		const context = {};
		const first = new Ledger(context, tool(0));
		first.remember(0, request, CREATED, BY);
		first.close();
		first.leave();
		const second = new Ledger(context, tool(1));
		expect(second.find(0, request)).toBeUndefined();
		second.leave();
		expect(new Ledger(context, tool(0)).find(0, request)).toMatchObject({ job });
	});

	test('a retry of the execution, in which the agent begins anew, takes the result once', () => {
		const context = {};
		const first = new Ledger(context, tool(0));
		first.remember(0, request, CREATED, BY);
		first.close();
		const stored = JSON.parse(JSON.stringify(context));
		const retry = { executionId: 'retry' };
		const retried = new Ledger(stored, tool(1, retry));
		expect(retried.find(0, request)).toMatchObject({ job });
		retried.close();
		retried.leave();
		expect(new Ledger(stored, tool(2, retry)).find(0, request)).toBeUndefined();
	});

	test('a retry takes what each of several equal calls has made, one after another', () => {
		const context = {};
		const callAll = (kept: IDataObject, executionId: string) =>
			['one', 'two', 'three'].map((id, index) => {
				const call = new Ledger(kept, tool(index, { executionId }));
				const order = call.find(0, request);
				const event = { kind: 'created', job: { ...job, id } } as const;
				if (!order) call.remember(0, request, event, { executionId });
				call.close();
				call.leave();
				return order;
			});
		expect(callAll(context, 'first')).toEqual([undefined, undefined, undefined]);
		const taken = callAll(JSON.parse(JSON.stringify(context)), 'retry');
		const made = ['one', 'two', 'three'].map((id) => ({ job: { id } }));
		expect(taken).toMatchObject(made);
	});
});
