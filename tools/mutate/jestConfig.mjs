import { createRequire } from 'node:module';
import path from 'node:path';

import { FOLDERS } from './folders.mjs';

/** The repository, or the copy of it with the mutants. */
const root = path.resolve(import.meta.dirname, '..', '..');

const folder = FOLDERS[process.env.MUTATE_FOLDER ?? ''];

const { projects } = createRequire(import.meta.url)(path.join(root, 'jest.config.cjs'));
const unit = projects.find(
	(/** @type {{ displayName: string }} */ { displayName }) => displayName === 'unit',
);

/** The unit tests that the folder's mutants are shown to. */
export default {
	...unit,
	rootDir: root,
	roots: ['nodes', 'credentials', 'sandbox', 'test', 'tools'].map(
		(folder) => `<rootDir>/${folder}`,
	),
	testMatch: folder?.tests.map((name) => `<rootDir>/test/unit/${name}.test.mts`),
	// It looks up the texts of errors in the code, which has others by now.
	setupFilesAfterEnv: [],
	testEnvironment: path.join(root, 'tools/mutate/environment.cjs'),
	// A busy machine is no failure.
	testTimeout: 25_000,
	runner: ['<rootDir>/tools/mutate/testRunner.cjs', { wholeFiles: folder?.wholeFiles === true }],
};
