import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';

import { npmInstall } from './npm.mjs';
import { step } from './run.mjs';

/**
 * What a folder of `tools` wants to have installed elsewhere.
 *
 * @typedef {object} LockedPackages
 * @property {string} manifest The text of its package.json.
 * @property {string} lock The text of its package-lock.json.
 * @property {string} hash Of both.
 */

/**
 * @param {string} folder
 * @returns {Promise<LockedPackages>}
 */
export async function lockedPackages(folder) {
	const manifest = await fs.readFile(path.join(folder, 'package.json'), 'utf8');
	const lock = await fs.readFile(path.join(folder, 'package-lock.json'), 'utf8');
	const hash = createHash('sha256').update(manifest).update(lock).digest('hex').slice(0, 12);
	return { manifest, lock, hash };
}

/**
 * Installs them.
 *
 * @param {LockedPackages} packages
 * @param {string} target
 * @param {{ title: string, what: string }} words What is done, with how long it takes; and in short, for errors.
 */
export async function installLocked({ manifest, lock }, target, { title, what }) {
	await fs.writeFile(path.join(target, 'package.json'), manifest);
	await fs.writeFile(path.join(target, 'package-lock.json'), lock);
	await step(title, () => npmInstall(['--no-save'], { what, cwd: target }));
}
