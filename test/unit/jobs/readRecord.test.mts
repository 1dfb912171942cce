import { identifierIn, pathsTo, stateIn } from '../../../nodes/shared/jobs/readRecord.ts';

test.each([
	[{ status: 'completed', state: 'failed' }, 'completed'],
	[{ state: 'queued' }, 'queued'],
	[{ status: 3, phase: 'processing' }, 'processing'],
	[{ status: 'rendering', state: 'completed' }, 'completed'],
	[{ status: 'ok', state: 'completed' }, 'completed'],
	[{ status: 'ok', phase: 'COMPLETED' }, 'completed'],
	[{ message: 'completed soon' }, undefined],
	[{}, undefined],
])('the state in %j is %p', (record, state) => {
	expect(stateIn(record)).toBe(state);
});

test.each(['prompt', 'title', 'style', 'tags', 'full_lyrics', 'model', 'stem_name', 'watermark'])(
	'what a request said in %s is not the state',
	(name) => {
		expect(stateIn({ status: 'running', [name]: 'Completed' })).toBe('running');
		expect(stateIn({ status: 'running', beside_data: { [name]: 'failed' } })).toBe('running');
		expect(stateIn({ [name]: 'failed' })).toBeUndefined();
	},
);

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

test.each([
	['data.job.id', 'job.id'],
	['data[0].job.id', 'job.id'],
	['data', ''],
	['data[0]', ''],
	['data[1].id', 'data[1].id'],
	['database.id', 'database.id'],
	['job.data.id', 'job.data.id'],
])('the path %s leads in a record to %j', (path, inRecord) => {
	expect(pathsTo(path)).toEqual([path, inRecord]);
});
