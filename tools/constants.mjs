import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { replaced, scaled, constantsIn } from './constants/numbers.mts';
import { asText, changeOf, outcomeOf } from './constants/report.mts';
import { copyOfSources, sampleIn } from './constants/variants.mjs';
import { readArguments } from './lib/arguments.mjs';
import { ToolError } from './lib/errors.mjs';

/** @typedef {import('./constants/numbers.mts').Constant & { file: string }} Constant */

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

	/** @type {(folder: string, constant: Constant, factor: number) => Promise<import('./constants/report.mts').Line['half']>} */
	const changeBy = async (folder, constant, factor) => {
		const { file } = constant;
		const source = await fs.readFile(file, 'utf8');
		const changed = { file, text: replaced(source, constant, scaled(constant, factor)) };
		const samples = await sampleIn(folder, changed).catch(() => undefined);
		return samples ? changeOf(before, outcomeOf(samples)) : 'failed or took too long';
	};

	/** @type {import('./constants/report.mts').Line[]} */
	const lines = [];
	const left = [...constants.entries()];
	const work = async (/** @type {string} */ folder) => {
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

/** @returns {Promise<Constant[]>} */
async function allConstants() {
	/** @type {Constant[]} */
	const constants = [];
	for (const folder of FOLDERS) {
		for (const name of (await fs.readdir(folder)).sort()) {
			const file = path.join(folder, name);
			for (const one of constantsIn(await fs.readFile(file, 'utf8')))
				constants.push({ ...one, file });
		}
	}
	return constants;
}

/**
 * Those that are asked for; `LATE` stands for `LATE.shared`, too.
 *
 * @param {Constant[]} constants
 * @param {string} [only]
 */
function chosen(constants, only) {
	if (only === undefined) return constants;
	/** @type {(name: string) => (one: Constant) => boolean} */
	const isCalled = (name) => (one) => one.name === name || one.name.split(/[.[]/)[0] === name;
	const names = only.split(',');
	const unknown = names.find((name) => !constants.some(isCalled(name)));
	if (unknown !== undefined) throw new ToolError(`There is no numeric constant "${unknown}".`);
	return constants.filter((one) => names.some((name) => isCalled(name)(one)));
}
