import fs from 'node:fs/promises';
import path from 'node:path';
import util from 'node:util';

import { ensureDevDependencies } from './lib/devDependencies.mjs';
import { ToolError } from './lib/errors.mjs';
import { runTool } from './lib/lifecycle.mjs';
import { print, run } from './lib/run.mjs';
import { importTypeScript } from './lib/typeScript.mjs';
import { FOLDERS } from './mutate/folders.mjs';
import { beginWithResults, folderResult, keepResults } from './mutate/results.mjs';

/** Where the results are kept, and the page with the table of them. */
const RESULTS = 'docs/maintainers/mutation.json';
const PAGE = 'docs/maintainers/mutation.md';

const NAMES = Object.keys(FOLDERS);

/** The share of a run that tests nothing new. */
const NONE = '0/1';

const USAGE = `npm run mutate [-- <folder> ...] [--share <n>/<of>] [--again] [--report] [-- <arguments for Stryker>]

Changes the code of nodes/shared in many small ways, one at a time, and shows each to the unit tests:
what they let pass was not tested. All folders when none is named: ${NAMES.join(', ')}.
A folder takes many minutes at first. Later runs test only what has changed.
  --share   tests so many of the mutants, such as 1/5, always the same ones
  --again   tests again what survived, or did not end, and nothing that was not tested yet
  --report  runs nothing: tells what was found
The results go to ${RESULTS}, with all survivors, and as a table to ${PAGE}.`;

await runTool(async () => {
	const { folders, share, again, report, help, rest } = readArguments();
	if (help) return console.log(USAGE);
	await ensureDevDependencies();
	let failed = false;
	for (const folder of report ? [] : folders)
		failed = !(await mutate(folder, { share, again }, rest)) || failed;
	await keep(folders);
	return failed ? 1 : 0;
});

function readArguments() {
	const args = process.argv.slice(2);
	const dashes = args.includes('--') ? args.indexOf('--') : args.length;
	try {
		const { values, positionals } = util.parseArgs({
			args: args.slice(0, dashes),
			allowPositionals: true,
			options: {
				share: { type: 'string' },
				again: { type: 'boolean', default: false },
				report: { type: 'boolean' },
				help: { type: 'boolean', short: 'h' },
			},
		});
		const unknown = positionals.find((folder) => !NAMES.includes(folder));
		if (unknown) throw new Error(`There is no folder "${unknown}".`);
		const isShare = values.share === undefined || /^[1-9]\d*\/[1-9]\d*$/.test(values.share);
		if (!isShare) throw new Error(`"${values.share}" is no share.`);
		if (values.share && values.again) throw new Error('--again takes no --share.');
		const folders = NAMES.filter((name) => positionals.length === 0 || positionals.includes(name));
		return { folders, ...values, rest: args.slice(dashes + 1) };
	} catch (error) {
		throw new ToolError(`${/** @type {Error} */ (error).message}\n\n${USAGE}`);
	}
}

/**
 * @param {string} folder
 * @param {{ share?: string, again: boolean }} which
 * @param {string[]} strykerArguments
 * @returns {Promise<boolean>} Whether it came to its end.
 */
async function mutate(folder, { share, again }, strykerArguments) {
	console.log(`\n=== ${folder}`);
	await beginWithResults(folder, again);
	const program = path.join('node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
	const env = {
		...process.env,
		MUTATE_FOLDER: folder,
		...((share || again) && { MUTATE_SHARE: share ?? NONE }),
	};
	const { code } = await run(process.execPath, [program, 'run', ...strykerArguments], {
		show: print,
		env,
	});
	if (code === 0) await keepResults(folder);
	return code === 0;
}

/**
 * Puts the results of folders in the place of those that they had before, and prints all.
 *
 * @param {string[]} folders
 */
async function keep(folders) {
	const { mutationTable, withMutationTable } = await importTypeScript('tools/mutate/table.mts');
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
