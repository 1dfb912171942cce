import { createRequire } from 'node:module';
import path from 'node:path';

import { FOLDERS } from './folders.mjs';

/** The repository, or the copy of it that contains the mutants. */
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
	// The usual set-up looks up error texts in the code, which mutants have changed.
	setupFilesAfterEnv: [],
	testEnvironment: path.join(root, 'tools/mutate/environment.cjs'),
	// The time-out is long, so that a busy machine does not look like a failure.
	testTimeout: 25_000,
	runner: ['<rootDir>/tools/mutate/testRunner.cjs', { wholeFiles: folder?.wholeFiles === true }],
};
