/** Marks a page as generated; readers do not see it. */
export const GENERATED = '<!-- Written by npm run reference; not to be edited. -->';

/** A table without padding, for files that nobody edits. */
export function table(head: readonly string[], rows: ReadonlyArray<readonly string[]>): string {
	const line = (cells: readonly string[]) =>
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

export const jsonBlock = (value: unknown): string =>
	['```json', JSON.stringify(value, null, '\t'), '```'].join('\n');

/**
 * Replaces the text between two marker lines of a file.
 *
 * @throws Error if the file lacks a marker
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

/** A table with padded columns, as the repository's formatter wants it. */
export function alignedTable([head = [], ...rows]: string[][]): string {
	const widths = head.map((_, column) =>
		Math.max(3, ...[head, ...rows].map((row) => row[column]!.length)),
	);
	const line = (cells: string[]) =>
		`| ${cells.map((cell, column) => cell.padEnd(widths[column]!)).join(' | ')} |`;
	return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
