import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { ToolError } from './errors.mjs';
import { onEnd } from './lifecycle.mjs';

/** The age at which an unfinished install counts as abandoned, in ms. */
const ABANDONED_AFTER = 2 * 60 * 60 * 1000;

/** Marks the folder of an install that is not complete yet. */
const UNFINISHED = '.unfinished-';

/** The folder for downloads that outlive a clone: `MEDIAGEN_CACHE`, or one in the user's cache. */
export function cacheFolder() {
	const { MEDIAGEN_CACHE, XDG_CACHE_HOME } = process.env;
	if (MEDIAGEN_CACHE) return path.resolve(MEDIAGEN_CACHE);
	return path.join(XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'n8n-nodes-mediagen');
}

/**
 * Fills a folder of the cache, unless it exists. The folder gets its final name only when it is complete. So what is
 * found under that name is never partial, even after an interrupted install, and two installs at once do not disturb
 * each other.
 *
 * @param {string} name
 * @param {(folder: string) => Promise<void>} fill Writes everything into the given folder.
 * @returns {Promise<string>} The folder's path.
 */
export async function cached(name, fill) {
	const cache = cacheFolder();
	const folder = path.join(cache, name);
	if (existsSync(folder)) return folder;
	await makeFolder(cache);
	await removeAbandoned(cache);
	const unfinished = await fs.mkdtemp(`${folder}${UNFINISHED}`);
	const discard = onEnd(() => fs.rm(unfinished, { recursive: true, force: true, maxRetries: 3 }));
	try {
		await fill(unfinished);
		await publish(unfinished, folder);
	} finally {
		await discard();
	}
	return folder;
}

/**
 * Gives a folder its final name. If another process was faster, its folder stays.
 *
 * @param {string} unfinished
 * @param {string} folder
 */
export async function publish(unfinished, folder) {
	try {
		await fs.rename(unfinished, folder);
	} catch (error) {
		if (!existsSync(folder)) throw error;
	}
}

/** @param {string} folder */
async function makeFolder(folder) {
	try {
		await fs.mkdir(folder, { recursive: true });
	} catch (error) {
		throw new ToolError(
			`The cache folder ${folder} cannot be made (${/** @type {Error} */ (error).message}). ` +
				'Set MEDIAGEN_CACHE to a folder that can be written to.',
		);
	}
}

/** @param {string} cache */
async function removeAbandoned(cache) {
	for (const name of await fs.readdir(cache)) {
		if (!name.includes(UNFINISHED)) continue;
		const folder = path.join(cache, name);
		const stat = await fs.stat(folder).catch(() => undefined);
		if (!stat || Date.now() - stat.mtimeMs < ABANDONED_AFTER) continue;
		await fs.rm(folder, { recursive: true, force: true });
	}
}
