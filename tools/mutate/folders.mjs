import path from 'node:path';

import { cacheFolder } from '../lib/cache.mjs';

/**
 * What is mutated, folder by folder of nodes/shared, and the unit tests that are asked whether they notice:
 * names as in test/unit, with `*` as in a glob. Each mutant has to wait for all tests that come near it, so
 * the long suites with random faults (faults, chaos, seeds) and those of other folders' business stay out.
 *
 * With `wholeFiles`, all tests of a file are run if one of them comes near the mutant: what that one makes, the
 * code keeps for the others (the schema of an operation).
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
		// The tables, and one suite of stories: the others take seconds for each mutant.
		tests: [
			'durable/{abandoned,blocker,endings,executions,foreign,handOver,heldPlaces,kept,ownership}',
			'durable/{parking,progress,retriedHelper,role,roleWorkflow,serialize,start,supervision}',
			'durable/{ticks,workOf,worker}',
		],
	},
};

/**
 * What Stryker starts from and writes to.
 *
 * @param {string} folder
 */
export const incrementalFile = (folder) => path.join(cacheFolder(), 'mutants', `${folder}.json`);
