import path from 'node:path';

import type { N8nServer } from './n8nServer.mts';
import { print, run } from './run.mjs';

/** Where the debugger of a watched n8n listens: Node's usual port, on this machine only. */
export const DEBUGGER = '127.0.0.1:9229';

/** Options that make an n8n reload the package whenever its files change. */
export const WATCHED = {
	env: { N8N_DEV_RELOAD: 'true' },
	nodeFlags: [`--inspect=${DEBUGGER}`],
};

/**
 * Compiles the sources into the package that a running n8n has installed, and again after each change, until the tool
 * ends. Source maps let breakpoints in the sources work in n8n.
 */
export function watchSources({ userFolder }: N8nServer) {
	const packages = path.join(userFolder, '.n8n', 'nodes', 'node_modules');
	const outDir = path.join(packages, 'n8n-nodes-mediagen', 'dist');
	const compiler = path.join('node_modules', '.bin', 'tsc');
	const flags = ['--watch', '--preserveWatchOutput', '--sourceMap', '--outDir', outDir];
	void run(compiler, flags, { show: print });
}
