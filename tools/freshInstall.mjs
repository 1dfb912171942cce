import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { performance } from 'node:perf_hooks';

import { ensureDevDependencies } from './lib/devDependencies.mjs';
import { ToolError } from './lib/errors.mjs';
import { runTool } from './lib/lifecycle.mjs';
import { ensureN8n } from './lib/n8nInstall.mjs';
import { PINNED } from './lib/n8nVersions.mjs';
import { ensureNode } from './lib/nodeProgram.mjs';
import { npm } from './lib/npm.mjs';
import { buildPackage } from './lib/packageBuild.mjs';
import { requirePng } from './lib/png.mjs';
import { run } from './lib/run.mjs';
import { temporaryFolder } from './lib/temporaryFolder.mjs';
import { importTypeScript } from './lib/typeScript.mjs';

const USAGE = `npm run fresh-install [-- <tarball>]

From nothing to an image: installs Node, n8n and the package (the tarball, or one built here) into an
empty home folder with an empty npm cache, starts n8n, and runs an example against the simulated
service. Prints how long each step took and what it left on the disk. Takes 5 to 15 minutes, 2.4 GB and
as much again for npm's cache; all of it is removed at the end.`;

await runTool(async () => {
	const [tarball, ...rest] = process.argv.slice(2);
	if (rest.length > 0 || tarball?.startsWith('-')) throw new ToolError(USAGE);
	await ensureDevDependencies();
	const given = tarball ? path.resolve(tarball) : await buildPackage();
	const load = os.loadavg()[0]?.toFixed(1);
	const home = await moveToEmptyHome();
	// Only now: this needs the development dependencies.
	const { startDemo, runExample } = await import('./lib/demo.mjs');
	const { alignedTable } = await importTypeScript('tools/lib/markdownTable.mts');
	const { rows, measured } = stopwatch(home);

	const { node } = await measured('Node', () => ensureNode(PINNED.node));
	const n8n = await measured('n8n', () => ensureN8n());
	await measured('The package', () => addPackage(given, path.join(home, '.n8n', 'nodes')));
	const demo = await measured('First start of n8n, with an owner', () =>
		startDemo({ n8n, userFolder: home }),
	);
	const { mediaUrl } = await measured('An image', () => runExample(demo));
	await requirePng(mediaUrl);

	const { version } = JSON.parse(
		await fs.readFile(path.join(n8n.folder, 'node_modules', 'n8n', 'package.json'), 'utf8'),
	);
	const total = rows.reduce((sum, { seconds }) => sum + seconds, 0);
	const lines = [...rows, { what: 'All', seconds: total, mb: await megabytes(home) }];
	const cells = lines.map(({ what, seconds, mb }) => [what, seconds.toFixed(1), mb.toFixed(1)]);
	console.log(`
n8n ${version}, Node ${(await run(node, ['--version'])).output.trim()}, ${os.platform()} ${os.arch()}, \
${os.cpus().length} cores, load at the start ${load}

${alignedTable([['From nothing to an image', 'Seconds', 'MB on the disk'], ...cells])}
`);
});

/**
 * From now on, this process and what it runs find an empty home folder, and npm an empty cache. npm's own
 * settings stay: they may be needed to reach a registry.
 *
 * @returns {Promise<string>} The home folder.
 */
async function moveToEmptyHome() {
	const home = await temporaryFolder('mediagen-fresh-home-');
	const { env } = process;
	env.npm_config_userconfig ??= path.join(os.homedir(), '.npmrc');
	env.npm_config_cache = await temporaryFolder('mediagen-fresh-npm-');
	env.HOME = home;
	env.MEDIAGEN_CACHE = path.join(home, 'installed');
	return home;
}

/**
 * By the command that docs/install.md gives.
 *
 * @param {string} tarball
 * @param {string} folder n8n's own for packages.
 */
async function addPackage(tarball, folder) {
	await npm(['install', '--prefix', folder, '--legacy-peer-deps', tarball], {
		what: 'Installing the package',
	});
}

/**
 * @typedef {{ what: string, seconds: number, mb: number }} Row What a step took, and has left.
 *
 * @param {string} folder Where all steps leave what they install.
 */
function stopwatch(folder) {
	/** @type {Row[]} */
	const rows = [];
	return {
		rows,
		/**
		 * @template T
		 * @param {string} what
		 * @param {() => Promise<T>} action
		 * @returns {Promise<T>}
		 */
		measured: async (what, action) => {
			const before = await megabytes(folder);
			const start = performance.now();
			const result = await action();
			const seconds = (performance.now() - start) / 1000;
			rows.push({ what, seconds, mb: (await megabytes(folder)) - before });
			return result;
		},
	};
}

/** @param {string} folder */
async function megabytes(folder) {
	const { output } = await run('du', ['-sk', folder]);
	return Number.parseInt(output, 10) / 1000;
}
