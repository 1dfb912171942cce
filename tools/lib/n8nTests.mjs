import { jest } from './testStages.mjs';

/** Files that use one n8n at the same time: it waits most of the time. */
export const AT_ONCE = '--maxWorkers=3';

/**
 * Runs tests that need n8n with the packed package.
 *
 * @param {string} project One of Jest's projects.
 * @param {import('./n8nInstall.mjs').N8nInstall} n8n
 * @param {string[]} jestArguments One file runs after the other, unless they say how many at once.
 * @param {object} options
 * @param {string} options.tarball The packed package.
 * @param {import('./testStages.mjs').Show} [options.show]
 */
export async function jestWithN8n(project, { node, folder }, jestArguments, { tarball, show }) {
	const env = {
		MEDIAGEN_N8N_NODE: node,
		MEDIAGEN_N8N_FOLDER: folder,
		MEDIAGEN_TARBALL: tarball,
	};
	const inTurn = jestArguments.some((one) => one.startsWith('--maxWorkers')) ? [] : ['--runInBand'];
	return await jest(project, [...inTurn, ...jestArguments], { env, show });
}
