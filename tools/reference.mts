import fs from 'node:fs/promises';

import { withPrices } from './lib/docs/prices.mts';
import { reference } from './lib/docs/reference.mts';
import { GALLERY, gallery } from './lib/gallery.mts';

/** Pages that are generated as a whole, by file. */
export const PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
	'docs/reference.md': reference,
	[GALLERY]: gallery,
};

/** The page with the generated list of prices among other text. */
export const PRICED_PAGE = 'docs/prices.md';

export default async function main() {
	for (const [file, write] of Object.entries(PAGES)) {
		await fs.writeFile(file, await write());
		console.log(`Written: ${file}`);
	}
	await fs.writeFile(PRICED_PAGE, withPrices(await fs.readFile(PRICED_PAGE, 'utf8')));
	console.log(`Written: prices in ${PRICED_PAGE}`);
}
