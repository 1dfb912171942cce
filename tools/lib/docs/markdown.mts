/** Says of a page where it comes from; it is not shown. */
export const GENERATED = '<!-- Written by npm run reference; not to be edited. -->';

/** A table, as narrow as it can be in a file that nobody edits. */
export function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
	const line = (cells: readonly string[]) =>
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** The anchor of a heading, as GitHub makes it. */
export const anchorOf = (heading: string): string =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\p{N} _-]/gu, '')
		.replaceAll(' ', '-');

export const jsonBlock = (value: unknown): string =>
	['```json', JSON.stringify(value, null, '\t'), '```'].join('\n');

/**
 * A file with another text between two lines of it.
 *
 * @throws Error when it does not have them
 */
export function between(file: string, mark: string, text: string): string {
	const [begin, end] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`];
	const [before, rest] = halves(file, begin);
	const [, after] = halves(rest, end);
	return `${before}${begin}\n\n${text}\n\n${end}${after}`;
}

function halves(text: string, mark: string): [string, string] {
	const at = text.indexOf(mark);
	if (at < 0) throw new Error(`There is no line ${mark}`);
	return [text.slice(0, at), text.slice(at + mark.length)];
}

/** As the formatter of the repository wants it. */
export function alignedTable([head = [], ...rows]: string[][]): string {
	const widths = head.map((_, column) =>
		Math.max(3, ...[head, ...rows].map((row) => row[column]!.length)),
	);
	const line = (cells: string[]) =>
		`| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
	return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
