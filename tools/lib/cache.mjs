import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { ToolError } from './errors.mjs';
import { onEnd } from './lifecycle.mjs';

/** Milliseconds after which an unfinished install is taken for one that was killed. */
const ABANDONED_AFTER = 2 * 60 * 60 * 1000;

/** Marks the folder of an install that is not whole yet. */
const UNFINISHED = '.unfinished-';

/** The folder where downloads that outlive a clone are kept: `MEDIAGEN_CACHE`, or the user's cache. */
export function cacheFolder() {
	const { MEDIAGEN_CACHE, XDG_CACHE_HOME } = process.env;
	if (MEDIAGEN_CACHE) return path.resolve(MEDIAGEN_CACHE);
	return path.join(XDG_CACHE_HOME || path.join(os.homedir(), '.cache'), 'n8n-nodes-mediagen');
}

/**
 * Fills a folder of the cache, unless it is there already. It is filled under another name and
 * renamed when it is whole: what is found under its name is always complete, also when an install
 * was interrupted, and two at once do not disturb each other.
 *
 * @param {string} name
 * @param {(folder: string) => Promise<void>} fill Writes everything into the folder given.
 * @param {object} [options]
 * @param {number} [options.gigabytes] What has to be free on the disk.
 * @returns {Promise<string>} The folder's path.
 */
export async function cached(name, fill, { gigabytes = 0 } = {}) {
	const cache = cacheFolder();
	const folder = path.join(cache, name);
	if (existsSync(folder)) return folder;
	await makeFolder(cache);
	await removeAbandoned(cache);
	await requireSpace(cache, gigabytes);
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
 * Gives a folder its final name. When another process was first, that one's stays.
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

/**
 * @param {string} folder
 * @param {number} gigabytes
 */
async function requireSpace(folder, gigabytes) {
	const { bavail, bsize } = await fs.statfs(folder);
	const free = (bavail * bsize) / 1e9;
	if (free >= gigabytes) return;
	throw new ToolError(
		`The disk has ${free.toFixed(1)} GB free and ${gigabytes} GB are needed in ${folder}. ` +
			'Make room, or set MEDIAGEN_CACHE to a folder on a larger disk.',
	);
}
