import fs from 'node:fs/promises';
import path from 'node:path';

import { ensureDevDependencies } from './lib/devDependencies.mjs';
import { runTool } from './lib/lifecycle.mjs';
import { importTypeScript } from './lib/typeScript.mjs';

/** Where the reference is, seen from the repository's root. */
const FILE = path.join('docs', 'reference.md');

await runTool(async () => {
	await ensureDevDependencies();
	const { reference } = await importTypeScript('tools/lib/reference.mts');
	await fs.writeFile(FILE, reference());
	console.log(`Written: ${FILE}`);
});
