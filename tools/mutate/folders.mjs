import path from 'node:path';

import { cacheFolder } from '../lib/cache.mjs';

/**
 * The folders of nodes/shared to mutate, and the unit tests that should notice: names as in test/unit, with `*` as in a
 * glob. Each mutant waits for all tests that reach it, so the long suites with random faults (faults, chaos, seeds) and
 * the tests of other folders' concerns stay out.
 *
 * With `wholeFiles`, all tests of a file run if one of them reaches the mutant, because the code keeps what that test
 * made for the others (the schema of an operation).
 *
 * @type {Record<string, { tests: string[], wholeFiles?: true }>}
 */
export const FOLDERS = {
	request: {
		wholeFiles: true,
		tests: ['request/*', 'spec/*', 'execute/emptyFields', 'execute/guards', 'edgeCases/empty'],
	},
	service: {
		tests: ['service/*', 'execute/secrets', 'jobs/{demoAccount,openAnswers}', 'outsideText/names'],
	},
	jobs: {
		tests: ['jobs/!(placesOfOthers|readsAndPolls|otherProcesses|demoAccount)'],
	},
	plan: {
		tests: ['plan/*', 'limits/{places,requests,polls,tooMany}'],
	},
	spec: {
		wholeFiles: true,
		tests: ['spec/*', 'request/*'],
	},
	durable: {
		// The tests of tables, and one suite of whole stories: the others take seconds for each mutant.
		tests: [
			'durable/{abandoned,blocker,endings,executions,foreign,handOver,heldPlaces,kept,ownership}',
			'durable/{parking,progress,retriedHelper,role,roleWorkflow,serialize,start,supervision}',
			'durable/{ticks,workOf,worker}',
		],
	},
};

/**
 * The file of earlier results that Stryker starts from and updates.
 *
 * @param {string} folder
 */
export const incrementalFile = (folder) => path.join(cacheFolder(), 'mutants', `${folder}.json`);
