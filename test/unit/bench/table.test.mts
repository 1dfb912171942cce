import { readFileSync } from 'node:fs';

import { limitOf, type BoundName } from '../../../tools/bench/bounds.mts';
import type { PartResult, SummaryRow } from '../../../tools/bench/result.mts';
import { withBenchTable, withBounds } from '../../../tools/bench/table.mts';

const BEGIN = '<!-- bench -->';
const END = '<!-- /bench -->';

const page = readFileSync('docs/speed.md', 'utf8');

test('docs/speed.md has the table that docs/bench.json gives (npm run bench writes both)', () => {
	const results = JSON.parse(readFileSync('docs/bench.json', 'utf8'));
	expect(page).toBe(withBenchTable(page, results));
	const bounds = readFileSync('docs/maintainers/speed.md', 'utf8');
	expect(bounds).toBe(withBounds(bounds, results));
});

test('docs/speed.md has no other figures of the bench', () => {
	const [before = '', rest = ''] = page.split(BEGIN);
	const [, after = ''] = rest.split(END);
	expect([before, after].filter((text) => FIGURE.test(text))).toEqual([]);
});

/** A number with a unit. */
const FIGURE = /\d ?(s|ms|seconds|minutes|hours|%|x|times|[KM]B|requests)(?!\w)/;

describe('the table', () => {
	const WITH_GOAL = 'n8n, batches in a row';
	const { bound, goal = NaN } = limitOf(WITH_GOAL);
	const row = (more: Partial<SummaryRow> = {}): SummaryRow => ({
		what: 'work',
		ours: '11 s, 1.10 x',
		ideal: '10 s',
		bounds: [],
		beside: '',
		...more,
	});
	const written = (write: typeof withBenchTable, more: Partial<PartResult>) => {
		const part = { at: '', title: 'part', tables: [], checks: [], notes: [], summary: [row()] };
		const page = `before\n${BEGIN}\nold\n${END}\nafter\n`;
		return write(page, { a: part, b: { ...part, ...more } });
	};

	it('has the rows of all parts between its marks, with where they were measured', () => {
		const other = row({ what: 'other', ours: '1', ideal: '', beside: 'loop' });
		expect(written(withBenchTable, { summary: [other] })).toBe(
			[
				'before',
				BEGIN,
				'',
				'<!-- prettier-ignore -->',
				'| Measured in | What | This package | Ideal | Without it |',
				'| --- | --- | --- | --- | --- |',
				'| real n8n | work | 11 s, 1.10 x | 10 s | – |',
				'| virtual time | other | 1 | – | loop |',
				'',
				'Promises that are broken: 0. Goals that are not reached: 0. [Which they are](maintainers/speed.md).',
				'',
				END,
				'after',
				'',
			].join('\n'),
		);
	});

	it('has the bounds and the goals of a row on the page for maintainers', () => {
		const made = written(withBounds, { summary: [row({ bounds: ['load, files', WITH_GOAL] })] });
		expect(made).toContain(`| work | 30 files, ${bound} x | ${goal} x |`);
	});

	it('counts the bounds that are broken and the goals that are missed, and lists them for maintainers', () => {
		const checks = [goal, (goal + bound) / 2, 2 * bound].map((measured, index) => ({
			what: `work ${index}`,
			measured,
			bound: WITH_GOAL as BoundName,
		}));
		const most = `at most ${bound} x, goal ${goal} x`;
		expect(written(withBenchTable, { checks })).toContain(
			'broken: 1. Goals that are not reached: 1.',
		);
		const made = written(withBounds, { checks });
		expect(made).toContain(`## Bounds that are broken\n\n- work 2: ${2 * bound} x, ${most}\n`);
		expect(made).toContain(
			`## Goals that are not reached\n\n- work 1: ${(goal + bound) / 2} x, ${most}\n`,
		);
	});
});
