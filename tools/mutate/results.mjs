import fs from 'node:fs/promises';
import path from 'node:path';

import { cacheFolder } from '../lib/cache.mjs';
import { scoreOf } from './score.mjs';

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
 * @property {number} score Percent of the folder's mutants that are noticed, as far as the tested ones tell.
 * @property {Record<string, import('./score.mjs').Counts>} [files] What was tested of each file.
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

/** Statuses of mutants that were shown to the tests: noticed, or not. */
const NOTICED = ['Killed', 'RuntimeError', 'Timeout'];
const MISSED = ['Survived', 'NoCoverage'];

/** A test may notice it by now, or the machine was busy. */
const DOUBTFUL = ['Survived', 'Timeout'];

/** Marks what Stryker is to test again, where it is to test it at all; what it was stands behind. */
const WAS = 'Was: ';

/**
 * Makes Stryker start from the last results, but for what was left out.
 *
 * @param {string} folder
 * @param {boolean} again What is doubtful is tested again instead.
 */
export async function beginWithResults(folder, again) {
	const report = await reportIn(resultsFile(folder));
	await fs.rm(incrementalFile(folder), { force: true });
	if (!report) return;
	const isOpen = (/** @type {Mutant} */ { status }) =>
		again ? DOUBTFUL.includes(status) : status === LEFT_OUT;
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
 * Mutants that a run starts from as tested, to be tested again or not.
 *
 * @param {string} folder
 * @returns {Promise<Set<string>>} as `placeOf` names them
 */
export async function testedBefore(folder) {
	const report = await reportIn(incrementalFile(folder));
	const tested = [...NOTICED, ...MISSED].flatMap((status) => [status, `${WAS}${status}`]);
	return new Set(
		Object.entries(report?.files ?? {}).flatMap(([name, { mutants }]) =>
			mutants
				.filter(({ status, statusReason }) =>
					tested.includes(status === 'Ignored' ? String(statusReason) : status),
				)
				.map((mutant) => placeOf(name, mutant, mutant.location.start)),
		),
	);
}

/**
 * @param {string} fileName of the repository or of a copy
 * @param {{ mutatorName: string, replacement: string }} change
 * @param {Place} start from 1
 */
export function placeOf(fileName, { mutatorName, replacement }, { line, column }) {
	const file = fileName.slice(fileName.lastIndexOf('nodes/shared/'));
	return JSON.stringify([file, line, column, mutatorName, replacement]);
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
	const count = (...statuses) => countIn(mutants, statuses);
	const [timedOut, noticed, survived] = [count('Timeout'), count(...NOTICED), count(...MISSED)];
	const tested = noticed + survived;
	const counts = Object.fromEntries(files.map(([name, file]) => [shortName(name), countsOf(file)]));
	return {
		at: new Date().toISOString(),
		mutants: mutants.length,
		ignored: count('Ignored'),
		tested,
		killed: noticed - timedOut,
		timedOut,
		survived,
		score: scoreOf(Object.values(counts)),
		files: counts,
		survivors: Object.fromEntries(
			files
				.map(([name, file]) => [shortName(name), survivorsOf(file)])
				.filter(([, survivors]) => survivors?.length),
		),
	};
}

/** @param {string} name */
const shortName = (name) => path.relative('nodes/shared', name);

/** @param {ReportFile} file */
function countsOf({ mutants }) {
	const [noticed, missed] = [countIn(mutants, NOTICED), countIn(mutants, MISSED)];
	const ignored = countIn(mutants, ['Ignored']);
	return { mutants: mutants.length - ignored, tested: noticed + missed, noticed };
}

/**
 * @param {Mutant[]} mutants
 * @param {string[]} statuses
 */
const countIn = (mutants, statuses) =>
	mutants.filter(({ status }) => statuses.includes(status)).length;

/** @param {ReportFile} file */
function survivorsOf({ source, mutants }) {
	return mutants
		.filter(({ status }) => MISSED.includes(status))
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
 * @property {string} mutatorName
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
