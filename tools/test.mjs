import { ensureDevDependencies } from './lib/devDependencies.mjs';
import { ToolError } from './lib/errors.mjs';
import { runTool } from './lib/lifecycle.mjs';
import { ensureN8n } from './lib/n8nInstall.mjs';
import { jestWithN8n } from './lib/n8nTests.mjs';
import { requireQueueServices } from './lib/queuePlace.mjs';
import { scanPackage } from './lib/scanner.mjs';
import { check, findsNothing, jest, runStages } from './lib/testStages.mjs';
import { lintWorkflows } from './lib/workflows.mjs';

const USAGE = `npm test [-- <stage>] [-- <arguments for Jest>]

Stages: checks (lint, formatting, types, workflows, n8n's scanner), unit, engine (n8n-core), e2e (a real
n8n server), examples (those of the folder, in a real n8n); all of them when none is named. And editor (n8n's editor, which needs Chromium), durable
(waiting that survives, which takes longer), install (installed, updated and removed as people do), and
queue (n8n in queue mode, which needs Redis and PostgreSQL).`;

/** @type {import('./lib/testStages.mjs').Stage} */
const SET_UP = {
	title: 'set-up',
	required: true,
	run: async () => {
		await ensureDevDependencies();
		return { passed: 0, failed: 0 };
	},
};

/** The stages that are run when none is named. */
const ALWAYS = ['checks', 'unit', 'engine', 'e2e', 'examples'];

/** Those that need more time than most people have, or what not every machine has. */
const ON_REQUEST = ['editor', 'durable', 'install', 'queue'];

await runTool(async () => {
	const [name, ...rest] = process.argv.slice(2);
	if (name !== undefined && ![...ALWAYS, ...ON_REQUEST].includes(name)) throw new ToolError(USAGE);
	const chosen = name ? [name] : ALWAYS;
	const stages = Object.entries(stagesOf(rest)).filter(([stage]) => chosen.includes(stage));
	const { passed, failed } = await runStages([SET_UP, ...stages.flatMap(([, list]) => list)]);
	console.log(`\n${passed} passed, ${failed} failed`);
	return failed > 0 ? 1 : 0;
});

/**
 * Jest takes an option that is given twice for a list, and starts a crowd of workers for one of numbers.
 *
 * @param {string[]} jestArguments
 */
function withDefaults(jestArguments) {
	const defaults = ['--maxWorkers=100%', '--testTimeout=60000'];
	const isGiven = (/** @type {string} */ option) =>
		jestArguments.some((one) => one.startsWith(option.split('=')[0] ?? ''));
	return [...defaults.filter((option) => !isGiven(option)), ...jestArguments];
}

/**
 * @param {string[]} jestArguments
 * @returns {Record<string, import('./lib/testStages.mjs').Stage[]>}
 */
function stagesOf(jestArguments) {
	return {
		checks: [
			{ title: 'lint', run: () => check('n8n-node', 'lint') },
			{ title: "n8n's scanner", run: () => findsNothing(scanPackage) },
			{ title: 'formatting', run: () => check('prettier', '--check', '.') },
			{ title: 'types of the package', run: () => check('tsc', '--noEmit', '-p', '.') },
			{ title: 'types of tools and tests', run: () => check('tsc', '-p', 'tsconfig.dev.json') },
			{ title: 'workflows', run: () => findsNothing(lintWorkflows) },
		],
		unit: [
			{
				title: 'unit tests',
				// Nothing in them depends on time: all cores can be used, and a busy machine fails none.
				run: () => jest('unit', withDefaults(jestArguments)),
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
					return await jestWithN8n('e2e', await ensureN8n(), jestArguments);
				},
			},
		],
		examples: [
			{
				title: 'examples',
				run: async () => {
					return await jestWithN8n('examples', await ensureN8n(), jestArguments);
				},
			},
		],
		editor: [
			{
				title: 'tests in the editor',
				run: async () => {
					return await jestWithN8n('editor', await ensureN8n(), jestArguments);
				},
			},
		],
		durable: [
			{
				title: 'durable waiting tests',
				run: async () => {
					return await jestWithN8n('durable', await ensureN8n(), jestArguments);
				},
			},
		],
		install: [
			{
				title: 'tests of the installation',
				run: async () => {
					return await jestWithN8n('install', await ensureN8n(), jestArguments);
				},
			},
		],
		queue: [
			{
				title: 'queue mode tests',
				run: async () => {
					const n8n = await ensureN8n();
					await requireQueueServices(n8n);
					return await jestWithN8n('queue', n8n, jestArguments);
				},
			},
		],
	};
}
