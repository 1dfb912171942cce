import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { ToolError } from './errors.mjs';
import { onEnd } from './lifecycle.mjs';

/** The folder for downloads that outlive a clone: `MEDIAGEN_CACHE`, or one in the user's cache. */
function cacheFolder() {
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
	const unfinished = await fs.mkdtemp(`${folder}.unfinished-`);
	onEnd(() => fs.rm(unfinished, { recursive: true, force: true, maxRetries: 3 }));
	try {
		await fill(unfinished);
		await fs.rename(unfinished, folder);
	} catch (error) {
		// Another process was faster: its folder stays.
		if (!existsSync(folder)) throw error;
	}
	return folder;
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
