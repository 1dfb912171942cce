import fs from 'node:fs/promises';

import { ensureDevDependencies } from './lib/devDependencies.mjs';
import { runTool } from './lib/lifecycle.mjs';
import { importTypeScript } from './lib/typeScript.mjs';

await runTool(async () => {
	await ensureDevDependencies();
	const { PAGES, PRICED_PAGE } = await importTypeScript('tools/lib/docs/pages.mts');
	const { withPrices } = await importTypeScript('tools/lib/docs/prices.mts');
	for (const [file, write] of Object.entries(PAGES)) {
		await fs.writeFile(file, await write());
		console.log(`Written: ${file}`);
	}
	await fs.writeFile(PRICED_PAGE, withPrices(await fs.readFile(PRICED_PAGE, 'utf8')));
	console.log(`Written: prices in ${PRICED_PAGE}`);
});
