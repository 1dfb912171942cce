import fs from 'node:fs/promises';
import path from 'node:path';

import { npm, npmInstall } from './npm.mjs';
import { step } from './run.mjs';
import { temporaryFolder } from './temporaryFolder.mjs';

/** What a copy of the repository does without. */
const NOT_COPIED = ['.git', 'dist', 'docs', 'node_modules', 'test'];

/**
 * Builds the package and packs it as it would be published. It does so in a copy: a build begins
 * with removing the last one, which another tool may be about to pack.
 *
 * @param {string} [root] The repository.
 * @returns {Promise<string>} The path of the tarball, in a folder that is removed at the end.
 */
export async function buildPackage(root = process.cwd()) {
	return await step('Building and packing the package', async () => {
		const folder = await temporaryFolder('mediagen-package-');
		const copy = path.join(folder, 'copy');
		await copySources(root, copy);
		await npm(['run', 'build'], { what: 'Building the package', cwd: copy });
		const packed = path.join(folder, 'packed');
		await fs.mkdir(packed);
		await npm(['pack', '--ignore-scripts', '--pack-destination', packed], {
			what: 'Packing the package',
			cwd: copy,
		});
		const [tarball = ''] = await fs.readdir(packed);
		return path.join(packed, tarball);
	});
}

/**
 * @param {string} root
 * @param {string} copy
 */
async function copySources(root, copy) {
	await fs.cp(root, copy, {
		recursive: true,
		filter: (file) => !NOT_COPIED.includes(path.relative(root, file)),
	});
	await fs.symlink(path.join(root, 'node_modules'), path.join(copy, 'node_modules'));
}

/**
 * Installs a packed package into a folder, without asking any registry.
 *
 * @param {string} tarball
 * @param {string} folder
 */
export async function installTarball(tarball, folder) {
	await fs.mkdir(folder, { recursive: true });
	await npmInstall(['--omit=peer', '--offline', tarball], {
		what: 'Installing the package into n8n',
		cwd: folder,
	});
}
