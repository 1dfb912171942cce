import { incrementalFile } from './tools/mutate/folders.mjs';

/** Mutates the folder of nodes/shared that tools/mutate.mts names. */
const folder = process.env.MUTATE_FOLDER ?? '';

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: [`nodes/shared/${folder}/**/*.ts`],
	testRunner: 'jest',
	jest: { configFile: 'tools/mutate/jestConfig.mjs', enableFindRelatedTests: false },
	coverageAnalysis: 'perTest',
	incremental: true,
	incrementalFile: incrementalFile(folder),
	plugins: ['@stryker-mutator/jest-runner', './tools/mutate/plugins.mjs'],
	ignorers: folder === 'spec' ? ['words'] : [],
	concurrency: 2,
	// A busy machine is slow, and a mutant that is only slow is not found.
	timeoutMS: 30_000,
	timeoutFactor: 2,
	dryRunTimeoutMinutes: 30,
	// Inside the repository, so that the copy finds node_modules.
	tempDirName: `.mutants/${folder}`,
	cleanTempDir: 'always',
	disableTypeChecks: false,
	ignorePatterns: ['dist', 'docs/images', '.mutants'],
	reporters: ['progress-append-only'],
	allowConsoleColors: false,
};
