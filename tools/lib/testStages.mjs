import fs from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import util from 'node:util';

import { describeError } from './errors.mjs';
import { run } from './run.mjs';
import { temporaryFolder } from './temporaryFolder.mjs';

/**
 * @typedef {{ passed: number, failed: number }} Result
 *
 * @typedef {object} Stage
 * @property {string} title
 * @property {() => Promise<Result>} run
 * @property {boolean} [required] When it fails, the stages after it are not run.
 */

/** @type {Result} */
const PASSED = { passed: 1, failed: 0 };
/** @type {Result} */
const FAILED = { passed: 0, failed: 1 };

/**
 * Runs stages one after another, also after one that failed, and sums up at the end.
 *
 * @param {Stage[]} stages
 * @returns {Promise<Result>}
 */
export async function runStages(stages) {
	const total = { passed: 0, failed: 0 };
	const lines = [];
	for (const { title, run: runStage, required } of stages) {
		console.log(`\n=== ${title}`);
		const start = performance.now();
		const { passed, failed } = await runStage().catch((error) => {
			console.error(describeError(error));
			return FAILED;
		});
		total.passed += passed;
		total.failed += failed;
		const seconds = ((performance.now() - start) / 1000).toFixed(1);
		const verdict = failed > 0 ? `${failed} FAILED` : 'ok';
		lines.push(`${title.padEnd(26)} ${verdict.padEnd(10)} ${seconds.padStart(6)} s`);
		if (required && failed > 0) break;
	}
	console.log(`\n${lines.join('\n')}`);
	return total;
}

/**
 * Runs a program of the development dependencies that must have nothing to complain about. It counts
 * as one test.
 *
 * @param {string} program
 * @param {string[]} args
 * @returns {Promise<Result>}
 */
export async function check(program, ...args) {
	const file = path.join('node_modules', '.bin', program);
	const { code, output } = await run(file, args, { show: true });
	// ESLint ends with 0 when it has only warned.
	const warned = /\b[1-9]\d* warnings?\b/.test(util.stripVTControlCharacters(output));
	return code === 0 && !warned ? PASSED : FAILED;
}

/**
 * Runs a check that gives what it has to complain about. It counts as one test.
 *
 * @param {() => Promise<string[]>} find
 * @returns {Promise<Result>}
 */
export async function findsNothing(find) {
	const found = await find();
	for (const complaint of found) console.error(complaint);
	return found.length === 0 ? PASSED : FAILED;
}

/**
 * Runs one of Jest's projects.
 *
 * @param {string} project
 * @param {string[]} args
 * @param {Record<string, string>} [env] Added to the environment.
 * @param {string} [node] The Node to run it with.
 * @returns {Promise<Result>}
 */
export async function jest(project, args, env = {}, node = process.execPath) {
	const report = path.join(await temporaryFolder('mediagen-tests-'), 'report.json');
	const program = path.join('node_modules', 'jest', 'bin', 'jest.js');
	// A test that has failed may leave something at work that would keep Jest from ending.
	const reporting = ['--json', '--outputFile', report, '--forceExit'];
	const options = ['--selectProjects', project, ...reporting, ...args];
	const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
	const { code } = await run(node, [program, ...options], {
		show: true,
		env: { ...process.env, ...color, ...env },
	});
	// No report: Jest did not get as far as running a test, or found none.
	const text = await fs.readFile(report, 'utf8').catch(() => '{}');
	const {
		numPassedTests: passed = 0,
		numFailedTests = 0,
		numRuntimeErrorTestSuites = 0,
	} = JSON.parse(text);
	const failed = numFailedTests + numRuntimeErrorTestSuites;
	return { passed, failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed };
}
