import { existsSync } from 'node:fs';
import fs from 'node:fs/promises';
import path from 'node:path';

import { ToolError } from './errors.mjs';
import { metadataOf, packedReadme } from './metadata.mts';
import { npm, npmInstall } from './npm.mjs';
import { step } from './run.mjs';
import { temporaryFolder } from './temporaryFolder.mts';

/** What the second half of a build removes. */
const UNBUNDLED = 'dist/nodes/shared';

/** What a copy of the repository does without. */
const NOT_COPIED = ['.git', 'dist', 'node_modules'];

/**
 * Builds the package and packs it as it would be published. It does so in a copy: a build begins
 * with removing the last one, which another tool may be about to pack.
 *
 * @returns The path of the tarball, in a folder that is removed at the end.
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

/** Throws a ToolError unless the package is built: npm packs without a word what there is. */
export async function requireBuilt(root = process.cwd()) {
	const { n8n } = JSON.parse(await fs.readFile(path.join(root, 'package.json'), 'utf8'));
	const isThere = (file: string) => existsSync(path.join(root, file));
	if ([...n8n.nodes, ...n8n.credentials].every(isThere) && !isThere(UNBUNDLED)) return;
	throw new ToolError('There is no build to pack. Run "npm run build" first.');
}

/** Where README waits while the packed one takes its place; it is not packed. */
const README = 'README.md';
const KEPT = 'dist/README.md';

/** Puts README as it is packed in the place of README, as npm packs no other. */
export async function putPackedReadme(root = process.cwd()) {
	const readme = path.join(root, README);
	const manifest = JSON.parse(await fs.readFile(path.join(root, 'package.json'), 'utf8'));
	const text = await fs.readFile(readme, 'utf8');
	const packed = packedReadme(text, metadataOf(manifest));
	const kept = path.join(root, KEPT);
	// Where a pack was broken off, README is the packed one, and the other is kept already.
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

/** Installs a packed package into a folder, without asking any registry. */
export async function installTarball(tarball: string, folder: string) {
	await fs.mkdir(folder, { recursive: true });
	await npmInstall(['--offline', tarball], {
		what: 'Installing the package into n8n',
		cwd: folder,
	});
}
