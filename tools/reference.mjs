import fs from 'node:fs/promises';
import path from 'node:path';

import { ensureDevDependencies } from './lib/devDependencies.mjs';
import { runTool } from './lib/lifecycle.mjs';
import { importTypeScript } from './lib/typeScript.mjs';

/** Where the reference is, seen from the repository's root. */
const FILE = path.join('docs', 'reference.md');

/** Has a table that follows from the same tables. */
const README = 'README.md';

await runTool(async () => {
	await ensureDevDependencies();
	const { reference, withReadiness } = await importTypeScript('tools/lib/reference.mts');
	await fs.writeFile(FILE, reference());
	await fs.writeFile(README, withReadiness(await fs.readFile(README, 'utf8')));
	console.log(`Written: ${FILE}, and a table in ${README}`);
});
