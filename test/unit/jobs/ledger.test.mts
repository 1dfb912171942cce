import { Ledger } from '../../../nodes/shared/jobs/ledger.ts';

const request = { method: 'POST' as const, path: '/x', body: { prompt: 'a' } };
const job = { id: 'j', status: { path: '/s', urlFields: {} }, creation: {}, startedAt: 0 };

test('finds a job by run, item and request', () => {
	const context = {};
	new Ledger(context, 0).remember(1, request, { job });
	const again = new Ledger(context, 0);
	expect(again.find(1, request)).toEqual({ job });
	expect(again.find(0, request)).toBeUndefined();
	expect(again.find(1, { ...request, body: { prompt: 'b' } })).toBeUndefined();
	expect(new Ledger(context, 1).find(1, request)).toBeUndefined();
});

test('lives in the execution data, which is JSON', () => {
	const context = {};
	new Ledger(context, 0).remember(0, request, { job });
	const stored = JSON.parse(JSON.stringify(context));
	expect(new Ledger(stored, 0).find(0, request)).toEqual({ job });
});

test('forgets its own run only', () => {
	const context = {};
	const [first, eleventh] = [new Ledger(context, 1), new Ledger(context, 11)];
	first.remember(0, request, { job });
	eleventh.remember(0, request, { job });
	first.close();
	expect(first.find(0, request)).toBeUndefined();
	expect(eleventh.find(0, request)).toEqual({ job });
});
