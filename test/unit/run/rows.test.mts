import { otherRowsInWords } from '../../../nodes/shared/run/rows.ts';

test.each([
	[[0, 1, 2], 'any after row 3'],
	[[2, 0], 'row 2, and any after row 3'],
	[[0, 3, 8], 'rows 2 to 3, rows 5 to 8, and any after row 9'],
	[[1_000_000_000], 'rows 1 to 1000000000, and any after row 1000000001'],
])('the rows beside %j', (rows, words) => {
	expect(otherRowsInWords(rows)).toBe(words);
});

test('of many gaps, the first are named', () => {
	const words = otherRowsInWords(Array.from({ length: 500 }, (_, index) => 2 * index + 1));
	expect(words).toMatch(/^row 1, row 3, .*, row 19, others between them, and any after row 1000$/);
});
