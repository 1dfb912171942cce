import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import inspector from 'node:inspector';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { ensureDevDependencies } from './lib/devDependencies.mjs';
import { runTool } from './lib/lifecycle.mjs';
import { importTypeScript } from './lib/typeScript.mjs';

/**
 * npm run house [-- <folder> ...]
 *
 * How large nodes/shared is, how much of it one must read to follow one image generation, and how many files more
 * for a 429 to its creation. Of this repository, and of other checkouts of it whose folders are named.
 */

const SHARED = path.join('nodes', 'shared');

await runTool(async () => {
	const folders = process.argv.slice(2);
	if (folders[0] === '--measure') return console.log(JSON.stringify(await measure()));
	await ensureDevDependencies();
	/** @type {Record<string, object>} */
	const rows = {};
	for (const folder of folders.length > 0 ? folders : ['.']) rows[folder] = await measureIn(folder);
	console.table(rows);
});

/**
 * In a process of its own, with the modules of that folder.
 *
 * @param {string} folder
 */
async function measureIn(folder) {
	const own = fileURLToPath(import.meta.url);
	const child = spawn(process.execPath, [own, '--measure'], {
		cwd: folder,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	let text = '';
	child.stdout.on('data', (chunk) => (text += chunk));
	const [code] = await once(child, 'close');
	if (code !== 0) throw new Error(`${folder} could not be measured`);
	return JSON.parse(text);
}

async function measure() {
	const lengths = await fileLengths(SHARED);
	const sorted = lengths.sort((a, b) => a - b);
	const plain = await callsOfOneImage(false);
	const refused = await callsOfOneImage(true);
	const ofImage = filesOf(plain.keys());
	const more = [...filesOf(refused.keys())].filter((file) => !ofImage.has(file));
	return {
		folders: (await fs.readdir(SHARED)).length,
		files: sorted.length,
		lines: sorted.reduce((sum, lines) => sum + lines, 0),
		'median file': sorted[Math.floor(sorted.length / 2)],
		'longest file': sorted.at(-1),
		'files of an image': ofImage.size,
		'functions of it': namedIn(plain.keys()),
		'more of a 429': more.length,
	};
}

/** @param {string} folder */
async function fileLengths(folder) {
	const files = await fs.readdir(folder, { recursive: true });
	const texts = files
		.filter((file) => file.endsWith('.ts'))
		.map(async (file) => await fs.readFile(path.join(folder, file), 'utf8'));
	return (await Promise.all(texts)).map((text) => text.split('\n').length - 1);
}

/**
 * How often each function of nodes/shared is called, by file and place, while the node makes an image
 * in virtual time.
 *
 * @param {boolean} isRefused the first creation is answered with 429
 * @returns {Promise<Map<string, number>>}
 */
async function callsOfOneImage(isRefused) {
	const { VirtualN8n } = await importTypeScript('test/support/virtualRun.mts');
	const settings = { jobMs: { min: 5000, max: 5000 }, queuedMs: 0 };
	const n8n = new VirtualN8n({ settings });
	const fault = { kind: 'status', status: 429 };
	if (isRefused) n8n.state.faults.add({ match: { kind: 'create' }, fault, times: 1 });
	const parameters = { resource: 'image', operation: 'generate', prompt: 'a', size: '1:1' };
	return await callsDuring(async () => {
		const { error } = await n8n.clock.run(n8n.execute({ items: [{}], parameters }));
		if (error) throw error;
	});
}

/** @param {() => Promise<void>} work */
async function callsDuring(work) {
	const session = new inspector.Session();
	session.connect();
	/** @type {(method: any) => Promise<any>} */
	const post = (method) =>
		new Promise((resolve, reject) =>
			session.post(
				method,
				{ callCount: true, detailed: false },
				(/** @type {Error | null} */ error, /** @type {any} */ result) =>
					error ? reject(error) : resolve(result),
			),
		);
	await post('Profiler.enable');
	await post('Profiler.startPreciseCoverage');
	await work();
	const { result } = await post('Profiler.takePreciseCoverage');
	session.disconnect();
	/** @type {Map<string, number>} */
	const calls = new Map();
	for (const { url, functions } of result) {
		if (!url.includes('/nodes/shared/')) continue;
		for (const { functionName, ranges } of functions) {
			const [{ startOffset, endOffset, count }] = ranges;
			// The module itself is no function of it.
			if (startOffset === 0 || count === 0) continue;
			if (isOfLoader(functionName, endOffset - startOffset)) continue;
			calls.set(`${url}\n${functionName}\n${startOffset}`, count);
		}
	}
	return calls;
}

/**
 * Whether a function is none of the source: the loader gives each module helpers, and each export an accessor.
 *
 * @param {string} name
 * @param {number} length
 */
function isOfLoader(name, length) {
	return name === 'get' || name === '__name' || length === `()=>${name}`.length;
}

/** @param {Iterable<string>} names */
function filesOf(names) {
	return new Set([...names].map((name) => name.split('\n')[0]));
}

/** @param {Iterable<string>} names */
function namedIn(names) {
	return [...names].filter((name) => name.split('\n')[1] !== '').length;
}
