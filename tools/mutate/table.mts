import { alignedTable, between } from '../lib/markdownTable.mts';
import type { FolderResult } from './results.mjs';

/** Begin and end of the table in docs/mutation.md. */
const BEGIN = '<!-- mutate -->';
const END = '<!-- /mutate -->';

const HEAD = ['Folder', 'Mutants', 'Texts', 'Tested', 'Failed', 'No end', 'Survived', 'Score'];

/** The page with the table of what was found by folder. */
export function withMutationTable(page: string, results: Record<string, FolderResult>): string {
	return between(page, BEGIN, END, mutationTable(results));
}

/** A row for each folder, and one for all. */
export function mutationTable(results: Record<string, FolderResult>): string {
	const rows = Object.entries(results);
	const all = rows.reduce<Counts>((sum, [, result]) => sumOf(sum, result), NOTHING);
	return alignedTable([
		HEAD,
		...rows.map(([name, result]) => cellsOf(`\`${name}\``, result)),
		cellsOf('All', all),
	]);
}

type Counts = Pick<
	FolderResult,
	'mutants' | 'ignored' | 'tested' | 'killed' | 'timedOut' | 'survived'
>;

const NOTHING: Counts = { mutants: 0, ignored: 0, tested: 0, killed: 0, timedOut: 0, survived: 0 };

const sumOf = (a: Counts, b: Counts): Counts => ({
	mutants: a.mutants + b.mutants,
	ignored: a.ignored + b.ignored,
	tested: a.tested + b.tested,
	killed: a.killed + b.killed,
	timedOut: a.timedOut + b.timedOut,
	survived: a.survived + b.survived,
});

function cellsOf(name: string, { mutants, ignored, tested, killed, timedOut, survived }: Counts) {
	const score = `${((100 * (killed + timedOut)) / tested).toFixed(1)} %`;
	return [name, ...[mutants, ignored, tested, killed, timedOut, survived].map(String), score];
}
