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

/** It imports from the product, or a file that knows the inside of the product. */
const knowsInside = (file: string) =>
	importsOf(file).some((other) => isProduct(other) || WHITE.has(other));

const inside = FILES.filter((file) => file !== SEAM && !PURE_TABLES.includes(file)).filter(
	knowsInside,
);

test('imports are seen', () => {
	expect(FILES.length).toBeGreaterThan(300);
	expect(importsOf(SEAM).filter(isProduct).length).toBeGreaterThan(5);
});

test('no other file imports from the product than those on the list', () => {
	expect(inside.filter((file) => !WHITE.has(file))).toEqual([]);
});

test('who no longer knows the inside is no longer on the list', () => {
	expect([...WHITE].filter((file) => !inside.includes(file))).toEqual([]);
	expect(PURE_TABLES.filter((file) => !importsOf(file).some(isProduct))).toEqual([]);
});
