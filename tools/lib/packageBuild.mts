import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from './errors.mjs';
import { npm, npmInstall } from './npm.mjs';
import { packedReadme } from './releases.mts';
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
		await npm(['pack', '--ignore-scripts=false', '--pack-destination', packed], {
			what: 'Packing the package',
			cwd: copy,
		});
		const [tarball = ''] = await fs.readdir(packed);
		return path.join(packed, tarball);
	});
}

/** @throws ToolError unless the package is built: npm would pack whatever is there without complaint */
export async function requireBuilt(root = process.cwd()) {
	const { n8n } = JSON.parse(await fs.readFile(path.join(root, 'package.json'), 'utf8'));
	const isThere = (file: string) => existsSync(path.join(root, file));
	if ([...n8n.nodes, ...n8n.credentials].every(isThere)) return;
	throw new ToolError('There is no build to pack. Run "npm run build" first.');
}

/** Where README is kept while the packed one takes its place. The kept file is not packed. */
const README = 'README.md';
const KEPT = 'dist/README.md';

/** Replaces README by the version to be packed: as a README, npm packs only the file with that name. */
export async function putPackedReadme(root = process.cwd()) {
	const readme = path.join(root, README);
	const { repository } = JSON.parse(await fs.readFile(path.join(root, 'package.json'), 'utf8'));
	const [, name = ''] = /github\.com\/(.*)\.git$/.exec(repository.url) ?? [];
	const text = await fs.readFile(readme, 'utf8');
	const packed = packedReadme(text, name);
	const kept = path.join(root, KEPT);
	// If an earlier pack was interrupted, README is still the packed one, and the original is already kept.
	if (packed !== text || !existsSync(kept)) await fs.copyFile(readme, kept);
	await fs.writeFile(readme, packed);
}

export async function putBackReadme(root = process.cwd()) {
	await fs.rename(path.join(root, KEPT), path.join(root, README));
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
