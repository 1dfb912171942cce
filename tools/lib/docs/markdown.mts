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

/** JSON as a block. */
export const jsonBlock = (value: unknown): string =>
	['```json', JSON.stringify(value, null, '\t'), '```'].join('\n');
