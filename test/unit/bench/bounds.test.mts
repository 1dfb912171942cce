import { limitOf, type BoundName } from '../../../tools/bench/bounds.mts';
import { partText } from '../../../tools/bench/table.mts';
import { exitCodeOf, outcomeOf, type PartResult } from '../../../tools/bench/result.mts';

/** One with a goal, and one without. */
const WITH_GOAL = 'n8n, batches in a row';
const WITHOUT = 'load, files';

const { bound, goal = NaN } = limitOf(WITH_GOAL);
const BETWEEN = (bound + goal) / 2;

const partOf = (measured: number, name: BoundName = WITH_GOAL): PartResult => ({
	title: 'part',
	tables: [],
	checks: [{ what: 'work', measured, bound: name }],
	summary: [],
	notes: [],
});
const codeOf = (measured: number, name?: BoundName) =>
	exitCodeOf({ a: { at: '', ...partOf(0) }, b: { at: '', ...partOf(measured, name) } });

test('a goal is lower than its bound', () => {
	expect(goal).toBeLessThan(bound);
	expect(limitOf(WITHOUT)).not.toHaveProperty('goal');
});

test.each([
	['a goal that is reached', goal, 'PASS', 0],
	['a goal that is missed', BETWEEN, 'GOAL MISSED', 0],
	['a bound that is just kept', bound, 'GOAL MISSED', 0],
	['a bound that is broken', bound + 0.001, 'FAIL', 1],
	['what was not measured', NaN, 'FAIL', 1],
	['what was not measured, read from a file', null as unknown as number, 'FAIL', 1],
])('%s', (_, measured, outcome, code) => {
	expect(outcomeOf({ what: '', measured, bound: WITH_GOAL })).toBe(outcome);
	expect(codeOf(measured)).toBe(code);
});

test('where there is no goal, what keeps the bound passes', () => {
	const most = limitOf(WITHOUT).bound;
	expect(outcomeOf({ what: '', measured: most, bound: WITHOUT })).toBe('PASS');
	expect(codeOf(most + 1, WITHOUT)).toBe(1);
});

test('a part is printed with a column of bounds and one of goals', () => {
	const [head = '', , row = ''] = partText(partOf(BETWEEN)).trim().split('\n').slice(-3);
	const cells = (line: string) => line.split('|').map((cell) => cell.trim());
	expect(cells(head)).toEqual(['', 'outcome', 'what', 'measured', 'bound', 'goal', '']);
	expect(cells(row)).toEqual([
		...['', 'GOAL MISSED', 'work', `${BETWEEN} x`, String(bound), String(goal), ''],
	]);
	expect(partText(partOf(1, WITHOUT))).toMatch(/PASS +\| work +\| 1 files +\| 30 +\| - +\|\n/);
});

test('a bound that is no more is named', () => {
	expect(() => limitOf('files of old' as BoundName)).toThrow('no bound "files of old" any more');
});
