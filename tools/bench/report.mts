import { limitOf } from './bounds.mts';
import {
	outcomeOf,
	withUnit,
	type Check,
	type PartResult,
	type Row,
	type Table,
} from './result.mts';

/** A part as it is printed. */
export function partText({ title, tables, checks, notes }: PartResult): string {
	return [
		`\n=== ${title}`,
		...tables.map(tableText),
		...notes.map((note) => `  ${note}`),
		tableText({
			title: 'Bounds, and goals that are not reached for certain',
			rows: checks.map(rowOf),
		}),
	].join('\n');
}

function tableText({ title, rows }: Table): string {
	const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
	const lines = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))];
	const widths = names.map((_, column) =>
		Math.max(...lines.map((line) => line[column]?.length ?? 0)),
	);
	const aligned = lines.map((line) =>
		line
			.map((text, column) => {
				const isText = isTextColumn(rows, names[column] ?? '');
				return isText ? text.padEnd(widths[column] ?? 0) : text.padStart(widths[column] ?? 0);
			})
			.join('  ')
			.trimEnd(),
	);
	return [`\n${title}`, ...aligned.map((line) => `  ${line}`), ''].join('\n');
}

const isTextColumn = (rows: readonly Row[], name: string) =>
	rows.some((row) => typeof row[name] === 'string' && row[name] !== '-');

function rowOf(check: Check): Row {
	const { what, measured, bound: name } = check;
	const { bound, goal } = limitOf(name);
	return {
		outcome: outcomeOf(check),
		what,
		measured: withUnit(name, measured),
		bound,
		goal: goal ?? '-',
	};
}
