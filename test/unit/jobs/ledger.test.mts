import { Ledger, UnknownLedger } from '../../../nodes/shared/jobs/ledger.ts';

const request = { method: 'POST' as const, path: '/x', body: { prompt: 'a' } };
const other = { ...request, body: { prompt: 'b' } };
const job = { id: 'j', status: { path: '/s', urlFields: {} }, creation: {}, startedAt: 0 };

test('finds a job by run and item, whatever is asked for by then', () => {
	const context = {};
	new Ledger(context, { index: 0 }).remember(1, request, { job });
	const again = new Ledger(context, { index: 0 });
	expect(again.find(1, request)).toEqual({ job });
	expect(again.find(1, other)).toEqual({ job });
	expect(again.find(0, request)).toBeUndefined();
});

test('lives in the execution data, which is JSON', () => {
	const context = {};
	new Ledger(context, { index: 0 }).remember(0, request, { job });
	const stored = JSON.parse(JSON.stringify(context));
	expect(new Ledger(stored, { index: 0 }).find(0, request)).toEqual({ job });
});

test('several of a run share what they know', () => {
	const context = {};
	const [first, second] = [new Ledger(context, { index: 0 }), new Ledger(context, { index: 0 })];
	first.remember(0, request, { job });
	expect(second.find(0)).toEqual({ job });
	expect(second.jobs).toEqual([job]);
});

test('the next run of the node drops what the one before had', () => {
	const context = {};
	new Ledger(context, { index: 1 }).remember(0, request, { job });
	const eleventh = new Ledger(context, { index: 11 });
	expect(eleventh.find(0, request)).toBeUndefined();
	expect(JSON.stringify(context)).not.toContain('"j"');
});

test('is not closed by success: n8n may run the node again', () => {
	const context = {};
	const ledger = new Ledger(context, { index: 0 });
	ledger.remember(0, request, { job, ended: 'completed' });
	ledger.close();
	expect(new Ledger(context, { index: 0 }).find(0)).toMatchObject({ job });
});

test.each([{ version: 2, entries: { '0:0': { job } } }, { '0:0:hash': { job } }])(
	'one that another version has kept is refused, with its jobs: %j',
	(kept) => {
		const open = () => new Ledger({ mediaGenJobs: kept }, { index: 0 });
		expect(open).toThrow(UnknownLedger);
		const { description } = new UnknownLedger(kept);
		expect(description).toContain('Paid for: jobs j.');
	},
);

describe("an agent's tool", () => {
	const tool = (index: number) => ({ index, isTool: true });

	test('finds the job of a call that is tried again, in a run of its own', () => {
		const context = {};
		const first = new Ledger(context, tool(0));
		first.remember(0, request, { job });
		first.leave();
		expect(new Ledger(context, tool(1)).find(0, request)).toEqual({ job });
	});

	test('keeps calls apart that are made at once, in the same run', () => {
		const context = {};
		new Ledger(context, tool(0)).remember(0, request, { job });
		expect(new Ledger(context, tool(0)).find(0, other)).toBeUndefined();
	});

	test('two equal calls at once have an order each, and each is found by its retry', () => {
		const context = {};
		const [first, second] = [new Ledger(context, tool(0)), new Ledger(context, tool(0))];
		first.remember(0, request, { unknownOutcome: 'lost' });
		second.remember(0, request, { job });
		second.close();
		second.leave();
		first.leave();
		const retried = new Ledger(context, tool(1));
		expect(retried.find(0, request)).toMatchObject({ unknownOutcome: 'lost' });
		expect(new Ledger(context, tool(2)).find(0, request)).toBeUndefined();
	});

	test('the same call once more, after the result of the first, is another order', () => {
		const context = {};
		const first = new Ledger(context, tool(0));
		first.remember(0, request, { job });
		first.close();
		first.leave();
		const second = new Ledger(context, tool(1));
		expect(second.find(0, request)).toBeUndefined();
		second.leave();
		expect(new Ledger(context, tool(0)).find(0, request)).toMatchObject({ job });
	});
});
