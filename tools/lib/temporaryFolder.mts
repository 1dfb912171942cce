import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { onEnd } from './lifecycle.mjs';

/**
 * Makes a folder that is removed when the tool ends. Links in its path are resolved: Node loads modules by their real
 * path, and n8n looks for them by the path it was given.
 */
export async function temporaryFolder(prefix: string) {
	const folder = await fs.mkdtemp(path.join(await fs.realpath(os.tmpdir()), prefix));
	onEnd(() => removeFolder(folder));
	return folder;
}

export async function removeFolder(folder: string) {
	await fs.rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
