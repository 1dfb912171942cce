import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import ts from 'typescript';

import { limitOf, TIME } from './bench/bounds.mts';
import { mean, sum, type Results } from './bench/result.mts';
import { readArguments } from './lib/arguments.mts';
import { copySources } from './lib/packageBuild.mts';
import { temporaryFolder } from './lib/temporaryFolder.mts';

/** A numeric constant, with its path in an object or a list: `LATE.shared`. */
interface Constant {
	name: string;
	/** Its text in the source, and the text's offsets. */
	text: string;
	from: number;
	to: number;
}

/** The folders whose constants decide what is sent when. */
const FOLDERS = ['nodes/shared/plan', 'nodes/shared/limits'];

/** The time limit of a bench, in ms: some values keep it from ending. */
const MOST_MS = 300_000;

/** The page with the effects of each constant. */
const PAGE = 'docs/maintainers/constants.md';

const usage = (names: readonly string[]) => `npm run constants [-- NAME ...]

What half and double of each numeric constant of plan and limits change in a sample of the bench's parts f and g:
of the time, in % (mean over the cases, each as a part of its bound), and of the share of requests refused, in
points. Each takes about a minute. The rows go to ${PAGE}. With names, of these only:
  ${names.join(' ')}`;

export default async function main() {
	const constants = allConstants();
	const names = constants.map(({ name }) => name);
	const given = readArguments(usage(names), {}, names);
	if (!given) return;
	const asked = given.positionals;
	const folders = [await copyOfSources(), await copyOfSources()];
	const before = await outcomeIn(folders[0]!);
	console.log(`As they are: times ${before.time.toFixed(3)} of their bounds`);
	for (const constant of constants) {
		if (asked.length > 0 && !asked.includes(constant.name)) continue;
		const changes = [1 / 2, 2].map((factor, index) => changeOf(constant, factor, folders[index]!));
		const row = `${startOfRow(constant)}${(await Promise.all(changes)).join(' | ')} |`;
		console.log(row);
		const page = await fs.readFile(PAGE, 'utf8');
		await fs.writeFile(PAGE, withRow(page, constants.map(startOfRow), row));
	}

	async function changeOf(
		{ file, ...constant }: (typeof constants)[0],
		by: number,
		folder: string,
	) {
		const source = await fs.readFile(file, 'utf8');
		await fs.writeFile(path.join(folder, file), replaced(source, constant, scaled(constant, by)));
		const after = await outcomeIn(folder).catch(() => undefined);
		await fs.writeFile(path.join(folder, file), source);
		if (!after) return 'failed or took too long';
		const time = (after.time / before.time - 1) * 100;
		const refused = (after.refused - before.refused) * 100;
		return `time ${time.toFixed(1)} %, refused ${refused.toFixed(2)}`;
	}
}

/** The start of a constant's row, which identifies it; with another value, the constant needs a new row. */
export const startOfRow = ({ file, name, text }: Constant & { file: string }): string =>
	`| ${path.relative('nodes/shared', file)} | ${name} | ${text} | `;

/** Puts a row in its place, and removes those of constants that no longer exist. @param starts of all rows */
export function withRow(page: string, starts: readonly string[], row: string): string {
	const [head, ...old] = page.split(/(?<=\| -+ \|\n)/);
	const known = [row, ...old.join('').split('\n')];
	const rows = starts.map((start) => known.find((one) => one.startsWith(start)));
	return `${[head!.trimEnd(), ...rows.filter((one) => one !== undefined)].join('\n')}\n`;
}

export function allConstants() {
	const files = FOLDERS.flatMap((folder) =>
		readdirSync(folder)
			.sort()
			.map((name) => path.join(folder, name)),
	);
	return files.flatMap((file) =>
		constantsIn(readFileSync(file, 'utf8')).map((one) => ({ ...one, file })),
	);
}

/** The numeric constants declared at the top level of a file, in order. */
export function constantsIn(source: string): Constant[] {
	const file = ts.createSourceFile('constants.ts', source, ts.ScriptTarget.Latest, true);
	return file.statements
		.filter(ts.isVariableStatement)
		.filter(({ declarationList: { flags } }) => flags & ts.NodeFlags.Const)
		.flatMap(({ declarationList }) => [...declarationList.declarations])
		.flatMap(({ name, initializer }) =>
			initializer ? numbersOf(name.getText(), initializer) : [],
		);
}

function numbersOf(name: string, value: ts.Expression): Constant[] {
	if (ts.isAsExpression(value) || ts.isSatisfiesExpression(value)) {
		return numbersOf(name, value.expression);
	}
	if (ts.isObjectLiteralExpression(value)) {
		return value.properties
			.filter(ts.isPropertyAssignment)
			.flatMap((one) => numbersOf(`${name}.${one.name.getText()}`, one.initializer));
	}
	if (ts.isArrayLiteralExpression(value)) {
		return value.elements.flatMap((element, index) => numbersOf(`${name}[${index}]`, element));
	}
	// Values that are computed from facts of the service's documentation are not ours to choose.
	const isChosen = /^[\d_.\s/*]+$/.test(value.getText()) && value.getText() !== '0';
	if (!isChosen) return [];
	return [{ name, text: value.getText(), from: value.getStart(), to: value.getEnd() }];
}

/** An expression for a constant times a factor. A whole number stays whole, since it may count something. */
export const scaled = ({ text }: Constant, factor: number): string =>
	`((n: number) => Number.isInteger(n) ? Math.round(n * ${factor}) : n * ${factor})(${text})`;

/** The source with another text for one constant. */
export const replaced = (source: string, { from, to }: Constant, text: string): string =>
	source.slice(0, from) + text + source.slice(to);

async function copyOfSources() {
	const folder = path.join(await temporaryFolder('mediagen-constants-'), 'copy');
	await copySources(folder);
	return folder;
}

/** What the bench finds in a copy: the mean of the times as parts of their bounds, and the share refused. */
async function outcomeIn(folder: string) {
	const result = path.join(folder, 'found.json');
	await promisify(execFile)(
		process.execPath,
		['tools/start.mjs', 'bench', 'f', 'g', '--json', result],
		{
			cwd: folder,
			timeout: MOST_MS,
			killSignal: 'SIGKILL',
			env: { ...process.env, BENCH_SAMPLE: '1' },
		},
	).catch((error) => {
		// If it got as far as part g, it only failed because a bound was broken.
		if (!error.stdout.includes('=== (g)')) throw error;
	});
	const found = Object.values(JSON.parse(await fs.readFile(result, 'utf8')) as Results);
	await fs.rm(result);
	const times = found
		.flatMap(({ checks }) => checks)
		.map(({ measured, bound }) => ({ measured, ...limitOf(bound) }))
		.filter(({ text }) => text === TIME);
	const rows = found.flatMap(({ tables }) => tables.flatMap((table) => table.rows));
	const sumOf = (column: string) => sum(rows.map((row) => Number(row[column] ?? 0)));
	return {
		time: mean(times.map(({ measured, bound }) => measured / bound)),
		refused: sumOf('429s') / sumOf('requests'),
	};
}
