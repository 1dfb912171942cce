import { identifierIn, stateIn } from '../../../nodes/shared/jobs/readRecord.ts';

test.each([
	[{ status: 'completed', state: 'failed' }, 'completed'],
	[{ state: 'queued' }, 'queued'],
	[{ status: 3, phase: 'processing' }, 'processing'],
	[{ status: 'rendering', state: 'completed' }, 'rendering'],
	[{ message: 'completed soon' }, undefined],
	[{}, undefined],
])('the state in %j is %p', (record, state) => {
	expect(stateIn(record)).toBe(state);
});

test.each([
	[{ id: 'd', job_id: 'c', task_id: 'b', generation_id: 'a' }, 'generation_id', 'a'],
	[{ id: 'd', job_id: 'c', task_id: 'b' }, 'task_id', 'b'],
	[{ id: 'd', job_id: 'c' }, 'job_id', 'c'],
	[{ id: 12 }, 'id', '12'],
])('the identifier in %j is %s', (record, field, value) => {
	expect(identifierIn(record)).toEqual({ field, value });
});

test('no identifier', () => {
	expect(identifierIn({ id: null, job_id: {}, name: 'x' })).toBeUndefined();
});
