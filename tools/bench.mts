import fs from 'node:fs/promises';

import { measureBatches } from './bench/batches.mts';
import { measureFleets } from './bench/fleets.mts';
import { measureImages } from './bench/images.mts';
import { measureParked } from './bench/parked.mts';
import { type Row, type Value } from './bench/shared.mts';
import { readArguments } from './lib/arguments.mts';
import { alignedTable, between, table } from './lib/docs/markdown.mts';
import { ToolError } from './lib/errors.mjs';
import { ensureN8n, type N8nInstall } from './lib/n8nInstall.mts';
import { buildPackage } from './lib/packageBuild.mts';
import { run, step } from './lib/run.mjs';

const RESULTS = 'docs/bench.json';
const PAGE = 'docs/speed.md';
const README = 'README.md';

interface Part {
	shows: string;
	minutes: number;
	measure: (n8n: N8nInstall, tarball: string) => Promise<Row[]>;
	/** Whether it needs n8n and the package. */
	isReal?: boolean;
}

/** In the order of the table. */
const PARTS: Record<string, Part> = {
	a: { shows: '20 images in a real n8n', minutes: 2, measure: measureImages, isReal: true },
	f: { shows: 'batches, in virtual time', minutes: 2, measure: measureBatches },
	g: {
		shows: 'processes that share an account, in virtual time',
		minutes: 1,
		measure: measureFleets,
	},
	e: {
		shows: 'runs that wait durably, n8n killed',
		minutes: 20,
		measure: measureParked,
		isReal: true,
	},
};

const NAMES = Object.keys(PARTS);

const USAGE = `npm run bench [-- <part> ...]

Measures the package against the simulated service, and prints what came of it beside the bounds. All parts when none
is named:
${NAMES.map((name) => `  ${name}  ${PARTS[name]!.shows} (${PARTS[name]!.minutes} min)`).join('\n')}
The rows go to ${RESULTS}, in place of earlier ones of the same parts, and from there to ${PAGE} and ${README}.`;

/** The rows of parts, by their name. */
export type Results = Record<
	string,
	{ /** The commit of the nodes that were measured. */ nodes: string; rows: Row[] }
>;

export default async function main() {
	const given = readArguments(USAGE, {}, NAMES);
	if (!given) return;
	const asked = given.positionals;
	const parts = NAMES.filter((name) => asked.length === 0 || asked.includes(name));
	const isReal = parts.some((name) => PARTS[name]!.isReal);
	const n8n = isReal ? await ensureN8n() : undefined;
	const tarball = isReal ? await buildPackage() : undefined;
	const nodes = await commitOfNodes();
	const measured: Results = {};
	for (const name of parts) {
		const { shows, measure } = PARTS[name]!;
		const rows = await step(`Part ${name}: ${shows}`, async () => await measure(n8n!, tarball!));
		measured[name] = { nodes, rows };
		await keep(measured);
	}
	console.log(
		`\n${alignedTable([HEAD, ...cellsOf(measured)])}\n\nWritten: ${RESULTS}, ${PAGE}, ${README}`,
	);
}

async function keep(measured: Results) {
	const before: Results = JSON.parse(await fs.readFile(RESULTS, 'utf8'));
	const all = { ...before, ...measured };
	await fs.writeFile(RESULTS, `${JSON.stringify(all, undefined, '\t')}\n`);
	await fs.writeFile(PAGE, withTable(await fs.readFile(PAGE, 'utf8'), all));
	await fs.writeFile(README, withSentence(await fs.readFile(README, 'utf8'), all));
}

/** The last commit that changed the nodes; the others may be rewritten before they are published. */
async function commitOfNodes(): Promise<string> {
	const git = async (...args: string[]) => {
		const { code, output } = await run('git', args);
		if (code !== 0) throw new ToolError(`git ${args[0]} failed. ${output}`);
		return output.trim();
	};
	const commit = await git('log', '-1', '--format=%h', '--abbrev=8', '--', 'nodes');
	return (await git('status', '--porcelain', 'nodes')) ? `${commit}, changed` : commit;
}

const HEAD = ['Part', 'Work', 'Result', 'Bound', 'Nodes of'];

const cellsOf = (results: Results): string[][] =>
	NAMES.flatMap((name) => {
		const { nodes, rows = [] } = results[name] ?? {};
		return rows.map(({ work, values }) => [
			name,
			work,
			values.map(resultOf).join('; '),
			values.flatMap(boundOf).join('; ') || '–',
			nodes ?? '',
		]);
	});

/** With as many digits as people read. What could not be measured is NaN, and null in a file. */
const shown = (value: number | null): number =>
	Number(Number((value ?? NaN).toFixed(2)).toPrecision(3));

function resultOf({ of, took, measured, unit }: Value): string {
	return `${of ? `${of}: ` : ''}${took ? `${took}, ` : ''}${shown(measured)} ${unit}`;
}

/** What the value may be at most, if that is bounded, and whether it is more, as it is shown. */
function boundOf({ of, measured, unit, most }: Value): string[] {
	if (most === undefined) return [];
	const isKept = shown(measured) <= most;
	return [`${of ? `${of}: ` : ''}${most} ${unit}${isKept ? '' : ' (missed)'}`];
}

/** docs/speed.md with the table of all results, without padding, since nobody edits it. */
export const withTable = (page: string, results: Results): string =>
	between(page, 'bench', `<!-- prettier-ignore -->\n${table(HEAD, cellsOf(results))}`);

/** README with what it says about speed. */
export function withSentence(readme: string, { a }: Results): string {
	const [ours, loop] = a!.rows[0]!.values;
	const lines = [
		`20 images take ${ours!.took} in a real n8n, ${shown(ours!.measured)} times the shortest time that the service's limits allow; with a loop of`,
		`HTTP Request, Wait and If, ${loop!.took}. [All numbers](docs/speed.md) come from a simulated service with the limits of the`,
		'real one.',
	];
	return between(readme, 'speed', lines.join('\n'));
}
