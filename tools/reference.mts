import fs from 'node:fs/promises';

import { withPrices } from './lib/docs/prices.mts';
import { reference } from './lib/docs/reference.mts';

export const REFERENCE = 'docs/reference.md';

/** The page with the generated list of prices among other text. */
export const PRICED_PAGE = 'docs/prices.md';

export default async function main() {
	await fs.writeFile(REFERENCE, reference());
	await fs.writeFile(PRICED_PAGE, withPrices(await fs.readFile(PRICED_PAGE, 'utf8')));
	console.log(`Written: ${REFERENCE}, and prices in ${PRICED_PAGE}`);
}
