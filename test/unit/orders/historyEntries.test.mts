import { historyEntries } from '../../../nodes/shared/orders/history.ts';

const RECORD = { id: 'j1', status: 'completed', created_at: '2026-03-01T10:00:00Z' };
const READ = { id: 'j1', state: 'completed', createdAt: Date.UTC(2026, 2, 1, 10) };

const entryOf = (raw: unknown) => historyEntries([raw], 1)![0]!;

test.each<[string, unknown]>([
	['an array', [RECORD]],
	['data', { success: true, data: [RECORD] }],
	['results in data', { success: true, data: { count: 1, results: [RECORD] } }],
])('a list in %s', (_, body) => {
	expect(historyEntries(body, 10)).toEqual([{ ...READ, record: RECORD }]);
});

test.each([null, 17, 'jobs', {}, { success: true, data: { count: 3 } }, { jobs: [], more: [] }])(
	'no list: %j',
	(body) => {
		expect(historyEntries(body, 10)).toBeUndefined();
	},
);

test('no more are looked at than are wanted', () => {
	const body = Array.from({ length: 5 }, (_, index) => ({ ...RECORD, id: index }));
	expect(historyEntries(body, 3)!.map(({ id }) => id)).toEqual(['0', '1', '2']);
});

test.each([
	['in an envelope', { data: RECORD }, { ...READ, record: RECORD }],
	['beside nothing', { ...RECORD, data: null }, READ],
	['beside something else', { ...RECORD, data: { size: 7 } }, READ],
])('a record %s', (_, raw, expected) => {
	expect(entryOf(raw)).toMatchObject(expected);
});

test.each<[string, unknown]>([
	['nothing', null],
	['a text', 'completed'],
	['a list of one record', [RECORD]],
])('%s is no record', (_, raw) => {
	expect(entryOf(raw)).toEqual({});
});

test.each<[string, object, object]>([
	['a number as identifier', { id: 17 }, { id: '17' }],
	['its own identifier before others', { task_id: 't', generation_id: 'g' }, { id: 'g' }],
	['one of 500 characters', { id: 'x'.repeat(500) }, { id: 'x'.repeat(500) }],
	['one of 501 characters', { id: 'x'.repeat(501) }, { id: undefined }],
	['none', { id: undefined }, { id: undefined, state: 'completed' }],
	['a state that is none', { status: 'ok' }, { state: 'ok' }],
	['a state beside one that is none', { status: 'ok', state: 'failed' }, { state: 'failed' }],
	['no state', { status: undefined }, { id: 'j1', state: undefined }],
	['a time that is none', { created_at: 'yesterday' }, { createdAt: undefined }],
])('%s', (_, told, expected) => {
	expect(entryOf({ ...RECORD, ...told })).toMatchObject(expected);
});

test('names that the caller knows', () => {
	const hints = { identifier: { set: 'ref' }, state: { documented: ['status'] } };
	const raw = { ref: 'r', status: 'ok', state: 'failed' };
	expect(historyEntries([raw], 1, hints)).toMatchObject([{ id: 'r', state: 'ok' }]);
});
