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
 * @property {number} score Percent of the tested ones that are noticed.
 * @property {Record<string, string[]>} survivors By file: line and column, and what became of the code.
 */

/**
 * What Stryker starts from and writes to.
 *
 * @param {string} folder
 */
export const incrementalFile = (folder) => path.join(cacheFolder(), 'mutants', `${folder}.json`);

/** Statuses of mutants that were shown to the tests: noticed, or not. */
const NOTICED = ['Killed', 'RuntimeError', 'Timeout'];
const MISSED = ['Survived', 'NoCoverage'];

/**
 * @param {string} folder
 * @returns {Promise<FolderResult>}
 */
export async function folderResult(folder) {
	const report = await reportIn(incrementalFile(folder));
	const files = Object.entries(report?.files ?? {});
	const mutants = files.flatMap(([, file]) => file.mutants);
	/** @param {string[]} statuses */
	const count = (...statuses) => mutants.filter(({ status }) => statuses.includes(status)).length;
	const [timedOut, noticed, survived] = [count('Timeout'), count(...NOTICED), count(...MISSED)];
	const tested = noticed + survived;
	return {
		at: new Date().toISOString(),
		mutants: mutants.length,
		ignored: count('Ignored'),
		tested,
		killed: noticed - timedOut,
		timedOut,
		survived,
		score: Math.round((1000 * noticed) / tested) / 10,
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
