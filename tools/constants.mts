import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { replaced, scaled, constantsIn, type Constant as Named } from './constants/numbers.mts';
import { asText, changeOf, outcomeOf, type Line } from './constants/report.mts';
import { copyOfSources, sampleIn } from './constants/variants.mts';
import { readArguments } from './lib/arguments.mts';
import { ToolError } from './lib/errors.mjs';

type Constant = Named & { file: string };

/** Where constants decide what is sent when. */
const FOLDERS = ['nodes/shared/plan', 'nodes/shared/limits'];

const USAGE = `npm run constants [-- --only NAME[,NAME]]

What half and double of each numeric constant of plan and limits change in short runs of the bench's parts f and g:
of the time, in % (mean over the cases, each as a part of its bound), and of the share of requests refused, in
points. Each value takes about 10 s.`;

export default async function main() {
	const given = readArguments(USAGE, { only: { type: 'string' } }, []);
	if (!given) return;
	const constants = chosen(await allConstants(), given.values.only);
	const folders = await Promise.all(
		Array.from({ length: os.availableParallelism() }, copyOfSources),
	);
	const [folder = ''] = folders;
	const before = outcomeOf(await sampleIn(folder));

	const changeBy: (
		folder: string,
		constant: Constant,
		factor: number,
	) => Promise<Line['half']> = async (folder, constant, factor) => {
		const { file } = constant;
		const source = await fs.readFile(file, 'utf8');
		const changed = { file, text: replaced(source, constant, scaled(constant, factor)) };
		const samples = await sampleIn(folder, changed).catch(() => undefined);
		return samples ? changeOf(before, outcomeOf(samples)) : 'failed or took too long';
	};

	const lines: Line[] = [];
	const left = [...constants.entries()];
	const work = async (folder: string) => {
		for (let next = left.shift(); next; next = left.shift()) {
			const [index, constant] = next;
			const half = await changeBy(folder, constant, 1 / 2);
			const double = await changeBy(folder, constant, 2);
			const { name, file, text: value } = constant;
			lines[index] = { name, file: path.relative('nodes/shared', file), value, half, double };
			console.error(`${lines.filter(Boolean).length}/${constants.length} ${name}`);
		}
	};
	await Promise.all(folders.map(work));
	console.log(asText(before, lines));
}

async function allConstants(): Promise<Constant[]> {
	const constants: Constant[] = [];
	for (const folder of FOLDERS) {
		for (const name of (await fs.readdir(folder)).sort()) {
			const file = path.join(folder, name);
			for (const one of constantsIn(await fs.readFile(file, 'utf8')))
				constants.push({ ...one, file });
		}
	}
	return constants;
}

/** Those that are asked for; `LATE` stands for `LATE.shared`, too. */
function chosen(constants: Constant[], only?: string) {
	if (only === undefined) return constants;
	const isCalled: (name: string) => (one: Constant) => boolean = (name) => (one) =>
		one.name === name || one.name.split(/[.[]/)[0] === name;
	const names = only.split(',');
	const unknown = names.find((name) => !constants.some(isCalled(name)));
	if (unknown !== undefined) throw new ToolError(`There is no numeric constant "${unknown}".`);
	return constants.filter((one) => names.some((name) => isCalled(name)(one)));
}
