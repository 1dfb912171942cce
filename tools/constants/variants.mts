import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import type { Sample } from '../bench/result.mts';
import { temporaryFolder } from '../lib/temporaryFolder.mts';

/** What a sample of the bench loads, besides the dependencies. */
const COPIED = [
	'credentials',
	'nodes',
	'sandbox',
	'test/support',
	'tools',
	'package.json',
	'tsconfig.json',
];

/** A value may keep a sample from ending: a sample is given so long, ms. */
const MOST_MS = 120_000;

/** A copy of the sources, in which a file can be another one while the bench runs. */
export async function copyOfSources() {
	const folder = await temporaryFolder('mediagen-constants-');
	for (const name of COPIED) {
		await fs.cp(name, path.join(folder, name), { recursive: true });
	}
	await fs.symlink(path.resolve('node_modules'), path.join(folder, 'node_modules'));
	return folder;
}

/**
 * Samples the bench in a copy.
 *
 * @param folder The copy.
 * @param changed A file, and what it says meanwhile.
 * @returns Rejects where it fails, or takes too long.
 */
export async function sampleIn(
	folder: string,
	changed?: { file: string; text: string },
): Promise<Sample[]> {
	const before = changed && (await fs.readFile(changed.file, 'utf8'));
	if (changed) await fs.writeFile(path.join(folder, changed.file), changed.text);
	try {
		const options = {
			cwd: folder,
			timeout: MOST_MS,
			killSignal: 'SIGKILL' as const,
		};
		const { stdout } = await promisify(execFile)(
			process.execPath,
			['tools/constants/sample.mjs'],
			options,
		);
		return JSON.parse(stdout);
	} finally {
		if (changed && before !== undefined)
			await fs.writeFile(path.join(folder, changed.file), before);
	}
}
