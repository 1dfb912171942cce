import { alignedTable } from '../lib/docs/markdown.mts';
import { limitOf } from './bounds.mts';
import {
	outcomeOf,
	withUnit,
	type Check,
	type PartResult,
	type Row,
	type Table,
} from './result.mts';

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
	const cells = rows.map((row) => names.map((name) => String(row[name] ?? '')));
	return `\n${title}\n\n${alignedTable([names, ...cells])}\n`;
}

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
