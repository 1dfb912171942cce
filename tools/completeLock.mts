import fs from 'node:fs/promises';

import { runTool } from './lib/lifecycle.mjs';
import { completeLock } from './lib/lockFile.mts';

/**
 * npm run lock [-- <file> ...]
 *
 * Adds to package-lock.json, or to the given locks, the optional packages for other machines that the current registry
 * lacks, so that `npm ci` accepts the lock. Run it after `npm install`.
 */
await runTool(async () => {
	const files = process.argv.slice(2);
	for (const file of files.length > 0 ? files : ['package-lock.json']) {
		const { lock, added } = completeLock(JSON.parse(await fs.readFile(file, 'utf8')));
		if (added.length > 0) await fs.writeFile(file, `${JSON.stringify(lock, null, '\t')}\n`);
		console.log([`${file}: ${added.length} entries added`, ...added].join('\n  '));
	}
});
