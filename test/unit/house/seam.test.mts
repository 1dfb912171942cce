import fs from 'node:fs';
import path from 'node:path';

import { PURE_TABLES } from '../../whiteBox.mts';

/** Tests come to the product through one file, so that they hold while its inside changes. */
const SEAM = 'test/support/product.mts';

const FILES = fs
	.readdirSync('test', { recursive: true, encoding: 'utf8' })
	.filter((name) => /\.[cm]?ts$/.test(name))
	.map((name) => path.join('test', name));

const IMPORT =
	/\b(?:from|import|import\(|require\(|requireActual\(|mock\()\s*'(?<name>\.{1,2}\/[^']+)'/g;

/** The files of the product that it imports, types too. */
const insideOf = (file: string): string[] =>
	[...fs.readFileSync(file, 'utf8').matchAll(IMPORT)]
		.map(({ groups }) => path.join(path.dirname(file), groups!.name!))
		.filter((other) => /^(nodes|credentials)\//.test(other));

test('tests reach the product through test/support/product.mts alone, but for those in test/whiteBox.mts', () => {
	expect(insideOf(SEAM).length).toBeGreaterThan(5);
	const reaching = FILES.filter((file) => file !== SEAM && insideOf(file).length > 0);
	expect(reaching.sort()).toEqual([...PURE_TABLES].sort());
});
