import { scoreOf } from '../../../tools/mutate/score.mjs';

const file = (mutants: number, tested: number, noticed: number) => ({ mutants, tested, noticed });

test.each([
	['a whole folder', [file(100, 100, 90), file(60, 60, 60)], 93.8],
	['a sample', [file(100, 10, 8), file(300, 30, 20), file(20, 0, 0)], 70],
	[
		'one file whole, which is a third of the folder',
		[file(100, 100, 100), file(200, 20, 10)],
		66.7,
	],
	['a whole file, and nothing of another', [file(100, 100, 90), file(50, 0, 0)], 90],
])('the score of %s', (_, files, score) => {
	expect(scoreOf(files)).toBe(score);
});
