// @ts-expect-error It has no types.
import * as scanner from '@n8n/scan-community-package/scanner/scanner.mjs';

import { ToolError } from './errors.mjs';
import { lastLines } from './npm.mjs';
import { run, step } from './run.mjs';
import { temporaryFolder } from './temporaryFolder.mts';

/**
 * What n8n's scanner reports about the sources and the packed package; n8n verifies only packages without any. The
 * scanner would download both, but here it gets those of this repository.
 */
export async function scanPackage(tarball: string): Promise<string[]> {
	const unpacked = await unpack(tarball);
	return await step("Running n8n's scanner", async () => [
		...(await scan(process.cwd(), scanner.SOURCE_FILE_PATTERNS)),
		...(await scan(unpacked, ['**/*.js', 'package.json'])),
	]);
}

/** @param patterns of the files, as n8n uses them for such a folder */
async function scan(folder: string, patterns: string[]): Promise<string[]> {
	const { passed, message, details } = await scanner.analyzePackage(folder, patterns);
	return passed && !message ? [] : [`${message}\n${details ?? ''}`];
}

async function unpack(tarball: string): Promise<string> {
	const folder = await temporaryFolder('mediagen-unpacked-');
	const { code, output } = await run('tar', ['xzf', tarball, '-C', folder, '--strip-components=1']);
	if (code !== 0) throw new ToolError(`The package cannot be unpacked: ${lastLines(output)}`);
	return folder;
}
