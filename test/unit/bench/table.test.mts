import { readFileSync } from 'node:fs';

import { withSentence, withTable, type Results } from '../../../tools/bench.mts';
import type { Value } from '../../../tools/bench/shared.mts';

const results: Results = JSON.parse(readFileSync('docs/bench.json', 'utf8'));

test.each([
	['docs/speed.md', withTable],
	['README.md', withSentence],
])('%s says what docs/bench.json has (npm run bench writes both)', (file, written) => {
	const page = readFileSync(file, 'utf8');
	expect(written(page, results)).toBe(page);
});

/** The result and the bound of a row. */
function cells(...values: Value[]): string[] {
	const f = { nodes: 'abc', rows: [{ work: 'work', values }] };
	const [, row = ''] = /\n(\| f .*)\n/.exec(withTable('<!-- bench --><!-- /bench -->', { f }))!;
	return row.split(' | ').slice(2, 4);
}

const time = (measured: number, most?: number): Value => ({ measured, unit: 'x', most });

test.each([
	['is kept', time(1.1, 1.15), '1.15 x'],
	['is just kept, as it is shown', time(1.1549, 1.15), '1.15 x'],
	['is missed', time(1.156, 1.15), '1.15 x (missed)'],
	['is missed, since nothing was measured', time(NaN, 1.15), '1.15 x (missed)'],
	['is missed, as a file has it', time(null as unknown as number, 1.15), '1.15 x (missed)'],
	['is none', time(3), '–'],
])('a bound that %s', (_, value, bound) => {
	expect(cells(value)[1]).toBe(bound);
});

test('the values of a row are told apart', () => {
	expect(
		cells({ of: '20', took: '30.0 s', ...time(1.0881) }, { of: '60', ...time(1.2, 1.1) }),
	).toEqual(['20: 30.0 s, 1.09 x; 60: 1.2 x', '60: 1.1 x (missed)']);
});
