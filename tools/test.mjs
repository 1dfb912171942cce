import { ensureDevDependencies } from './lib/devDependencies.mjs';
import { ToolError } from './lib/errors.mjs';
import { runTool } from './lib/lifecycle.mjs';
import { ensureN8n } from './lib/n8nInstall.mjs';
import { buildPackage } from './lib/packageBuild.mjs';
import { check, jest, runStages } from './lib/testStages.mjs';

const USAGE = `npm test [-- <stage>] [-- <arguments for Jest>]

Stages: checks (lint, formatting, types), unit, engine (n8n-core), e2e (a real n8n server); all of
them when none is named.`;

/** @type {import('./lib/testStages.mjs').Stage} */
const SET_UP = {
	title: 'set-up',
	required: true,
	run: async () => {
		await ensureDevDependencies();
		return { passed: 0, failed: 0 };
	},
};

/** Words by which the stages are chosen. */
const NAMES = ['checks', 'unit', 'engine', 'e2e'];

await runTool(async () => {
	const [name, ...rest] = process.argv.slice(2);
	if (name !== undefined && !NAMES.includes(name)) throw new ToolError(USAGE);
	const stages = Object.entries(stagesOf(rest)).filter(([stage]) => !name || stage === name);
	const { passed, failed } = await runStages([SET_UP, ...stages.flatMap(([, list]) => list)]);
	console.log(`\n${passed} passed, ${failed} failed`);
	return failed > 0 ? 1 : 0;
});

/**
 * @param {string[]} jestArguments
 * @returns {Record<string, import('./lib/testStages.mjs').Stage[]>}
 */
function stagesOf(jestArguments) {
	return {
		checks: [
			{ title: 'lint', run: () => check('n8n-node', 'lint') },
			{ title: 'formatting', run: () => check('prettier', '--check', '.') },
			{ title: 'types of the package', run: () => check('tsc', '--noEmit', '-p', '.') },
			{ title: 'types of tools and tests', run: () => check('tsc', '-p', 'tsconfig.dev.json') },
		],
		unit: [
			{
				title: 'unit tests',
				// Nothing in them depends on time: all cores can be used.
				run: () => jest('unit', ['--maxWorkers=100%', ...jestArguments]),
			},
		],
		engine: [
			{
				title: 'engine tests',
				run: async () => {
					const { node, folder } = await ensureN8n();
					return await jest('engine', jestArguments, { MEDIAGEN_N8N_FOLDER: folder }, node);
				},
			},
		],
		e2e: [
			{
				title: 'end-to-end tests',
				run: async () => {
					const { node, folder } = await ensureN8n();
					return await jest('e2e', ['--runInBand', ...jestArguments], {
						MEDIAGEN_N8N_NODE: node,
						MEDIAGEN_N8N_FOLDER: folder,
						MEDIAGEN_TARBALL: await buildPackage(),
					});
				},
			},
		],
	};
}
