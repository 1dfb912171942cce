import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';

import { runTool } from './lib/lifecycle.mjs';
import { npmInstall } from './lib/npm.mjs';
import { step } from './lib/run.mjs';
import { importTypeScript } from './lib/typeScript.mjs';

/**
 * node tools/start.mjs <tool> ...
 *
 * Runs a tool of this folder that needs the development dependencies, after installing them if necessary.
 */
await runTool(async () => {
	const [tool] = process.argv.splice(2, 1);
	await ensureDevDependencies();
	const { default: main } = await importTypeScript(`tools/${tool}.mts`);
	return await main();
});

/**
 * Makes sure that node_modules agrees with package-lock.json. It compares the lock's content, not its time, which a
 * checkout changes even if the file stays the same.
 */
async function ensureDevDependencies() {
	const lock = await fs.readFile('package-lock.json');
	const hash = createHash('sha256').update(lock).digest('hex');
	const stamp = path.join('node_modules', '.installedLock');
	const installed = await fs.readFile(stamp, 'utf8').catch(() => '');
	if (installed === hash) return;
	await step('Installing the development dependencies (about 30 s)', () =>
		// The repository's lock stays as it is, whatever this npm would add to it.
		npmInstall(['--no-save'], {
			what: 'Installing the development dependencies',
			cwd: process.cwd(),
		}),
	);
	await fs.writeFile(stamp, hash);
}
