import fs from 'node:fs/promises';

import { PAGES, PRICED_PAGE } from './lib/docs/pages.mts';
import { withPrices } from './lib/docs/prices.mts';

export default async function main() {
	for (const [file, write] of Object.entries(PAGES)) {
		await fs.writeFile(file, await write());
		console.log(`Written: ${file}`);
	}
	await fs.writeFile(PRICED_PAGE, withPrices(await fs.readFile(PRICED_PAGE, 'utf8')));
	console.log(`Written: prices in ${PRICED_PAGE}`);
}
