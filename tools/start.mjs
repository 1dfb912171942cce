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
 * Runs a tool of this folder that needs the development dependencies, once they are there.
 */
await runTool(async () => {
	const [tool] = process.argv.splice(2, 1);
	await ensureDevDependencies();
	const { default: main } = await importTypeScript(`tools/${tool}.mts`);
	return await main();
});

/**
 * Makes sure that node_modules is what package-lock.json says. It compares contents, not times: a
 * checkout changes the times of files that stay the same.
 */
async function ensureDevDependencies() {
	const lock = await fs.readFile('package-lock.json');
	const hash = createHash('sha256').update(lock).digest('hex');
	const stamp = path.join('node_modules', '.installedLock');
	const installed = await fs.readFile(stamp, 'utf8').catch(() => '');
	if (installed === hash) return;
	await step('Installing the development dependencies (about 30 s)', () =>
		// Not saved: the lock of the repository stays as it is, whatever this npm would add to it.
		npmInstall(['--no-save'], {
			what: 'Installing the development dependencies',
			cwd: process.cwd(),
			// Elsewhere, what is there is kept: a few changes in the lock take seconds.
			command: process.env.CI ? 'ci' : 'install',
		}),
	);
	await fs.writeFile(stamp, hash);
}
