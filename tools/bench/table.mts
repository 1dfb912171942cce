import { alignedTable, between } from '../lib/markdownTable.mts';
import { limitOf, type BoundName } from './bounds.mts';
import { checksWith, withUnit, type Check, type Results } from './result.mts';

/** Begin and end of the table in its page. */
const BEGIN = '<!-- bench -->';
const END = '<!-- /bench -->';

const HEAD = ['What', 'This package', 'Ideal', 'Bound', 'Goal', 'Without it'];

const NOTHING = '–';

/** The page with the table of what the parts have found. */
export function withBenchTable(page: string, results: Results): string {
	const rows = Object.values(results).flatMap(({ summary }) => summary);
	const cells = rows.map(({ what, ours, ideal, bounds, beside }) =>
		[what, ours, ideal, textOf(bounds, 'bound'), textOf(bounds, 'goal'), beside].map(
			(text) => text || NOTHING,
		),
	);
	const lists = [
		...listOf('Bounds that are broken', checksWith('FAIL', results)),
		...listOf('Goals that are not reached', checksWith('GOAL MISSED', results)),
	];
	return between(page, BEGIN, END, [alignedTable([HEAD, ...cells]), ...lists].join('\n\n'));
}

const textOf = (names: readonly BoundName[], which: 'bound' | 'goal') =>
	names.flatMap((name) => mostOf(name, which)).join(', ');

function mostOf(name: BoundName, which: 'bound' | 'goal'): string[] {
	const most = limitOf(name)[which];
	return most === undefined ? [] : [withUnit(name, most)];
}

function listOf(title: string, checks: readonly Check[]): string[] {
	if (checks.length === 0) return [];
	return [
		`<details>\n<summary>${title} (${checks.length})</summary>`,
		checks.map(lineOf).join('\n'),
		'</details>',
	];
}

function lineOf({ what, measured, bound }: Check): string {
	const goal = mostOf(bound, 'goal').map((text) => `, goal ${text}`);
	return `- ${what}: ${withUnit(bound, measured)}, at most ${textOf([bound], 'bound')}${goal.join('')}`;
}
