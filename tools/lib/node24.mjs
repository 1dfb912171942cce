import path from 'node:path';

import { cached, exists } from './cache.mjs';
import { ToolError } from './errors.mjs';
import { npmInstall } from './npm.mjs';
import { step } from './run.mjs';

/** The Node that runs n8n when the machine's own is another: n8n 2.40 asks for 24 or newer. */
const VERSION = '24.21.0';

/**
 * Finds a Node 24: the running one, or one brought along from the npm registry.
 *
 * @returns {Promise<{ node: string, bin: string, headers?: string }>} The program, the folder it is
 *   in, and the folder that has Node's C++ headers in `include/`, if it came with them.
 */
export async function ensureNode24() {
	if (process.versions.node.startsWith('24.')) return await describe(process.execPath);
	const platform = `${process.platform}-${process.arch}`;
	const name = `node-${platform}`;
	if (process.platform === 'win32') {
		throw new ToolError(
			'n8n for the demo and the tests runs on Linux and macOS. On Windows, use the Windows ' +
				'Subsystem for Linux (https://learn.microsoft.com/windows/wsl/install).',
		);
	}
	const folder = await cached(`node-${VERSION}-${platform}`, (target) =>
		step(`Downloading Node ${VERSION}, which n8n needs (200 MB, about 10 s)`, () =>
			npmInstall([`${name}@${VERSION}`], {
				what: `Downloading Node ${VERSION}`,
				cwd: target,
			}),
		),
	);
	return await describe(path.join(folder, 'node_modules', name, 'bin', 'node'));
}

/** @param {string} node */
async function describe(node) {
	const bin = path.dirname(node);
	const headers = path.dirname(bin);
	const hasHeaders = await exists(path.join(headers, 'include', 'node', 'node.h'));
	return hasHeaders ? { node, bin, headers } : { node, bin };
}
