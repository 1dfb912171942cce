import fs from 'node:fs/promises';
import path from 'node:path';

import { cacheFolder } from '../lib/cache.mjs';

/**
 * What was found of a folder of nodes/shared.
 *
 * @typedef {object} FolderResult
 * @property {string} at When it was found.
 * @property {number} mutants All of the folder.
 * @property {number} ignored Those that nobody is to test: texts for people.
 * @property {number} tested Those that were tested.
 * @property {number} killed Tests failed.
 * @property {number} timedOut Tests did not end, which is noticed too.
 * @property {number} survived Tests passed, or none came near.
 * @property {number} score Percent of the tested ones that were noticed.
 * @property {Record<string, string[]>} survivors By file: line and column, and what became of the code.
 */

/** @param {string} folder */
const resultsFile = (folder) => path.join(cacheFolder(), 'mutation', `${folder}.json`);

/**
 * What Stryker starts from and writes to. It becomes the results when a run has come to its end.
 *
 * @param {string} folder
 */
export const incrementalFile = (folder) => `${resultsFile(folder)}.next`;

/** Left out of the share of a run, which says it as if the code did not compile: for a larger share. */
const LEFT_OUT = 'CompileError';

/** A test may notice it by now, or the machine was busy. */
const DOUBTFUL = ['Survived', 'Timeout'];

/** Marks what Stryker is to test again, where it is to test it at all; what it was stands behind. */
const WAS = 'Was: ';

/**
 * Makes Stryker start from the last results, but for what was left out.
 *
 * @param {string} folder
 * @param {boolean} again What is doubtful is tested again, too.
 */
export async function beginWithResults(folder, again) {
	const report = await reportIn(resultsFile(folder));
	await fs.rm(incrementalFile(folder), { force: true });
	if (!report) return;
	const isOpen = (/** @type {Mutant} */ { status }) =>
		status === LEFT_OUT || (again && DOUBTFUL.includes(status));
	for (const file of Object.values(report.files)) {
		file.mutants = file.mutants.map((mutant) =>
			isOpen(mutant)
				? { ...mutant, status: 'Ignored', statusReason: `${WAS}${mutant.status}` }
				: mutant,
		);
	}
	await fs.writeFile(incrementalFile(folder), JSON.stringify(report));
}

/**
 * After a run that has come to its end.
 *
 * @param {string} folder
 */
export async function keepResults(folder) {
	const report = await reportIn(incrementalFile(folder));
	for (const file of Object.values(report?.files ?? {})) {
		file.mutants = file.mutants.map((mutant) =>
			mutant.statusReason?.startsWith(WAS)
				? { ...mutant, status: mutant.statusReason.slice(WAS.length), statusReason: undefined }
				: mutant,
		);
	}
	await fs.writeFile(resultsFile(folder), JSON.stringify(report));
}

/**
 * @param {string} folder
 * @returns {Promise<FolderResult>}
 */
export async function folderResult(folder) {
	const report = await reportIn(resultsFile(folder));
	const files = Object.entries(report?.files ?? {});
	const mutants = files.flatMap(([, file]) => file.mutants);
	/** @param {string[]} statuses */
	const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
	const [killed, timedOut] = [count('Killed', 'RuntimeError'), count('Timeout')];
	const survived = count('Survived', 'NoCoverage');
	const tested = killed + timedOut + survived;
	return {
		at: new Date().toISOString(),
		mutants: mutants.length,
		ignored: count('Ignored'),
		tested,
		killed,
		timedOut,
		survived,
		score: Math.round((1000 * (killed + timedOut)) / tested) / 10,
		survivors: Object.fromEntries(
			files
				.map(([name, file]) => [path.relative('nodes/shared', name), survivorsOf(file)])
				.filter(([, survivors]) => survivors?.length),
		),
	};
}

/** @param {ReportFile} file */
function survivorsOf({ source, mutants }) {
	return mutants
		.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
		.sort((a, b) => a.location.start.line - b.location.start.line)
		.map(({ location, replacement, status }) => {
			const { line, column } = location.start;
			const change = `${short(codeAt(source, location))} → ${short(replacement)}`;
			return `${line}:${column} ${change}${status === 'NoCoverage' ? ' (no test comes near)' : ''}`;
		});
}

/**
 * @param {string} source
 * @param {Mutant['location']} location Lines and columns from 1.
 */
function codeAt(source, { start, end }) {
	const lines = source.split('\n').slice(start.line - 1, end.line);
	if (lines.length === 1) return lines[0]?.slice(start.column - 1, end.column - 1) ?? '';
	return [lines[0]?.slice(start.column - 1), ...lines.slice(1)].join(' ');
}

/** @param {string} code */
function short(code) {
	const line = code.replace(/\s+/g, ' ');
	return line.length > 60 ? `${line.slice(0, 60)}…` : line;
}

/**
 * @typedef {{ line: number, column: number }} Place
 * @typedef {object} Mutant
 * @property {string} status
 * @property {string} [statusReason]
 * @property {string} replacement
 * @property {{ start: Place, end: Place }} location
 * @typedef {{ source: string, mutants: Mutant[] }} ReportFile
 */

/**
 * @param {string} file
 * @returns {Promise<{ files: Record<string, ReportFile> } | undefined>} Undefined when there is none.
 */
async function reportIn(file) {
	const text = await fs.readFile(file, 'utf8').catch(() => undefined);
	return text === undefined ? undefined : JSON.parse(text);
}
