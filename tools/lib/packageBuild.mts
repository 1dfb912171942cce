import fs from 'node:fs/promises';
import path from 'node:path';

import { npm, npmInstall } from './npm.mjs';
import { step } from './run.mjs';
import { temporaryFolder } from './temporaryFolder.mts';

/** Left out of a copy of the repository. */
const NOT_COPIED = ['.git', 'dist', 'node_modules'];

/**
 * Builds the package and packs it as it would be published. It works in a copy: a build first removes the last one,
 * which another tool may be about to pack.
 *
 * @returns The path of the tarball, in a folder that is removed when the tool ends.
 */
export async function buildPackage(): Promise<string> {
	return await step('Building and packing the package', async () => {
		const folder = await temporaryFolder('mediagen-package-');
		const copy = path.join(folder, 'copy');
		await copySources(copy);
		await npm(['run', 'build'], { what: 'Building the package', cwd: copy });
		const packed = path.join(folder, 'packed');
		await fs.mkdir(packed);
		await npm(['pack', '--pack-destination', packed], {
			what: 'Packing the package',
			cwd: copy,
		});
		const [tarball = ''] = await fs.readdir(packed);
		return path.join(packed, tarball);
	});
}

/** A copy of the repository as it is, with its dependencies. */
export async function copySources(copy: string) {
	const root = process.cwd();
	await fs.cp(root, copy, {
		recursive: true,
		filter: (file) => !NOT_COPIED.includes(path.relative(root, file)),
	});
	await fs.symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
}

/** Installs a packed package into a folder, without asking a registry. */
export async function installTarball(tarball: string, folder: string) {
	await fs.mkdir(folder, { recursive: true });
	await npmInstall(['--offline', tarball], {
		what: 'Installing the package into n8n',
		cwd: folder,
	});
}
