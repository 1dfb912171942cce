import {
	identifierIn,
	identifiersIn,
	numberIn,
	pathsTo,
	stateIn,
	textIn,
} from '../../../nodes/shared/orders/readRecord.ts';

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

test.each([
	[{ job: { key: 'x' }, id: 'y' }, 'job.key', { field: 'key', value: 'x' }],
	[{ jobs: [{ key: 7 }] }, 'jobs[0].key', { field: 'key', value: '7' }],
	[{ key: 'x' }, 'data.key', { field: 'key', value: 'x' }],
	[{ key: ' ', id: 'y' }, 'key', { field: 'id', value: 'y' }],
	[{ id: 'y' }, 'constructor.name', { field: 'id', value: 'y' }],
	[{ id: 'y', text: 'abc' }, 'text.length', { field: 'id', value: 'y' }],
	[{ id: 'y', job: null }, 'job.key', { field: 'id', value: 'y' }],
])('the identifier in %j, of which the credential says %s', (record, set, found) => {
	expect(identifierIn(record, { set })).toEqual(found);
});

test('the name that the document has goes before that of the credential', () => {
	const record = { task_id: 'b', key: 'x', generation_id: 'a' };
	const hints = { documented: ['task_id'], set: 'key' };
	expect(identifierIn(record, hints)).toEqual({ field: 'task_id', value: 'b' });
});

test('all identifiers, each of a known name', () => {
	const record = { id: 'd', generation_id: 'a', task_id: '', name: 'x' };
	expect(identifiersIn(record)).toEqual([
		{ field: 'generation_id', value: 'a' },
		{ field: 'id', value: 'd' },
	]);
});

test.each([
	[{ job: { step: 'Queued' }, status: 'completed' }, { set: 'job.step' }, 'queued'],
	[{ step: 'rendering', status: 'completed' }, { set: 'step' }, 'rendering'],
	[{ status: 'failed', step: 'queued' }, { documented: ['status'], set: 'step' }, 'failed'],
	[{ status: 7, step: 'queued' }, { documented: ['status'], set: 'step' }, 'queued'],
	[{ render_status: 'processing' }, {}, 'processing'],
])('the state in %j with %j', (record, hints, state) => {
	expect(stateIn(record, hints)).toBe(state);
});

test('the first of the named fields that holds such a value', () => {
	const record = { a: 7, b: 'text', c: 'other', d: 8 };
	expect(textIn(record, ['a', 'b', 'c'])).toBe('text');
	expect(numberIn(record, ['b', 'd', 'a'])).toBe(8);
	expect(textIn(record, ['a', 'x'])).toBeNull();
	expect(numberIn(record, ['b', 'x'])).toBeNull();
	expect(textIn(undefined, ['a'])).toBeNull();
	expect(numberIn(undefined, ['a'])).toBeNull();
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
