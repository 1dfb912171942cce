import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';

import { npmInstall } from './npm.mjs';
import { step } from './run.mjs';

export type LockedPackages = Awaited<ReturnType<typeof lockedPackages>>;

export async function lockedPackages(folder: string) {
	const manifest = await fs.readFile(path.join(folder, 'package.json'), 'utf8');
	const lock = await fs.readFile(path.join(folder, 'package-lock.json'), 'utf8');
	/** Of the manifest and the lock together. */
	const hash = createHash('sha256').update(manifest).update(lock).digest('hex').slice(0, 12);
	return { manifest, lock, hash };
}

export async function installLocked(
	{ manifest, lock }: LockedPackages,
	target: string,
	{ title, what }: { title: string; what: string },
) {
	await fs.writeFile(path.join(target, 'package.json'), manifest);
	await fs.writeFile(path.join(target, 'package-lock.json'), lock);
	await step(title, () => npmInstall(['--no-save'], { what, cwd: target }));
}
