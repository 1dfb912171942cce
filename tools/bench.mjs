import fs from 'node:fs/promises';
import util from 'node:util';

import { ensureDevDependencies } from './lib/devDependencies.mjs';
import { ToolError } from './lib/errors.mjs';
import { runTool } from './lib/lifecycle.mjs';
import { ensureN8n } from './lib/n8nInstall.mjs';
import { buildPackage } from './lib/packageBuild.mjs';
import { importTypeScript } from './lib/typeScript.mjs';

const USAGE = `npm run bench [-- <part> ...] [-- --json <file>]

Measures the package against the simulated service, and says whether it keeps its promises (exit
code 1 when it does not). All parts when none is named:
  a  20 images in a real n8n, beside workflows made of n8n's own nodes (about 5 minutes)
  b  how late the end of a job is seen and how many looks that takes (virtual time)
  c  overhead per item beside the HTTP Request node, in a real n8n
  d  a day of 10,000 jobs (virtual time)
  e  what 200 executions that wait durably cost n8n (about 9 minutes)
  --json  writes the numbers to a file; they are printed at the end when it is left out`;

/** The parts, and whether they need a real n8n. */
const PARTS = { a: true, b: false, c: true, d: false, e: true };

/** @typedef {keyof typeof PARTS} Part */

await runTool(async () => {
	const { parts, json, help } = readArguments();
	if (help) return console.log(USAGE);
	await ensureDevDependencies();
	const real = parts.some((part) => PARTS[part])
		? { n8n: await ensureN8n(), tarball: await buildPackage() }
		: undefined;
	const { runBench } = await importTypeScript('tools/bench/run.mts');
	const result = await runBench(parts, real);
	const text = JSON.stringify(result, undefined, 2);
	if (json) await fs.writeFile(json, `${text}\n`);
	else console.log(`\n${text}`);
	return result.passed ? 0 : 1;
});

function readArguments() {
	try {
		const { values, positionals } = util.parseArgs({
			allowPositionals: true,
			options: { json: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
		});
		const unknown = positionals.find((part) => !(part in PARTS));
		if (unknown) throw new Error(`There is no part "${unknown}".`);
		const named = /** @type {Part[]} */ (Object.keys(PARTS)).filter(
			(part) => positionals.length === 0 || positionals.includes(part),
		);
		return { parts: named, ...values };
	} catch (error) {
		throw new ToolError(`${/** @type {Error} */ (error).message}\n\n${USAGE}`);
	}
}
