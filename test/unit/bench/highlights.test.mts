import { readFileSync } from 'node:fs';

import { withHighlights } from '../../../tools/bench/highlights.mts';
import type { Results } from '../../../tools/bench/result.mts';

const results: Results = JSON.parse(readFileSync('docs/bench.json', 'utf8'));

test('README has the lines that docs/bench.json gives', () => {
	const readme = readFileSync('README.md', 'utf8');
	expect(withHighlights(readme, results)).toBe(readme);
});

test('a free operation is no paid one: of 37, six cost nothing, and four have no documented price', () => {
	const free = 'midi, cover_art, recovery, voice_validate, voice_regenerate, voice_generate';
	expect(free.split(', ')).toHaveLength(37 - 31);
	expect(readFileSync('README.md', 'utf8')).toContain('for 27 of 31 paid operations');
});

test('without the measurement of a line, there is an error, and no line without a number', () => {
	const marks = '<!-- highlights -->\n<!-- /highlights -->';
	const { e: _, ...others } = results;
	expect(() => withHighlights(marks, others)).toThrow('Part e of the bench has no row');
	expect(withHighlights(marks, results)).not.toMatch(/undefined|NaN/);
});
