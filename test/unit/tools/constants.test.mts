import fs from 'node:fs';

import { constantsIn, replaced, scaled } from '../../../tools/constants/numbers.mts';
import { asText, changeOf, changesNothing, outcomeOf } from '../../../tools/constants/report.mts';

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

test('numbers at the top of a file are found, in objects and lists too', () => {
	expect(found.map(({ name, text, value }) => [name, text, value])).toEqual([
		['GAP_MS', '10_000', 10_000],
		['PART', '1 / 8', 0.125],
		['MOST_MS', 'SECONDS * 1000', undefined],
		['LATE.shared', '1 / 2', 0.5],
		['LATE.own', '0.3', 0.3],
		['KNOTS[0][0]', '500', 500],
		['KNOTS[0][1]', '0', 0],
	]);
});

test.each([
	['GAP_MS', 2, 'export const GAP_MS = 20000;'],
	['PART', 1 / 2, 'const PART = 0.0625;'],
	['MOST_MS', 1 / 2, 'const MOST_MS = (SECONDS * 1000) * 0.5;'],
	['LATE.own', 2, 'const LATE = { shared: 1 / 2, own: 0.6 } as const;'],
	['KNOTS[0][0]', 1 / 2, 'const KNOTS: Knots = [[250, 0]];'],
])('%s times %d replaces that number alone', (name, factor, line) => {
	const constant = called(name);
	const lines = replaced(SOURCE, constant, scaled(constant, factor)!).split('\n');
	const before = SOURCE.split('\n');
	expect(lines.filter((one, index) => one !== before[index])).toEqual([line]);
	expect(lines).toHaveLength(before.length);
});

test.each([
	['5', 1 / 2, '3'],
	['3', 2, '6'],
	['1', 1 / 2, undefined],
	['0', 2, undefined],
])('what counts stays whole: %s times %d is %s', (text, factor, expected) => {
	const [constant] = constantsIn(`const COUNT = ${text};`);
	expect(scaled(constant!, factor)).toBe(expected);
});

test('the package has such constants: each file is read', () => {
	const plan = 'nodes/shared/plan';
	const names = fs
		.readdirSync(plan)
		.flatMap((file) => constantsIn(fs.readFileSync(`${plan}/${file}`, 'utf8')))
		.map(({ name }) => name);
	expect(names).toEqual(expect.arrayContaining(['TAIL', 'WORTH', 'GROWTH_MS', 'DOUBT_MS.most']));
});

test('a line tells the change of the mean time and of the refused share', () => {
	const before = outcomeOf([
		{ timesBound: 0.9, requests: 100, refused: 2 },
		{ timesBound: 1.1, requests: 300, refused: 6 },
	]);
	const after = outcomeOf([
		{ timesBound: 1, requests: 100, refused: 1 },
		{ timesBound: 1.2, requests: 100, refused: 4 },
	]);
	const half = changeOf('5', before, after);
	expect(half.time).toBeCloseTo(10, 6);
	expect(half.refused).toBeCloseTo(0.5, 6);
	const line = { name: 'GAP_MS', file: 'plan/made.ts', value: '10' };
	const same = changeOf('20', before, before);
	const text = asText(before, [
		{ ...line, half, double: same },
		{ ...line, name: 'IDLE', half: same, double: same },
	]);
	expect(text).toContain(
		'| GAP_MS   | plan/made.ts | 10    | +10.0 %    | +0.50   | 0.0 %        | 0.00    |',
	);
	expect(text).toMatch(/both ways: IDLE \(plan\/made\.ts\)$/);
});

test('what failed, or was not tried, is not said to change nothing', () => {
	const none = { value: '1', time: 0.5, refused: -0.2 };
	const line = { name: 'STEP', file: 'plan/pace.ts', value: '1.02' };
	expect(changesNothing({ ...line, half: none, double: none })).toBe(true);
	expect(changesNothing({ ...line, half: 'failed or took too long', double: none })).toBe(false);
	expect(changesNothing({ ...line, half: { ...none, refused: -0.4 }, double: none })).toBe(false);
});
