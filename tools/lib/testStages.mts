import fs from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import util from 'node:util';

import { describeError } from './errors.mjs';
import { isEnding, onEnd } from './lifecycle.mjs';
import type { N8nInstall } from './n8nInstall.mts';
import { print, run } from './run.mjs';
import { temporaryFolder } from './temporaryFolder.mts';

export interface Result {
	passed: number;
	failed: number;
}

/** Prints what a stage says, at once or when it has ended. */
export type Show = (text: string) => void;

export interface Stage {
	title: string;
	run: (show: Show) => Promise<Result>;
}

export const PASSED: Result = { passed: 1, failed: 0 };
export const FAILED: Result = { passed: 0, failed: 1 };

/**
 * Runs stages, three at a time, since tests in a real n8n mostly wait; more would get in each other's way. What several
 * stages print comes when each has ended. Finally, it prints how long each took.
 *
 * @returns The totals.
 */
export async function runStages(stages: Stage[]): Promise<Result> {
	const total = { passed: 0, failed: 0 };
	const lines: string[] = [];
	const left = [...stages];
	const lane = async () => {
		for (let stage = left.shift(); stage && !isEnding(); stage = left.shift()) {
			const { result, line } = await runStage(stage, stages.length > 1);
			total.passed += result.passed;
			total.failed += result.failed;
			lines.push(line);
		}
	};
	await Promise.all([lane(), lane(), lane()]);
	if (!isEnding()) console.log(`\n${lines.join('\n')}`);
	return total;
}

async function runStage({ title, run: runIt }: Stage, isHeld: boolean) {
	const printed = [`\n=== ${title}\n`];
	// Also prints what is held if the tool ends early.
	const release = onEnd(() => print(printed.splice(0).join('')));
	const show = (text: string) => void (isHeld ? printed.push(text) : print(text));
	const start = performance.now();
	const result = await runIt(show).catch((error) => {
		show(`${describeError(error)}\n`);
		return FAILED;
	});
	await release();
	const seconds = ((performance.now() - start) / 1000).toFixed(1);
	const verdict = result.failed > 0 ? `${result.failed} FAILED` : 'ok';
	return { result, line: `${title.padEnd(26)} ${verdict.padEnd(10)} ${seconds.padStart(6)} s` };
}

/**
 * Runs a program from the development dependencies, which has to end with code 0 and without warnings. It counts as one
 * test.
 *
 * @param node The Node for the program and its children; the one on the PATH when left out.
 */
export async function check(
	{ show, node }: { show: Show; node?: string },
	program: string,
	...args: string[]
): Promise<Result> {
	const file = path.join('node_modules', '.bin', program);
	const folders = [...(node ? [path.dirname(node)] : []), process.env.PATH];
	const env = { ...process.env, PATH: folders.join(path.delimiter) };
	const { code, output } = await run(file, args, { show, env });
	// ESLint ends with 0 even after warnings.
	const warned = /\b[1-9]\d* warnings?\b/.test(util.stripVTControlCharacters(output));
	return code === 0 && !warned ? PASSED : FAILED;
}

/** Runs one of Jest's projects. */
export async function jest(
	project: string,
	args: string[],
	options: {
		show?: Show;
		/** Added to the environment. */
		env?: Record<string, string>;
		/** The Node to run it with. */
		node?: string;
	} = {},
): Promise<Result> {
	const { show = print, env = {}, node = process.execPath } = options;
	const report = path.join(await temporaryFolder('mediagen-tests-'), 'report.json');
	const program = path.join('node_modules', 'jest', 'bin', 'jest.js');
	// A failed test may leave something running that would keep Jest from ending.
	const reporting = ['--json', '--outputFile', report, '--forceExit'];
	const own = ['--selectProjects', project, ...reporting, ...args];
	const color = process.stdout.isTTY ? { FORCE_COLOR: '1' } : {};
	const { code } = await run(node, [program, ...own], {
		show,
		env: { ...process.env, ...color, ...env },
	});
	// Without a report, Jest did not get as far as running a test, or found none.
	const text = await fs.readFile(report, 'utf8').catch(() => '{}');
	const {
		numPassedTests: passed = 0,
		numFailedTests = 0,
		numRuntimeErrorTestSuites = 0,
		numPendingTests = 0,
	} = JSON.parse(text);
	// If the run did not select tests by name, a test was skipped by mistake, such as by a forgotten `test.only`.
	const skipped = args.some((arg) => /^(-t|--testNamePattern)/.test(arg)) ? 0 : numPendingTests;
	if (skipped > 0)
		console.log(`${skipped} tests of ${project} were skipped: that counts as failed.`);
	const failed = numFailedTests + numRuntimeErrorTestSuites + skipped;
	return { passed, failed: failed === 0 && (code !== 0 || passed === 0) ? 1 : failed };
}

/**
 * How many files run at the same time, with one n8n, or each with its own: they mostly wait. Elsewhere, they come one
 * after another, since what they share is in this process.
 */
const AT_ONCE: Record<string, string> = { e2e: '--maxWorkers=4', install: '--maxWorkers=2' };

/** Runs one of Jest's projects that need n8n, with the packed package. */
export async function jestWithN8n(
	project: string,
	{ node, folder }: N8nInstall,
	jestArguments: string[],
	{ tarball, show }: { tarball: string; show?: Show },
) {
	const env = {
		MEDIAGEN_N8N_NODE: node,
		MEDIAGEN_N8N_FOLDER: folder,
		MEDIAGEN_TARBALL: tarball,
	};
	const workers = AT_ONCE[project] ?? '--runInBand';
	return await jest(project, [workers, ...jestArguments], { env, show });
}
