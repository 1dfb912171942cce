import { alignedTable, between, table } from '../lib/docs/markdown.mts';
import { limitOf, type BoundName } from './bounds.mts';
import { checksWith, outcomeOf, withUnit } from './result.mts';
import type { Check, Outcome, PartResult, Results, Row, Table } from './result.mts';

const HEAD = ['Measured in', 'What', 'This package', 'Ideal', 'Without it'];
const BOUNDS_HEAD = ['What', 'Bound', 'Goal'];

const NOTHING = '–';

/** Where a part runs if not in virtual time. */
const PLACES: Readonly<Record<string, string>> = {
	a: 'real n8n',
	e: 'real n8n, faster clock',
	h: 'real n8n',
	i: 'real time, no n8n',
};

/** The page for users, with the table of all results. */
export function withBenchTable(page: string, results: Results): string {
	const rows = Object.entries(results).flatMap(([part, { summary }]) =>
		summary.map(({ what, ours, ideal, beside }) =>
			[PLACES[part] ?? 'virtual time', what, ours, ideal, beside].map((text) => text || NOTHING),
		),
	);
	const count = (outcome: Outcome) => checksWith(outcome, results).length;
	return between(
		page,
		'bench',
		[
			// The table has no padding, since nobody edits it.
			'<!-- prettier-ignore -->',
			`${table(HEAD, rows)}\n`,
			`Promises that are broken: ${count('FAIL')}. Goals that are not reached: ${count('GOAL MISSED')}. [Which they are](maintainers/speed.md).`,
		].join('\n'),
	);
}

/** The page for maintainers, with all bounds and goals, and those that are not met. */
export function withBounds(page: string, results: Results): string {
	const rows = Object.values(results)
		.flatMap(({ summary }) => summary)
		.filter(({ bounds }) => bounds.length > 0)
		.map(({ what, bounds }) => [what, textOf(bounds, 'bound'), textOf(bounds, 'goal') || NOTHING]);
	const lists = [
		...listOf('Bounds that are broken', checksWith('FAIL', results)),
		...listOf('Goals that are not reached', checksWith('GOAL MISSED', results)),
	];
	return between(page, 'bench', [alignedTable([BOUNDS_HEAD, ...rows]), ...lists].join('\n\n'));
}

const textOf = (names: readonly BoundName[], which: 'bound' | 'goal') =>
	names.flatMap((name) => mostOf(name, which)).join(', ');

function mostOf(name: BoundName, which: 'bound' | 'goal'): string[] {
	const most = limitOf(name)[which];
	return most === undefined ? [] : [withUnit(name, most)];
}

function listOf(title: string, checks: readonly Check[]): string[] {
	if (checks.length === 0) return [];
	return [`## ${title}`, checks.map(lineOf).join('\n')];
}

function lineOf({ what, measured, bound }: Check): string {
	const goal = mostOf(bound, 'goal').map((text) => `, goal ${text}`);
	return `- ${what}: ${withUnit(bound, measured)}, at most ${textOf([bound], 'bound')}${goal.join('')}`;
}

/** A part as the bench prints it. */
export function partText({ title, tables, checks, notes }: PartResult): string {
	return [
		`\n=== ${title}`,
		...tables.map(tableText),
		...notes.map((note) => `  ${note}`),
		tableText({
			title: 'Bounds, and goals that are not reached for certain',
			rows: checks.map(checkRow),
		}),
	].join('\n');
}

function tableText({ title, rows }: Table): string {
	const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const cells = rows.map((row) => names.map((name) => String(row[name] ?? '')));
	return `\n${title}\n\n${alignedTable([names, ...cells])}\n`;
}

function checkRow(check: Check): Row {
	const { what, measured, bound: name } = check;
	const { bound, goal } = limitOf(name);
	return {
		outcome: outcomeOf(check),
		what,
		measured: withUnit(name, measured),
		bound,
		goal: goal ?? '-',
	};
}
