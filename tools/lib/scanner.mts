// @ts-expect-error It has no types.
import * as scanner from '@n8n/scan-community-package/scanner/scanner.mjs';

import { ToolError } from './errors.mjs';
import { lastLines } from './npm.mjs';
import { run } from './run.mjs';
import { temporaryFolder } from './temporaryFolder.mts';
import { FAILED, PASSED, type Result, type Show } from './testStages.mts';

/**
 * Runs n8n's scanner over the sources and the packed package; n8n verifies only packages in which it finds nothing. It
 * would download both, but here it gets those of this repository.
 */
export async function scanPackage(tarball: string, show: Show): Promise<Result> {
	const found = [
		await scanner.analyzePackage(process.cwd(), scanner.SOURCE_FILE_PATTERNS),
		await scanner.analyzePackage(await unpack(tarball), ['**/*.js', 'package.json']),
	].filter(({ passed, message }) => !passed || message);
	for (const { message, details = '' } of found) show(`${message}\n${details}\n`);
	return found.length === 0 ? PASSED : FAILED;
}

async function unpack(tarball: string): Promise<string> {
	const folder = await temporaryFolder('mediagen-unpacked-');
	const { code, output } = await run('tar', ['xzf', tarball, '-C', folder, '--strip-components=1']);
	if (code !== 0) throw new ToolError(`The package cannot be unpacked: ${lastLines(output)}`);
	return folder;
}
