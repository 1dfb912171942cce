/**
 * Tests that know the inside of the product, and fall with it: they import from `nodes/` or `credentials/`, or from
 * another file on this list. It only gets shorter, and is empty when the redesign is done.
 */
export const WHITE_BOX: readonly string[] = [];

/** Tables of operations, which the sandbox is made of as well. */
export const PURE_TABLES: readonly string[] = [
	'test/support/operations.mts',
	'test/support/madeUpFamily.mts',
	'test/support/withMadeUpFamily.mts',
];
