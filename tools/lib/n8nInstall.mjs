import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';

import { cached } from './cache.mjs';
import { ToolError } from './errors.mjs';
import { ensureNode24 } from './node24.mjs';
import { lastLines, npm, npmInstall } from './npm.mjs';
import { run, step } from './run.mjs';

/** The modules n8n cannot start without that have to be compiled where no compiled form exists. */
const NATIVE = ['sqlite3', 'isolated-vm'];

/** The manifest and the lock of n8n, seen from the repository's root. */
const MANIFEST = path.join('tools', 'n8n', 'package.json');
const LOCK = path.join('tools', 'n8n', 'package-lock.json');

/**
 * An installed n8n and the Node to run it with.
 *
 * @typedef {object} N8nInstall
 * @property {string} node The Node program.
 * @property {string} folder Where n8n and n8n-core can be required from. Nothing writes to it.
 * @property {string} entry n8n's own program, to be run with `node`.
 */

/**
 * Makes sure that n8n is in the cache, in the version the lock file in tools/n8n says.
 *
 * @param {string} [root] The repository.
 * @returns {Promise<N8nInstall>}
 */
export async function ensureN8n(root = process.cwd()) {
	const runtime = await ensureNode24();
	const manifest = await fs.readFile(path.join(root, MANIFEST), 'utf8');
	const lock = await fs.readFile(path.join(root, LOCK), 'utf8');
	const hash = createHash('sha256').update(manifest).update(lock).digest('hex').slice(0, 12);
	const name = `n8n-${hash}-node24-${process.platform}-${process.arch}`;
	const folder = await cached(name, (target) => install(target, manifest, lock, runtime), {
		gigabytes: 4,
	});
	return { ...n8nIn(folder), node: runtime.node };
}

/**
 * The n8n that tools/test.mjs names to the tests it runs.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {N8nInstall}
 */
export function n8nFromEnv(env = process.env) {
	const { MEDIAGEN_N8N_FOLDER: folder, MEDIAGEN_N8N_NODE: node } = env;
	if (folder && node) return { ...n8nIn(folder), node };
	throw new ToolError(
		'These tests need n8n. Run them with "npm run test:e2e" or "npm run test:queue", which bring it ' +
			'along.',
	);
}

/** @param {string} folder */
function n8nIn(folder) {
	return { folder, entry: path.join(folder, 'node_modules', 'n8n', 'bin', 'n8n') };
}

/**
 * @param {string} target
 * @param {string} manifest
 * @param {string} lock
 * @param {Awaited<ReturnType<typeof ensureNode24>>} runtime
 */
async function install(target, manifest, lock, runtime) {
	// First, since a machine that cannot build them should say so before the long download.
	const native = path.join(target, 'native');
	await step('Building the native modules of n8n (about 1 minute)', () =>
		buildNative(native, JSON.parse(lock), runtime),
	);
	await fs.writeFile(path.join(target, 'package.json'), manifest);
	await fs.writeFile(path.join(target, 'package-lock.json'), lock);
	await step('Installing n8n (2,100 packages, 2.2 GB, about 3 minutes, only once)', () =>
		npmInstall(['--no-save'], { what: 'Installing n8n', cwd: target }),
	);
	for (const name of NATIVE) {
		const module = path.join(target, 'node_modules', name);
		await fs.rm(module, { recursive: true });
		await fs.rename(path.join(native, 'node_modules', name), module);
	}
	await fs.rm(native, { recursive: true });
	await requireLoads(target, runtime.node);
}

/**
 * Installs the native modules alone, in n8n's versions, and compiles what has no compiled form.
 *
 * @param {string} folder
 * @param {{ packages: Record<string, { version: string }> }} lock
 * @param {Awaited<ReturnType<typeof ensureNode24>>} runtime
 */
async function buildNative(folder, lock, { node, bin, headers }) {
	const versions = NATIVE.map((name) => [name, lock.packages[`node_modules/${name}`]?.version]);
	const manifest = {
		private: true,
		dependencies: Object.fromEntries(versions),
		allowScripts: Object.fromEntries(NATIVE.map((name) => [name, true])),
	};
	await fs.mkdir(folder);
	await fs.writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
	const what = 'Downloading the native modules of n8n';
	await npmInstall([], { what, cwd: folder });
	try {
		await npm(['rebuild', '--ignore-scripts=false', ...NATIVE], {
			what: 'Building the native modules of n8n',
			cwd: folder,
			env: {
				PATH: `${bin}${path.delimiter}${process.env.PATH}`,
				...(headers && { npm_config_nodedir: headers }),
			},
		});
	} catch (error) {
		throw (await explainMissingCompiler()) ?? error;
	}
	await requireLoads(folder, node);
}

/** @returns {Promise<ToolError | undefined>} Undefined when a compiler and its helpers are there. */
async function explainMissingCompiler() {
	const missing = [];
	for (const program of ['python3', 'make', 'g++']) {
		if ((await run(program, ['--version'])).code !== 0) missing.push(program);
	}
	if (missing.length === 0) return undefined;
	return new ToolError(
		`n8n needs a database module that has to be compiled here, and ${missing.join(', ')} ` +
			`${missing.length > 1 ? 'are' : 'is'} missing. Install a compiler (Debian and Ubuntu: "apt-get ` +
			'install python3 make g++"; macOS: "xcode-select --install"), then run the command again.',
	);
}

/**
 * @param {string} folder
 * @param {string} node
 */
async function requireLoads(folder, node) {
	const script = NATIVE.map((name) => `require('${name}')`).join(';');
	const { code, output } = await run(node, ['-e', script], { cwd: folder });
	if (code === 0) return;
	throw new ToolError(
		`The native modules of n8n were built but do not load:\n\n${lastLines(output)}`,
	);
}
