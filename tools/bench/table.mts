import { alignedTable, between } from '../lib/markdownTable.mts';
import {
	brokenChecks,
	round,
	type Check,
	type PartResult,
	type Results,
	type SummaryRow,
} from './result.mts';

/** Begin and end of the table in its page. */
const BEGIN = '<!-- bench -->';
const END = '<!-- /bench -->';

const HEAD = ['What', 'This package', 'Bound', 'Without it'];

const NOTHING = '–';

/** The page with the table of what the parts have found. */
export function withBenchTable(page: string, results: Results): string {
	const rows = Object.values(results).flatMap(
		(part) => part.summary ?? part.checks.map(rowOf(part)),
	);
	const cells = rows.map(({ what, ours, bound, beside }) =>
		[what, ours, bound, beside].map((text) => text || NOTHING),
	);
	const table = alignedTable([HEAD, ...cells]);
	return between(page, BEGIN, END, [table, ...brokenTexts(results)].join('\n\n'));
}

const rowOf =
	({ title }: PartResult) =>
	({ what, measured, atMost }: Check): SummaryRow => ({
		// Without the letter of the part.
		what: `${title.replace(/^\(\w+\) /, '')}: ${what}`,
		ours: String(round(measured, 3)),
		bound: `at most ${round(atMost, 3)}`,
		beside: '',
	});

/** What the package promises, and had not kept when it was measured. */
function brokenTexts(results: Results): string[] {
	const broken = brokenChecks(results);
	if (broken.length === 0) return [];
	return [
		`<details>\n<summary>Not kept (${broken.length})</summary>`,
		broken.map(brokenText).join('\n'),
		'</details>',
	];
}

const brokenText = ({ what, measured, atMost }: Check) =>
	`- ${what}: ${round(measured, 3)}, at most ${round(atMost, 3)}`;
