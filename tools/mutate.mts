import fs from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from './lib/errors.mjs';
import { print, run } from './lib/run.mjs';
import { FOLDERS } from './mutate/folders.mjs';
import { folderResult, mutationTable, withMutationTable } from './mutate/results.mts';

/** The files of the results and of their table. */
const RESULTS = 'docs/maintainers/mutation.json';
const PAGE = 'docs/maintainers/mutation.md';

const NAMES = Object.keys(FOLDERS);

const USAGE = `npm run mutate [-- <folder> ...] [-- <arguments for Stryker>]

Changes the code of nodes/shared in many small ways, one at a time, and runs the unit tests on each change:
one that no test notices shows code that is not tested. Folders: ${NAMES.join(', ')}; all if none is named.
A folder takes many minutes at first. Later runs test only what has changed.
The results go to ${RESULTS}, with all survivors, and as a table to ${PAGE}.`;

export default async function main() {
	const args = process.argv.slice(2);
	const dashes = args.includes('--') ? args.indexOf('--') : args.length;
	const asked = args.slice(0, dashes);
	if (asked.includes('--help')) return console.log(USAGE);
	const unknown = asked.find((folder) => !NAMES.includes(folder));
	if (unknown !== undefined) throw new ToolError(`There is no folder "${unknown}".\n\n${USAGE}`);
	const folders = NAMES.filter((name) => asked.length === 0 || asked.includes(name));
	let failed = false;
	for (const folder of folders) failed = !(await mutate(folder, args.slice(dashes + 1))) || failed;
	await keep(folders);
	return failed ? 1 : 0;
}

async function mutate(folder: string, strykerArguments: string[]): Promise<boolean> {
	console.log(`\n=== ${folder}`);
	const program = path.join('node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
	const { code } = await run(process.execPath, [program, 'run', ...strykerArguments], {
		show: print,
		env: { ...process.env, MUTATE_FOLDER: folder },
	});
	return code === 0;
}

/** Replaces the earlier results of the folders, and prints all. */
async function keep(folders: string[]) {
	const results = JSON.parse(await fs.readFile(RESULTS, 'utf8').catch(() => '{}'));
	for (const folder of folders) {
		const result = await folderResult(folder);
		if (result.tested > 0) results[folder] = result;
	}
	const all = Object.fromEntries(
		NAMES.filter((name) => name in results).map((name) => [name, results[name]]),
	);
	await fs.writeFile(RESULTS, `${JSON.stringify(all, undefined, '\t')}\n`);
	await fs.writeFile(PAGE, withMutationTable(await fs.readFile(PAGE, 'utf8'), all));
	console.log(`\n${mutationTable(all)}\n\nWritten: ${RESULTS}, and a table in ${PAGE}`);
}
