import { readFileSync } from 'node:fs';

import { limitOf, type BoundName } from '../../../tools/bench/bounds.mts';
import type { PartResult, SummaryRow } from '../../../tools/bench/result.mts';
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
	const table = (more: Partial<PartResult>) => {
		const part = { at: '', title: 'part', tables: [], checks: [], notes: [], summary: [row()] };
		const page = `before\n${BEGIN}\nold\n${END}\nafter\n`;
		return withBenchTable(page, { a: part, b: { ...part, ...more } });
	};

	it('has the rows of all parts between its marks', () => {
		const other = row({ what: 'other', ours: '1', ideal: '', beside: 'loop' });
		expect(table({ summary: [other] })).toBe(
			[
				'before',
				BEGIN,
				'',
				'| What  | This package | Ideal | Bound | Goal | Without it |',
				'| ----- | ------------ | ----- | ----- | ---- | ---------- |',
				'| work  | 11 s, 1.10 x | 10 s  | –     | –    | –          |',
				'| other | 1            | –     | –     | –    | loop       |',
				'',
				END,
				'after',
				'',
			].join('\n'),
		);
	});

	it('has the bounds of a row, and the goals in a column of their own', () => {
		const made = table({ summary: [row({ bounds: ['load, files', WITH_GOAL] })] });
		expect(made).toContain(`| 10 s  | 30 files, ${bound} x | ${goal} x | –          |`);
	});

	it('lists below the bounds that are broken, and the goals that are missed', () => {
		const checks = [goal, (goal + bound) / 2, 2 * bound].map((measured, index) => ({
			what: `work ${index}`,
			measured,
			bound: WITH_GOAL as BoundName,
		}));
		const most = `at most ${bound} x, goal ${goal} x`;
		expect(table({ checks }).split('</details>')).toEqual([
			expect.stringContaining(
				`<summary>Bounds that are broken (1)</summary>\n\n- work 2: ${2 * bound} x, ${most}\n`,
			),
			`\n\n<details>\n<summary>Goals that are not reached (1)</summary>\n\n- work 1: ${(goal + bound) / 2} x, ${most}\n\n`,
			expect.stringContaining(END),
		]);
	});
});
