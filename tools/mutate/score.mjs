/**
 * Of a file: its mutants but for those that nobody is to test, how many of them were tested, and noticed.
 *
 * @typedef {{ mutants: number, tested: number, noticed: number }} Counts
 */

/**
 * How many of all mutants of the files are noticed, in percent with one digit. Files that were tested as a whole
 * count as they are. The others count by what was noticed in their sample, however few of them it has.
 *
 * @param {Counts[]} files
 */
export function scoreOf(files) {
	const whole = sumOf(files.filter(isWhole));
	const sample = sumOf(files.filter((file) => !isWhole(file)));
	if (sample.tested === 0) return percent(whole.noticed, whole.mutants);
	const likely = (sample.noticed / sample.tested) * sample.mutants;
	return percent(whole.noticed + likely, whole.mutants + sample.mutants);
}

/** @param {Counts} file */
const isWhole = ({ mutants, tested }) => tested === mutants;

/** @param {Counts[]} files */
const sumOf = (files) =>
	files.reduce(
		(sum, { mutants, tested, noticed }) => ({
			mutants: sum.mutants + mutants,
			tested: sum.tested + tested,
			noticed: sum.noticed + noticed,
		}),
		{ mutants: 0, tested: 0, noticed: 0 },
	);

/**
 * @param {number} part
 * @param {number} all
 */
const percent = (part, all) => Math.round((1000 * part) / all) / 10;
