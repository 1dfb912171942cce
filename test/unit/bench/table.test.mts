import { readFileSync } from 'node:fs';

import type { PartResult } from '../../../tools/bench/result.mts';
import { withBenchTable } from '../../../tools/bench/table.mts';

const BEGIN = '<!-- bench -->';
const END = '<!-- /bench -->';

const page = readFileSync('docs/speed.md', 'utf8');

test('docs/speed.md has the table that docs/bench.json gives (npm run bench writes both)', () => {
	const results = JSON.parse(readFileSync('docs/bench.json', 'utf8'));
	expect(page).toBe(withBenchTable(page, results));
});

test('docs/speed.md has no other figures of the bench', () => {
	const [before = '', rest = ''] = page.split(BEGIN);
	const [, after = ''] = rest.split(END);
	expect(before).toContain('npm run bench');
	expect([before, after].filter((text) => FIGURE.test(text))).toEqual([]);
});

/** A number with a unit. */
const FIGURE = /\d ?(s|ms|seconds|minutes|hours|%|x|times|[KM]B|requests)(?!\w)/;

describe('the table', () => {
	const part = (more: Partial<PartResult> = {}) => ({
		at: '2026-01-01T00:00:00.000Z',
		title: 'part',
		tables: [],
		checks: [],
		notes: [],
		summary: [{ what: 'work', ours: '11 s, 1.10 x', bound: '10 s', beside: '' }],
		...more,
	});
	const table = (results: Record<string, ReturnType<typeof part>>) =>
		withBenchTable(`before\n${BEGIN}\nold\n${END}\nafter\n`, results);

	it('has the rows of all parts between its marks', () => {
		const other = { what: 'other', ours: '1', bound: '2', beside: 'loop' };
		expect(table({ a: part(), b: part({ summary: [other] }) })).toBe(
			[
				'before',
				BEGIN,
				'',
				'| What  | This package | Bound | Without it |',
				'| ----- | ------------ | ----- | ---------- |',
				'| work  | 11 s, 1.10 x | 10 s  | –          |',
				'| other | 1            | 2     | loop       |',
				'',
				END,
				'after',
				'',
			].join('\n'),
		);
	});

	it('has the checks of a part that gives no rows of its own', () => {
		const check = { what: 'files', measured: 28.1234, atMost: 30 };
		const made = table({ i: part({ title: '(i) Loading', checks: [check], summary: undefined }) });
		expect(made).toMatch(/^\| Loading: files +\| 28\.123 +\| at most 30 +\| – +\|$/m);
	});

	it('says below what is promised and was not kept', () => {
		const kept = { what: 'kept', measured: 1, atMost: 1 };
		const broken = { what: 'time', measured: 1.23456, atMost: 1.1 };
		expect(table({ a: part({ checks: [kept, broken] }) })).toContain(
			[
				'',
				'<details>',
				'<summary>Not kept (1)</summary>',
				'',
				'- time: 1.235, at most 1.1',
				'',
				'</details>',
				'',
				END,
			].join('\n'),
		);
	});
});
