import path from 'node:path';

import { cached } from '../lib/cache.mjs';
import { npmInstall } from '../lib/npm.mjs';
import { installTarball } from '../lib/packageBuild.mts';
import { run, step } from '../lib/run.mjs';
import { temporaryFolder } from '../lib/temporaryFolder.mts';
import { median, round, type PartResult } from './result.mts';

/** Another package from the registry with nodes for media: its name and version. */
const OTHER = { name: '@heygenofficial/n8n-nodes-heygen-official', version: '0.1.9' };

const OURS = 'n8n-nodes-mediagen';

/** The file of our package that the first execution loads. */
const RUNTIME = path.join('dist', 'nodes', 'runtime.js');

/** How often each package is loaded, each time in a process of its own. */
const REPETITIONS = 21;

interface Package {
	title: string;
	folder: string;
	/** A module that is loaded after the classes. */
	later?: string;
}

interface Load {
	ms: number;
	laterMs: number;
	files: string[];
	/** Sizes of the descriptions: of nodes that act, and of triggers. */
	bytes: number;
	triggerBytes: number;
	nodes: number;
}

/** What n8n has to load at its start for this package, and for another one from the registry. */
export async function measureLoad(tarball: string): Promise<PartResult> {
	const [ours, other] = [await oursFrom(tarball), await theOther()];
	const pairs: Array<{ own: Load; its: Load }> = [];
	for (let repetition = 0; repetition < REPETITIONS; repetition++) {
		pairs.push({ own: await load(ours), its: await load(other) });
	}
	const loads = pairs.map(({ own }) => own);
	const itsLoads = pairs.map(({ its }) => its);
	// The ratio compares loads measured right after one another, since the machine may be busy at times.
	const ratio = median(pairs.map(({ own, its }) => own.ms / its.ms));
	const [own] = loads;
	const later = median(loads.map(({ laterMs }) => laterMs));

	return {
		title: '(i) Nodes and credentials loaded as n8n does at its start',
		tables: [
			{
				title: `Medians of ${REPETITIONS} loads each, in turn, each in a process of its own`,
				rows: [rowOf(ours, loads, 1), rowOf(other, itsLoads, ratio)],
			},
		],
		checks: [
			{ what: 'loading', measured: ratio, bound: 'load, time' },
			{ what: 'loading', measured: own?.files.length ?? NaN, bound: 'load, files' },
			{ what: 'without triggers', measured: (own?.bytes ?? NaN) / 1000, bound: 'descriptions' },
		],
		summary: [
			{
				what: 'loading the package when n8n starts',
				ours: loadText(loads),
				bounds: ['load, files', 'load, time'],
				beside: `${other.title}: ${loadText(itsLoads)}`,
			},
			{
				what: 'descriptions of the nodes, and of triggers',
				ours: sizeText(loads),
				bounds: ['descriptions'],
				beside: `${other.title}: ${sizeText(itsLoads)}`,
			},
		],
		notes: [
			'n8n-workflow, zod, luxon and lodash are there before, as in n8n.',
			`The first execution loads what runs, once: ${round(later, 1)} ms.`,
		],
	};
}

const inKilobytes = (bytes = NaN) => round(bytes / 1000, 1);

const sizeText = ([first]: readonly Load[]) =>
	`${inKilobytes(first?.bytes)} KB, ${inKilobytes(first?.triggerBytes)} KB`;

const loadText = (loads: readonly Load[]) =>
	`${round(median(loads.map(({ ms }) => ms)), 1)} ms, ${loads[0]?.files.length ?? 0} files`;

function rowOf({ title }: Package, loads: readonly Load[], ratio: number) {
	const times = loads.map(({ ms }) => ms);
	const [first] = loads;
	return {
		package: title,
		nodes: first?.nodes ?? NaN,
		ms: round(median(times), 1),
		fastest: round(Math.min(...times), 1),
		'ours / this': round(ratio),
		files: first?.files.length ?? NaN,
		'KB of descriptions': inKilobytes(first?.bytes),
		'KB of triggers': inKilobytes(first?.triggerBytes),
	};
}

/** Loads a package in a process of its own, which finds n8n-workflow as the package would in n8n. */
async function load({ folder, later }: Package): Promise<Load> {
	const script = path.resolve('tools/bench/loadPackage.cjs');
	const env = { ...process.env, NODE_PATH: path.resolve('node_modules') };
	const args = [script, folder, ...(later ? [later] : [])];
	const { code, output } = await run(process.execPath, args, { env });
	if (code !== 0) throw new Error(`${folder} does not load.\n\n${output}`);
	return JSON.parse(output) as Load;
}

async function oursFrom(tarball: string): Promise<Package> {
	const folder = await temporaryFolder('mediagen-load-');
	await installTarball(tarball, folder);
	return { title: OURS, folder: path.join(folder, 'node_modules', OURS), later: RUNTIME };
}

/** Installs the other package once, in this version, without its peer dependencies. */
async function theOther(): Promise<Package> {
	const { name, version } = OTHER;
	const id = `${name}@${version}`.replace(/[^\w.-]+/g, '_');
	const folder = await cached(`peers-${id}`, (target) =>
		step('Installing another package, to compare with (about 5 s, only once)', () =>
			npmInstall(['--omit=peer', `${name}@${version}`], {
				what: 'Installing another package',
				cwd: target,
			}),
		),
	);
	return { title: `HeyGen ${version}`, folder: path.join(folder, 'node_modules', name) };
}
