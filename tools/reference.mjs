import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';

import { ensureDevDependencies } from './lib/devDependencies.mjs';
import { runTool } from './lib/lifecycle.mjs';
import { importTypeScript } from './lib/typeScript.mjs';

await runTool(async () => {
	await ensureDevDependencies();
	const { PAGES, PRICED_PAGES } = await importTypeScript('tools/lib/docs/pages.mts');
	const { BEGIN, withPrices } = await importTypeScript('tools/lib/docs/prices.mts');
	for (const [file, write] of Object.entries(PAGES)) {
		await fs.writeFile(file, await write());
		console.log(`Written: ${file}`);
	}
	for (const file of PRICED_PAGES) {
		const text = existsSync(file) ? await fs.readFile(file, 'utf8') : '';
		if (!text.includes(BEGIN)) continue;
		await fs.writeFile(file, withPrices(text));
		console.log(`Written: prices in ${file}`);
	}
	const { withGallery } = await importTypeScript('tools/lib/gallery.mts');
	await fs.writeFile('README.md', withGallery(await fs.readFile('README.md', 'utf8')));
	console.log('Written: examples in README.md');
});
