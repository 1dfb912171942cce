import fs from 'node:fs/promises';

import { runTool } from './lib/lifecycle.mjs';
import { outdatedFiles } from './lib/metadata.mts';

/**
 * npm run metadata
 *
 * Copies what package.json says of the package's owner into all other files that name one.
 */
await runTool(async () => {
	const files = outdatedFiles();
	for (const { file, text } of files) await fs.writeFile(file, text);
	console.log(files.length > 0 ? files.map(({ file }) => file).join('\n') : 'Nothing to change.');
});
