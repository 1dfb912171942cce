/** Besides `test/support/product.mts`, these alone import from `nodes/`: tables of operations, which the sandbox is made of as well. */
export const PURE_TABLES: readonly string[] = [
	'test/support/operations.mts',
	'test/support/madeUpFamily.mts',
	'test/support/withMadeUpFamily.mts',
];
