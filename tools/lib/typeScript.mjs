import path from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Registered only once: otherwise, files would be compiled twice.
 *
 * @type {Promise<void> | undefined}
 */
let registered;

/**
 * Imports a TypeScript module of the repository. Needs the development dependencies.
 *
 * @param {string} file Relative to the repository's root.
 * @returns {Promise<any>}
 */
export async function importTypeScript(file) {
	await (registered ??= register());
	return await import(pathToFileURL(path.resolve(file)).href);
}

/** Registers both loaders: development code uses ES modules, but the spec tables that it imports are CommonJS. */
async function register() {
	(await import('tsx/esm/api')).register();
	(await import('tsx/cjs/api')).register();
}
