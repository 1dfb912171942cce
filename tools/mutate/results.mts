import fs from 'node:fs/promises';
import path from 'node:path';

import { alignedTable, between } from '../lib/docs/markdown.mts';
import { incrementalFile } from './folders.mjs';

export type FolderResult = Awaited<ReturnType<typeof folderResult>>;

/** The statuses of mutants that the tests noticed, and of those that they did not. */
const NOTICED = ['Killed', 'RuntimeError', 'Timeout'];
const MISSED = ['Survived', 'NoCoverage'];

/** The results of a folder of nodes/shared. */
export async function folderResult(folder: string) {
	const text = await fs.readFile(incrementalFile(folder), 'utf8').catch(() => '{}');
	const files = Object.entries<ReportFile>(JSON.parse(text).files ?? {});
	const mutants = files.flatMap(([, file]) => file.mutants);
	const count = (...statuses: string[]) =>
		mutants.filter(({ status }) => statuses.includes(status)).length;
	const [timedOut, noticed, survived] = [count('Timeout'), count(...NOTICED), count(...MISSED)];
	const tested = noticed + survived;
	const survivors = files.map(([name, file]) => [
		path.relative('nodes/shared', name),
		survivorsOf(file),
	]);
	return {
		/** When the results were read. */
		at: new Date().toISOString(),
		/** All mutants of the folder. */
		mutants: mutants.length,
		/** Mutants that need no test: texts for people. */
		ignored: count('Ignored'),
		tested,
		/** Mutants that made tests fail. */
		killed: noticed - timedOut,
		/** Mutants whose tests did not end, which counts as noticed. */
		timedOut,
		/** Mutants whose tests passed, or that no test reached. */
		survived,
		/** The percentage of tested mutants that were noticed. */
		score: Math.round((1000 * noticed) / tested) / 10,
		/** By file: the line, the column and the change of each survivor. */
		survivors: Object.fromEntries(survivors.filter(([, lines]) => lines!.length > 0)),
	};
}

function survivorsOf({ source, mutants }: ReportFile) {
	return mutants
		.filter(({ status }) => MISSED.includes(status))
		.sort((a, b) => a.location.start.line - b.location.start.line)
		.map(({ location, replacement, status }) => {
			const { line, column } = location.start;
			const change = `${short(codeAt(source, location))} → ${short(replacement)}`;
			return `${line}:${column} ${change}${status === 'NoCoverage' ? ' (no test comes near)' : ''}`;
		});
}

function codeAt(source: string, { start, end }: Mutant['location']) {
	const lines = source.split('\n').slice(start.line - 1, end.line);
	if (lines.length === 1) return lines[0]?.slice(start.column - 1, end.column - 1) ?? '';
	return [lines[0]?.slice(start.column - 1), ...lines.slice(1)].join(' ');
}

function short(code: string) {
	const line = code.replace(/\s+/g, ' ');
	return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}

/** Lines and columns count from 1. */
type Place = { line: number; column: number };

interface Mutant {
	status: string;
	replacement: string;
	location: { start: Place; end: Place };
}

interface ReportFile {
	source: string;
	mutants: Mutant[];
}

const HEAD = ['Folder', 'Mutants', 'Texts', 'Tested', 'Failed', 'No end', 'Survived', 'Score'];

/** The page with the table of results by folder. */
export function withMutationTable(page: string, results: Record<string, FolderResult>): string {
	return between(page, 'mutate', mutationTable(results));
}

/** One row for each folder. Totals would mix whole folders with samples. */
export function mutationTable(results: Record<string, FolderResult>): string {
	return alignedTable([HEAD, ...Object.entries(results).map(cellsOf)]);
}

function cellsOf([name, result]: [string, FolderResult]): string[] {
	const { mutants, ignored, tested, killed, timedOut, survived, score } = result;
	const counts = [mutants, ignored, tested, killed, timedOut, survived].map(String);
	return [`\`${name}\``, ...counts, `${score.toFixed(1)} %`];
}
