import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import util from 'node:util';

import { npm } from '../../tools/lib/npm.mjs';

/** The package as it is packed, and later versions of it. */

const run = util.promisify(execFile);

/** What the package.json in a packed package says. */
export interface Manifest {
	name: string;
	version: string;
	[field: string]: unknown;
}

export async function readManifest(tarball: string): Promise<Manifest> {
	const { stdout } = await run('tar', ['-xzOf', tarball, 'package/package.json']);
	return JSON.parse(stdout);
}

/**
 * Packs another version of a packed package.
 *
 * @param folder receives the unpacked package, and the tarball
 * @param change what else is different: files of the package and how their text changes
 * @returns the path of the tarball
 */
export async function packVersion(
	tarball: string,
	version: string,
	folder: string,
	change: Record<string, (text: string) => string> = {},
): Promise<string> {
	await run('tar', ['-xzf', tarball, '-C', folder]);
	const unpacked = path.join(folder, 'package');
	const raise = (text: string) => JSON.stringify({ ...JSON.parse(text), version });
	for (const [file, changed] of Object.entries({ 'package.json': raise, ...change })) {
		const name = path.join(unpacked, file);
		await fs.writeFile(name, changed(await fs.readFile(name, 'utf8')));
	}
	await npm(['pack', '--ignore-scripts', '--pack-destination', folder], {
		what: 'Packing another version',
		cwd: unpacked,
	});
	const packed = (await fs.readdir(folder)).find((file) => file.endsWith(`-${version}.tgz`));
	return path.join(folder, packed ?? '');
}
