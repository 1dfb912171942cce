import { existsSync } from 'node:fs';
import path from 'node:path';

import { cached } from './cache.mjs';
import { ToolError } from './errors.mjs';
import { npmInstall } from './npm.mjs';
import { step } from './run.mjs';

/** The versions to download, by major version, when the running Node has another one. */
const VERSIONS = { 22: '22.23.3', 24: '24.21.0' };

export type NodeMajor = keyof typeof VERSIONS;

export type NodeProgram = Awaited<ReturnType<typeof ensureNode>>;

/** Finds a Node: the running one, or one downloaded from the npm registry. */
export async function ensureNode(
	major: NodeMajor,
): Promise<{ node: string; bin: string; headers?: string }> {
	if (process.versions.node.startsWith(`${major}.`)) return await describe(process.execPath);
	const version = VERSIONS[major];
	const platform = `${process.platform}-${process.arch}`;
	const name = `node-${platform}`;
	if (process.platform === 'win32') {
		throw new ToolError(
			'n8n for the demo and the tests runs on Linux and macOS. On Windows, use the Windows ' +
				'Subsystem for Linux (https://learn.microsoft.com/windows/wsl/install).',
		);
	}
	const folder = await cached(`node-${version}-${platform}`, (target) =>
		step(`Downloading Node ${version}, which n8n needs (200 MB, about 10 s)`, () =>
			npmInstall([`${name}@${version}`], {
				what: `Downloading Node ${version}`,
				cwd: target,
			}),
		),
	);
	return await describe(path.join(folder, 'node_modules', name, 'bin', 'node'));
}

async function describe(node: string) {
	const bin = path.dirname(node);
	const headers = path.dirname(bin);
	const hasHeaders = existsSync(path.join(headers, 'include', 'node', 'node.h'));
	return hasHeaders ? { node, bin, headers } : { node, bin };
}
