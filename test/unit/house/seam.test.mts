import fs from 'node:fs';
import path from 'node:path';

import { PURE_TABLES, WHITE_BOX } from '../../whiteBox.mts';

/** Tests come to the product through one file, so that they hold while its inside changes. */
const SEAM = 'test/support/product.mts';

const FILES = fs
	.readdirSync('test', { recursive: true, encoding: 'utf8' })
	.filter((name) => /\.[cm]?ts$/.test(name))
	.map((name) => path.join('test', name));

const IMPORT =
	/\b(?:from|import|import\(|require\(|requireActual\(|mock\()\s*'(?<name>\.{1,2}\/[^']+)'/g;

/** The files that it imports, types too. */
const importsOf = (file: string): string[] =>
	[...fs.readFileSync(file, 'utf8').matchAll(IMPORT)].map(({ groups }) =>
		path.join(path.dirname(file), groups!.name!),
	);

const isProduct = (file: string) => /^(nodes|credentials)\//.test(file);

const WHITE = new Set([...WHITE_BOX]);

/** What it imports from the product, or from a file that knows the inside of the product: `test/a.mts → nodes/b.ts`. */
const insideOf = (file: string) =>
	file === SEAM || PURE_TABLES.includes(file)
		? []
		: importsOf(file)
				.filter((other) => isProduct(other) || WHITE.has(other))
				.map((other) => `${file} → ${other}`);

test('imports are seen', () => {
	expect(FILES.length).toBeGreaterThan(200);
	expect(importsOf(SEAM).filter(isProduct).length).toBeGreaterThan(5);
});

test('tests reach the product through test/support/product.mts alone, but for those in test/whiteBox.mts', () => {
	expect(FILES.filter((file) => !WHITE.has(file)).flatMap(insideOf)).toEqual([]);
});

test('nobody is in test/whiteBox.mts any more', () => {
	expect(WHITE.size).toBe(0);
	expect([...WHITE].filter((file) => insideOf(file).length === 0)).toEqual([]);
	expect(PURE_TABLES.filter((file) => !importsOf(file).some(isProduct))).toEqual([]);
});
