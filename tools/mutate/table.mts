import { alignedTable, between } from '../lib/docs/markdown.mts';
import type { FolderResult } from './results.mts';

const HEAD = ['Folder', 'Mutants', 'Texts', 'Tested', 'Failed', 'No end', 'Survived', 'Score'];

/** The page with the table of what was found by folder. */
export function withMutationTable(page: string, results: Record<string, FolderResult>): string {
	return between(page, 'mutate', mutationTable(results));
}

/** A row for each folder. A sum of all would mix whole folders with samples. */
export function mutationTable(results: Record<string, FolderResult>): string {
	return alignedTable([HEAD, ...Object.entries(results).map(cellsOf)]);
}

function cellsOf([name, result]: [string, FolderResult]): string[] {
	const { mutants, ignored, tested, killed, timedOut, survived, score } = result;
	const counts = [mutants, ignored, tested, killed, timedOut, survived].map(String);
	return [`\`${name}\``, ...counts, `${score.toFixed(1)} %`];
}
