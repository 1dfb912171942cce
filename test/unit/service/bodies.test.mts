import { jobRecord, unwrap } from '../../../nodes/shared/service/bodies.ts';

test.each([
	[{ success: true, data: { id: 1 } }, { id: 1 }],
	[{ id: 1 }, { id: 1 }],
	[
		{ id: 1, data: 'text' },
		{ id: 1, data: 'text' },
	],
	['text', undefined],
	[null, undefined],
])('in %j is %j', (body, record) => {
	expect(unwrap(body)).toEqual(record);
});

test.each([
	['the envelope is left out', { success: true, data: { id: 1 } }, { id: 1 }],
	['a failure says so', { success: false, data: { id: 1 } }, { id: 1, success: false }],
	['what stands beside stays', { data: { id: 1 }, credits: 8 }, { id: 1, credits: 8 }],
	['of two values, that in data counts', { data: { id: 1 }, id: 2 }, { id: 1 }],
	[
		'unless only the other is a state',
		{ data: { status: 'ok' }, status: 'completed' },
		{ status: 'completed' },
	],
	['the same value is told once', { data: { id: 1 }, id: 1 }, { id: 1 }],
	['what is null is not told', { data: { id: null }, id: 2 }, { id: 2 }],
	['nor beside', { data: { id: 1 }, id: null }, { id: 1 }],
	['a list of one stands for it', [{ data: [{ id: 1 }] }], { id: 1 }],
	['a list of two does not', { data: [{ id: 1 }, { id: 2 }] }, { data: [{ id: 1 }, { id: 2 }] }],
	['a text is no record', 'text', undefined],
	['nor is nothing', null, undefined],
	['nor is a list of two', [{ id: 1 }, { id: 2 }], undefined],
])('%s', (_, body, record) => {
	expect(jobRecord(body)).toEqual(record);
});
