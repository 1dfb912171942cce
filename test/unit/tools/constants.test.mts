import fs from 'node:fs';
import { runInNewContext } from 'node:vm';

import ts from 'typescript';

import {
	allConstants,
	constantsIn,
	replaced,
	scaled,
	startOfRow,
	withRow,
} from '../../../tools/constants.mts';

/** The constants that `npm run constants` finds, and what it puts in their place. */

const SOURCE = `import { SECONDS } from './elsewhere';
/** Ms. */
export const GAP_MS = 10_000;
const PART = 1 / 8;
const MOST_MS = SECONDS * 1000;
const LATE = { shared: 1 / 2, own: 0.3 } as const;
const KNOTS: Knots = [[500, 0]];
const NAMES = ['one', 'two'];
const gap = (ms: number) => ms * 2;
let count = 3;
function late() {
	const OWN = 4;
	return OWN;
}
`;

const found = constantsIn(SOURCE);
const called = (name: string) => found.find((one) => one.name === name)!;

test('numbers at the top of a file are found, in objects and lists too, unless they are derived or 0', () => {
	expect(found.map(({ name, text }) => [name, text])).toEqual([
		['GAP_MS', '10_000'],
		['PART', '1 / 8'],
		['LATE.shared', '1 / 2'],
		['LATE.own', '0.3'],
		['KNOTS[0][0]', '500'],
	]);
});

test.each([
	['GAP_MS', (text: string) => `export const GAP_MS = ${text};`],
	['LATE.own', (text: string) => `const LATE = { shared: 1 / 2, own: ${text} } as const;`],
	['KNOTS[0][0]', (text: string) => `const KNOTS: Knots = [[${text}, 0]];`],
])('%s is replaced, and that number alone', (name, line) => {
	const constant = called(name);
	const text = scaled(constant, 2);
	const lines = replaced(SOURCE, constant, text).split('\n');
	const before = SOURCE.split('\n');
	expect(lines.filter((one, index) => one !== before[index])).toEqual([line(text)]);
	expect(lines).toHaveLength(before.length);
});

test.each([
	['10_000', 2, 20_000],
	['1 / 8', 1 / 2, 0.0625],
	['60 * 1000', 1 / 2, 30_000],
	['0.3', 2, 0.6],
	['5', 1 / 2, 3],
	['3', 2, 6],
	['1', 1 / 2, 1],
])('what counts stays whole: %s times %d is %d', (text, factor, expected) => {
	const [constant] = constantsIn(`const COUNT = ${text};`);
	const { outputText } = ts.transpileModule(scaled(constant!, factor), {});
	expect(runInNewContext(outputText)).toBe(expected);
});

test('a row is put in its place, in that of the last one; what is no more has none', () => {
	const starts = ['| a.ts | A | 1 | ', '| a.ts | B | 3 | ', '| b.ts | A | 1 | '];
	const head = '# Costs\n\n| File | Number |\n| ---- | ------ |\n';
	const before = `${head}| a.ts | A | 1 | 0 % |\n| a.ts | B | 2 | 0 % |\n`;
	const after = withRow(before, starts, '| b.ts | A | 1 | 1 % |');
	expect(after).toBe(`${head}| a.ts | A | 1 | 0 % |\n| b.ts | A | 1 | 1 % |\n`);
	expect(withRow(after, starts, '| a.ts | A | 1 | 2 % |')).toBe(after.replace('0 %', '2 %'));
});

test('the page says of each number what it costs, in their order, and has no others', () => {
	const page = fs.readFileSync('docs/maintainers/constants.md', 'utf8').split('\n');
	const rows = page.filter((line) => /^\| \w+\//.test(line));
	// `npm run constants -- NAME` measures it anew.
	const starts = rows.map((row) => /^(\|[^|]+){3}\| /.exec(row)?.[0]);
	expect(starts).toEqual(allConstants().map(startOfRow));
});
