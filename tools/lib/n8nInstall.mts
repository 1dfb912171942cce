import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';

import { cached } from './cache.mjs';
import { ToolError } from './errors.mjs';
import { PINNED, type Supported } from './n8nVersions.mjs';
import { ensureNode, type NodeProgram } from './nodeProgram.mts';
import { lastLines, npm, npmInstall } from './npm.mjs';
import { run, step } from './run.mjs';

/** The modules to compile where no compiled form exists; not every version has all of them. */
const NATIVE = ['sqlite3', 'isolated-vm'];

/** The folder with the manifest and the lock of each version, relative to the repository's root. */
const LOCKS = path.join('tools', 'n8n');

interface Lock {
	packages: Record<string, { version: string }>;
}

/** An installed n8n and the Node to run it with. */
export type N8nInstall = ReturnType<typeof n8nIn> & { node: string };

/** Makes sure that the cache has an n8n with exactly the packages of its lock file in tools/n8n. */
export async function ensureN8n(supported: Supported = PINNED): Promise<N8nInstall> {
	const { n8n, node } = supported;
	const runtime = await ensureNode(node);
	const manifest = await fs.readFile(path.join(LOCKS, n8n, 'package.json'), 'utf8');
	const lock = await fs.readFile(path.join(LOCKS, n8n, 'package-lock.json'), 'utf8');
	const hash = createHash('sha256').update(manifest).update(lock).digest('hex').slice(0, 12);
	const name = `n8n-${hash}-node${node}-${process.platform}-${process.arch}`;
	const fill = async (target: string) => {
		await fs.writeFile(path.join(target, 'package.json'), manifest);
		await fs.writeFile(path.join(target, 'package-lock.json'), lock);
		await install(target, { n8n, lock: JSON.parse(lock), runtime });
	};
	const folder = await cached(name, fill);
	return { ...n8nIn(folder), node: runtime.node };
}

/** The n8n that tools/test.mts passes to the tests that it runs. */
export function n8nFromEnv(): N8nInstall {
	const { MEDIAGEN_N8N_FOLDER: folder, MEDIAGEN_N8N_NODE: node } = process.env;
	if (folder && node) return { ...n8nIn(folder), node };
	throw new ToolError(
		'These tests need n8n. Run them by the script of their kind, such as "npm run test:e2e".',
	);
}

/** @param folder where n8n and n8n-core can be required from; nothing writes to it */
function n8nIn(folder: string) {
	/** n8n's own program, to be run with `node`. */
	const entry = path.join(folder, 'node_modules', 'n8n', 'bin', 'n8n');
	return { folder, entry };
}

async function install(
	target: string,
	{ n8n, lock, runtime }: { n8n: string; lock: Lock; runtime: NodeProgram },
) {
	const native = path.join(target, 'native');
	const what = `Installing n8n ${n8n}`;
	// Beside the long download; a machine that cannot build them fails within a minute.
	await step(`${what} (2,100 packages, 2.2 GB, about 3 minutes, only once)`, () =>
		Promise.all([
			buildNative(native, lock, runtime),
			npmInstall(['--no-save'], { what, cwd: target }),
		]),
	);
	const names = nativeIn(lock);
	for (const name of names) {
		const module = path.join(target, 'node_modules', name);
		await fs.rm(module, { recursive: true });
		await fs.rename(path.join(native, 'node_modules', name), module);
	}
	await fs.rm(native, { recursive: true });
	await requireLoads(target, names, runtime.node);
}

const nativeIn = ({ packages }: Lock) =>
	NATIVE.filter((name) => `node_modules/${name}` in packages);

/** Installs only the native modules, in n8n's versions, and compiles those without a compiled form. */
async function buildNative(folder: string, lock: Lock, { node, bin, headers }: NodeProgram) {
	const names = nativeIn(lock);
	const versions = names.map((name) => [name, lock.packages[`node_modules/${name}`]?.version]);
	const manifest = {
		private: true,
		dependencies: Object.fromEntries(versions),
		allowScripts: Object.fromEntries(names.map((name) => [name, true])),
	};
	await fs.mkdir(folder);
	await fs.writeFile(path.join(folder, 'package.json'), JSON.stringify(manifest));
	const what = 'Downloading the native modules of n8n';
	await npmInstall([], { what, cwd: folder });
	try {
		await npm(['rebuild', '--ignore-scripts=false', ...names], {
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
	await requireLoads(folder, names, node);
}

async function explainMissingCompiler(): Promise<ToolError | undefined> {
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

async function requireLoads(folder: string, names: string[], node: string) {
	const script = names.map((name) => `require('${name}')`).join(';');
	const { code, output } = await run(node, ['-e', script], { cwd: folder });
	if (code === 0) return;
	throw new ToolError(
		`The native modules of n8n were built but do not load:\n\n${lastLines(output)}`,
	);
}
