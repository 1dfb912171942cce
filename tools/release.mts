import fs from 'node:fs/promises';

import { ToolError } from './lib/errors.mjs';
import { runTool } from './lib/lifecycle.mjs';
import { changesOf, requireOwner } from './lib/releases.mts';

/**
 * npm run release -- <tag>
 *
 * Checks that package.json, its lock and CHANGELOG.md have the version of a tag such as v0.1.0, and prints its changes:
 * .github/workflows/publish.yml publishes nothing before.
 */
await runTool(async () => {
	const version = process.argv.at(-1)!.replace(/^v/, '');
	for (const file of ['package.json', 'package-lock.json']) {
		const { version: found } = JSON.parse(await fs.readFile(file, 'utf8'));
		if (found !== version) throw new ToolError(`${file} says ${found}, and the tag ${version}.`);
	}
	requireOwner(JSON.parse(await fs.readFile('package.json', 'utf8')).author);
	console.log(changesOf(await fs.readFile('CHANGELOG.md', 'utf8'), version));
});
