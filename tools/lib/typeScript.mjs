import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Once: what is registered twice compiles twice.
 *
 * @type {Promise<void> | undefined}
 */
let registered;

/**
 * Imports a module of the repository that is written in TypeScript. Needs the development
 * dependencies.
 *
 * @param {string} file Seen from the repository's root.
 * @returns {Promise<any>}
 */
export async function importTypeScript(file) {
	await (registered ??= register());
	return await import(pathToFileURL(path.resolve(file)).href);
}

/** Both: development code is made of ES modules, the spec tables it imports are CommonJS. */
async function register() {
	(await import('tsx/esm/api')).register();
	(await import('tsx/cjs/api')).register();
}
