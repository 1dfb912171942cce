import { build, transform, type Plugin } from 'esbuild';
import fs from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import vm from 'node:vm';

import {
	ACCOUNT_CATALOG,
	IMAGE_CATALOG,
	MUSIC_CATALOG,
	VIDEO_CATALOG,
} from '../nodes/shared/spec/catalogs.ts';
import { ToolError } from './lib/errors.mjs';
import { runTool } from './lib/lifecycle.mjs';
import { outputSchema } from './lib/outputSchema.mts';

/** The repository, with a `dist` that `n8n-node build` has just compiled. */
const ROOT = process.cwd();

/** All that the nodes and the credential do, in a file of its own that is loaded at the first call. */
const RUNTIME = path.join('nodes', 'runtime.ts');

const TARGET = 'node20';

/** Modules whose exports the build computes and stores: data, and functions that return data. */
const STORED = /\.form\.ts$/;

const SOURCE = /\.ts$/;

/** Compiled files that the package does not need once it is bundled. */
const COMPILED = /\.(js|d\.ts)$/;

/**
 * Turns the compiled files in `dist` into the few that n8n loads: one for each node and credential, with its form as
 * data, and one for all that they do. The code stays readable for people who look at what they install, but has no
 * comments, which are in the sources. Each operation's output schema is written, too.
 */
async function bundle() {
	const entries = [...(await classesOf()), RUNTIME];
	const { outputFiles } = await build({
		entryPoints: entries,
		outdir: 'dist',
		outbase: '.',
		bundle: true,
		write: false,
		platform: 'node',
		format: 'cjs',
		target: TARGET,
		charset: 'utf8',
		// n8n provides all packages.
		packages: 'external',
		plugins: [stored, atFirstCall, withoutComments],
	});
	await writeOutputSchemas();
	await removeCompiled();
	for (const { path: file, contents } of outputFiles) await fs.writeFile(file, contents);
}

/** The sources of the classes that n8n is told to load. */
async function classesOf(): Promise<string[]> {
	const { n8n } = JSON.parse(await fs.readFile('package.json', 'utf8'));
	return [...n8n.nodes, ...n8n.credentials].map((file: string) =>
		path.relative('dist', file).replace(/\.js$/, '.ts'),
	);
}

/** The exports of a module of the package, as compiled. */
function exportsOf(source: string): [string, unknown][] {
	const file = path.join(ROOT, 'dist', path.relative(ROOT, source).replace(/\.ts$/, '.js'));
	return Object.entries(createRequire(file)(file));
}

const stored: Plugin = {
	name: 'stored',
	setup({ onLoad }) {
		onLoad({ filter: STORED }, ({ path: source }) => ({
			contents: exportsOf(source)
				.map(([name, value]) => `export const ${name} = ${storedText(name, value)};`)
				.join('\n'),
		}));
	},
};

/**
 * A stored function returns new data at each call, since n8n changes what it gets. The data is JSON text, which is
 * parsed in half the time of JavaScript literals.
 */
function storedText(name: string, value: unknown) {
	if (typeof value !== 'function') return dataText(name, value);
	const data = value();
	dataText(name, data);
	const lines = data.map((part: unknown) => JSON.stringify(JSON.stringify(part)));
	return `() => [${lines.join(', ')}].map((text) => JSON.parse(text))`;
}

/** An expression with the same value; throws a ToolError if that is more than plain data. */
function dataText(name: string, data: unknown): string {
	const UNDEFINED = '\0undefined';
	const text = JSON.stringify(data, (_, value) => (value === undefined ? UNDEFINED : value));
	const expression = text.replaceAll(JSON.stringify(UNDEFINED), 'undefined');
	const again = vm.runInThisContext(`(${expression})`);
	if (isDeepStrictEqual(again, data)) return expression;
	throw new ToolError(`${name} cannot be stored: it is more than plain data.`);
}

/** Makes a class load the runtime when one of the runtime's functions is first called. */
const atFirstCall: Plugin = {
	name: 'atFirstCall',
	setup({ onResolve, onLoad }) {
		const runtime = path.join(ROOT, RUNTIME);
		onResolve({ filter: /\/runtime$/ }, ({ kind, importer, resolveDir, path: name }) => {
			if (path.resolve(resolveDir, `${name}.ts`) !== runtime) return undefined;
			if (kind === 'require-call') return { path: `${name}.js`, external: true };
			const own = path.relative(ROOT, importer);
			return { path: own, namespace: 'runtime', pluginData: { name, resolveDir } };
		});
		onLoad({ filter: /./, namespace: 'runtime' }, ({ pluginData: { name, resolveDir } }) => ({
			resolveDir,
			contents: exportsOf(runtime)
				.map(([called]) => {
					const call = `require(${JSON.stringify(name)}).${called}.apply(this, given)`;
					return `export function ${called}(...given) { return ${call}; }`;
				})
				.join('\n'),
		}));
	},
};

/** Removes comments, which esbuild does only together with blanks. It restores the blanks when it prints the bundle. */
const withoutComments: Plugin = {
	name: 'withoutComments',
	setup({ onLoad }) {
		onLoad({ filter: SOURCE }, async ({ path: source }) => {
			const text = await fs.readFile(source, 'utf8');
			const tsconfigRaw = await fs.readFile('tsconfig.json', 'utf8');
			const { code } = await transform(text, {
				loader: 'ts',
				target: TARGET,
				charset: 'utf8',
				tsconfigRaw,
				minifyWhitespace: true,
			});
			return { contents: code };
		});
	},
};

async function removeCompiled() {
	for (const folder of ['nodes', 'credentials']) {
		const compiled = path.join('dist', folder);
		for (const file of await fs.readdir(compiled, { recursive: true })) {
			if (COMPILED.test(file)) await fs.rm(path.join(compiled, file));
		}
	}
	await fs.rm(path.join('dist', 'nodes', 'shared'), { recursive: true });
}

/** What each node has whose operations have outputs. */
const CATALOGS = {
	Account: ACCOUNT_CATALOG,
	Image: IMAGE_CATALOG,
	Music: MUSIC_CATALOG,
	Video: VIDEO_CATALOG,
};

/** The folder of the only version that the nodes have. */
const VERSION = 'v1.0.0';

/**
 * Writes the output schema of each operation where n8n's editor looks for it, so that a person can map fields before
 * the node has run.
 */
async function writeOutputSchemas() {
	for (const [kind, { operations }] of Object.entries(CATALOGS)) {
		for (const operation of operations) {
			const schema = outputSchema(operation);
			if (!schema) continue;
			const folder = path.join(
				...['dist', 'nodes', kind, '__schema__', VERSION, operation.resource],
			);
			await fs.mkdir(folder, { recursive: true });
			const file = path.join(folder, `${operation.operation}.json`);
			await fs.writeFile(file, JSON.stringify(schema));
		}
	}
}

/** The second step of `npm run build`. */
await runTool(bundle);
