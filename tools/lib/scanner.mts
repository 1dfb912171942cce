import path from 'node:path';

import { cached } from './cache.mjs';
import { ToolError } from './errors.mjs';
import { installLocked, lockedPackages } from './lockedPackages.mts';
import { lastLines } from './npm.mjs';
import { run, step } from './run.mjs';
import { temporaryFolder } from './temporaryFolder.mts';

/** Relative to the repository's root: the manifest and lock of n8n's scanner, and the script that runs it. */
const PLACE = path.join('tools', 'scan');

/**
 * What n8n's scanner reports about the sources and the packed package; n8n verifies only packages without any. The
 * scanner would download both, but here it gets those of this repository.
 */
export async function scanPackage(tarball: string): Promise<string[]> {
	const scanner = await ensureScanner();
	const unpacked = await unpack(tarball);
	return await step("Running n8n's scanner", () => scan(scanner, process.cwd(), unpacked));
}

/** Makes sure that the cache has the scanner, in the locked version. */
async function ensureScanner(): Promise<string> {
	const packages = await lockedPackages(PLACE);
	const folder = await cached(`scanner-${packages.hash}`, (target) =>
		installLocked(packages, target, {
			title: "Installing n8n's scanner (50 MB, about 10 s, only once)",
			what: "Installing n8n's scanner",
		}),
	);
	const scanner = path.join('@n8n', 'scan-community-package', 'scanner', 'scanner.mjs');
	return path.join(folder, 'node_modules', scanner);
}

/** Runs the scanner over the sources and the unpacked package. Its rules use this repository's n8n-workflow. */
async function scan(scanner: string, sources: string, unpacked: string): Promise<string[]> {
	const program = path.join(PLACE, 'scan.mjs');
	const { code, output } = await run(process.execPath, [program, scanner, sources, unpacked], {
		env: { ...process.env, NODE_PATH: path.resolve('node_modules') },
	});
	return code === 0 ? [] : [output || `n8n's scanner ended with ${code}.`];
}

async function unpack(tarball: string): Promise<string> {
	const folder = await temporaryFolder('mediagen-unpacked-');
	const { code, output } = await run('tar', ['xzf', tarball, '-C', folder, '--strip-components=1']);
	if (code !== 0) throw new ToolError(`The package cannot be unpacked: ${lastLines(output)}`);
	return folder;
}
