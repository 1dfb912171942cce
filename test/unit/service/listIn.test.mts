import { entryOutput } from '../../../nodes/shared/run/records.ts';
import { listIn } from '../../../nodes/shared/service/bodies.ts';

test.each([
	[[1, 2], { entries: [1, 2] }],
	[{ results: [1], count: 1 }, { entries: [1] }],
	[{ success: true, data: [1] }, { entries: [1] }],
	[{ success: true, data: { items: [] } }, { entries: [] }],
	[{ a: [1], b: [2] }, { single: { a: [1], b: [2] } }],
	[{ a: 1 }, { single: { a: 1 } }],
	['text', { single: 'text' }],
	[null, { single: null }],
])('%j', (body, expected) => {
	expect(listIn(body)).toEqual(expected);
});

test('a text of megabytes is not taken apart into its characters', () => {
	const values = jest.spyOn(Object, 'values');
	listIn('x'.repeat(1000));
	const lengths = values.mock.results.map(({ value }) => (value as unknown[]).length);
	values.mockRestore();
	expect(Math.max(0, ...lengths)).toBe(0);
});

test('an entry that is no object becomes one', () => {
	expect(entryOutput({ id: 1 })).toEqual({ id: 1 });
	expect(entryOutput('name')).toEqual({ value: 'name' });
});
