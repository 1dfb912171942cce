import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { cached } from '../lib/cache.mjs';
import { npmInstall } from '../lib/npm.mjs';
import { installTarball } from '../lib/packageBuild.mts';
import { run, step } from '../lib/run.mjs';
import { temporaryFolder } from '../lib/temporaryFolder.mts';
import { median, round, type PartResult } from './result.mts';

/** Packages from the registry that n8n's users have, with nodes for media, too. */
const PEERS = {
	HeyGen: { name: '@heygenofficial/n8n-nodes-heygen-official', version: '0.1.9' },
	Picsart: { name: '@picsart/n8n-nodes-picsart-creative-apis', version: '5.4.8' },
};

const OURS = 'n8n-nodes-mediagen';

/** What the first execution loads, of ours. */
const RUNTIME = path.join('dist', 'nodes', 'runtime.js');

/** Each package is loaded so often, in a process of its own. */
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
	/** Of the descriptions of nodes that act, and of triggers. */
	bytes: number;
	triggerBytes: number;
	nodes: number;
}

/** What n8n's start has to do for this package, and for others from the registry. */
export async function measureLoad(tarball: string): Promise<PartResult> {
	const packages = [await oursFrom(tarball), ...(await peers())];
	const loads = new Map<Package, Load[]>(packages.map((one) => [one, []]));
	for (let repetition = 0; repetition < REPETITIONS; repetition++) {
		// There and back, so that none is always measured after the same other one.
		for (const one of repetition % 2 === 0 ? packages : [...packages].reverse()) {
			loads.get(one)?.push(await load(one));
		}
	}
	const loadsOf = (one: Package) => loads.get(one) ?? [];
	const [ours, heyGen] = packages as [Package, Package];
	// Of loads that were measured right after one another: the machine may be busy at times.
	const ratioTo = (other: Package) =>
		median(loadsOf(ours).map(({ ms }, index) => ms / (loadsOf(other)[index]?.ms ?? NaN)));
	const [own] = loadsOf(ours);
	const besideText = (text: (loads: Load[]) => string) =>
		packages
			.slice(1)
			.map((one) => `${one.title}: ${text(loadsOf(one))}`)
			.join('; ');

	return {
		title: '(i) Nodes and credentials loaded as n8n does at its start',
		tables: [
			{
				title: `Medians of ${REPETITIONS} loads each, in turn, each in a process of its own`,
				rows: packages.map((one) => rowOf(one, loadsOf(one), ratioTo(one))),
			},
		],
		checks: [
			{ what: 'loading', measured: ratioTo(heyGen), bound: 'load, time' },
			{ what: 'loading', measured: own?.files.length ?? NaN, bound: 'load, files' },
			{
				what: 'without triggers',
				measured: kilobytesOf(loadsOf(ours)),
				bound: 'descriptions',
			},
		],
		summary: [
			{
				what: 'loading the package when n8n starts',
				ours: loadText(loadsOf(ours)),
				bounds: ['load, files', 'load, time'],
				beside: besideText(loadText),
			},
			{
				what: 'descriptions of the nodes, and of triggers',
				ours: sizeText(loadsOf(ours)),
				bounds: ['descriptions'],
				beside: besideText(sizeText),
			},
		],
		notes: [
			'n8n-workflow, zod, luxon and lodash are there before, as in n8n.',
			`The first execution loads what runs, once: ${round(median(loadsOf(ours).map(({ laterMs }) => laterMs)), 1)} ms.`,
		],
	};
}

const kilobytesOf = ([first]: readonly Load[]) => (first?.bytes ?? NaN) / 1000;

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

/** In a process of its own, which finds n8n-workflow as the package would in n8n. */
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

/** Installed once, in these versions, without what they need of n8n. */
async function peers(): Promise<Package[]> {
	const specs = Object.values(PEERS).map(({ name, version }) => `${name}@${version}`);
	const id = specs.join('-').replace(/[^\w.-]+/g, '_');
	const folder = await cached(`peers-${id}`, (target) =>
		step('Installing two other packages, to compare with (about 5 s, only once)', () =>
			npmInstall(['--omit=peer', ...specs], { what: 'Installing other packages', cwd: target }),
		),
	);
	return Promise.all(
		Object.entries(PEERS).map(async ([title, { name }]) => {
			const own = path.join(folder, 'node_modules', name);
			const { version } = JSON.parse(await readFile(path.join(own, 'package.json'), 'utf8'));
			return { title: `${title} ${version}`, folder: own };
		}),
	);
}
