import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Tables as Markdown readers take them: head, line of dashes and rows have the same number of cells. */

const ROOT = path.join(__dirname, '../../..');
const PAGES = [
	...['README.md', 'CONTRIBUTING.md', 'SECURITY.md'],
	...['docs', 'docs/maintainers'].flatMap((folder) =>
		readdirSync(path.join(ROOT, folder))
			.filter((name) => name.endsWith('.md'))
			.map((name) => `${folder}/${name}`),
	),
];

/** Cells of a line; a bar in code that a backslash does not mark ends a cell, too. */
const cellsIn = (line: string) =>
	line
		.trim()
		.slice(1, -1)
		.split(/(?<!\\)\|/).length;

const isDashes = (line: string) => /^\|(?: *:?-+:? *\|)+$/.test(line.trim());

test.each(PAGES)('those of %s', (page) => {
	const lines = readFileSync(path.join(ROOT, page), 'utf8').split('\n');
	const isRow = (line = '') => line.trim().startsWith('|');
	const wrong = lines.flatMap((line, index) => {
		if (!isRow(line)) return [];
		const begins = !isRow(lines[index - 1]);
		const head = lines.slice(0, index + 1).findLastIndex((_, at) => !isRow(lines[at - 1]));
		const isRight = begins
			? isDashes(lines[index + 1] ?? '')
			: cellsIn(line) === cellsIn(lines[head] ?? '');
		return isRight ? [] : [`${index + 1}: ${line.slice(0, 80)}`];
	});
	expect(wrong).toEqual([]);
});
