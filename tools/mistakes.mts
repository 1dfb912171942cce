import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { performance } from 'node:perf_hooks';
import { promisify } from 'node:util';

import ts from 'typescript';

import { MISTAKES, type Mistake } from '../test/mistakes.mts';
import { ToolError } from './lib/errors.mjs';
import { isEnding, onEnd } from './lib/lifecycle.mjs';
import { print } from './lib/run.mjs';
import { copySources } from './lib/packageBuild.mts';
import { temporaryFolder } from './lib/temporaryFolder.mts';

const USAGE = `npm run test:mistakes [-- <number or part of a name> ...]

Makes mistakes in a copy of the repository, one line each (test/mistakes.mts), and runs the suite that has to notice:
one test of it at least must fail by an assertion. All mistakes, if none is named: they take some minutes.`;

/** How long a suite may take, in ms: a mistake may let it wait for ever. */
const LONGEST_MS = 300_000;

/** How the verdict on a mistake begins that was noticed. */
const RED = 'red';

/** How the report of a test begins that did not get as far as judging: it tells nothing about a mistake. */
const NO_JUDGEMENT =
	/^(thrown: "Exceeded timeout|Error: It does not end|(Type|Reference|Syntax|Range)Error: (?!expect\())/;

export default async function main() {
	const asked = process.argv.slice(2);
	if (asked.includes('--help')) return console.log(USAGE);
	const chosen = MISTAKES.map((mistake, index) => ({ ...mistake, number: index + 1 })).filter(
		({ number, name }) =>
			asked.length === 0 || asked.some((one) => one === String(number) || isIn(one, name)),
	);
	if (chosen.length === 0) throw new ToolError(`There is no such mistake.\n\n${USAGE}`);
	// The checkout itself stays as it is: somebody may be at work there, or run tests.
	const root = path.join(await temporaryFolder('mediagen-mistakes-'), 'copy');
	await copySources(root);
	const errorOf = compilerOf(root);
	if (errorOf() !== '') throw new ToolError(`Without any mistake: ${errorOf()}`);
	const wrongBefore = new Map<string, string>();
	let red = 0;
	for (const { number, ...mistake } of chosen) {
		if (isEnding()) return 1;
		const start = performance.now();
		const { name, suite } = mistake;
		print(`${String(number).padStart(2)}  ${name.padEnd(72)} ${suite.padEnd(27)} `);
		if (!wrongBefore.has(suite)) wrongBefore.set(suite, await unmodified(root, suite));
		const verdict = wrongBefore.get(suite) || (await verdictOn(mistake, root, errorOf));
		const seconds = Math.round((performance.now() - start) / 1000);
		print(`${verdict.padEnd(18)} ${String(seconds).padStart(4)} s\n`);
		if (verdict.startsWith(RED)) red += 1;
	}
	console.log(`\n${red} passed, ${chosen.length - red} failed`);
	return red === chosen.length ? 0 : 1;
}

const isIn = (part: string, name: string) =>
	!/^\d+$/.test(part) && name.toLowerCase().includes(part.toLowerCase());

/** What is wrong with a suite before there is any mistake; empty where nothing is. */
async function unmodified(root: string, suite: string): Promise<string> {
	const { total, isLate, isOk } = await run(root, suite);
	if (isLate) return 'TIMED OUT BEFORE';
	if (total === 0) return 'no such suite';
	return isOk ? '' : 'FAILS BEFORE';
}

async function verdictOn(
	{ file, before, after, suite }: Mistake,
	root: string,
	errorOf: () => string,
): Promise<string> {
	const name = path.join(root, file);
	const text = await fs.readFile(name, 'utf8').catch(() => '');
	const parts = text.split(before);
	if (parts.length !== 2) return parts.length < 2 ? 'no such line' : 'line not unique';
	try {
		await fs.writeFile(name, parts.join(after));
		const error = errorOf();
		if (error !== '') return `does not compile: ${error}`;
		const { total, failed, isLate } = await run(root, suite);
		if (isLate) return 'timed out';
		const judged = failed.filter((message) => !NO_JUDGEMENT.test(message));
		if (judged.length === 0) return failed.length > 0 ? 'NOT BY ASSERTION' : 'GREEN';
		return `${RED} (${judged.length} of ${total})`;
	} finally {
		await fs.writeFile(name, text);
	}
}

/** Runs a suite: how many tests it has, and the reports of those that have failed. */
async function run(root: string, suite: string) {
	const report = path.join(root, 'report.json');
	await fs.rm(report, { force: true });
	const [project = ''] = suite.split('/');
	const args = [
		...['--selectProjects', project, '--testPathPatterns', `test/${suite}`, '--runInBand'],
		...['--json', '--outputFile', report, '--cacheDirectory', path.join(root, '.jest')],
		...['--testTimeout=60000', '--forceExit'],
	];
	const running = promisify(execFile)(
		process.execPath,
		[path.join('node_modules', 'jest', 'bin', 'jest.js'), ...args],
		{
			cwd: root,
			env: { ...process.env, FORCE_COLOR: '0' },
			timeout: LONGEST_MS,
			killSignal: 'SIGKILL',
			maxBuffer: 2 ** 28,
		},
	);
	const ended = onEnd(() => running.child.kill('SIGKILL'));
	const { killed, code } = await running.then(
		() => ({ killed: false, code: 0 }),
		(error: { killed?: boolean; code?: unknown }) => error,
	);
	await ended();
	const text = await fs.readFile(report, 'utf8').catch(() => '{}');
	const { testResults = [] } = JSON.parse(text) as { testResults?: JestFile[] };
	const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
	const failed = tests.flatMap(({ status, failureMessages: [message = ''] }) =>
		status === 'failed' ? [message] : [],
	);
	return { total: tests.length, failed, isLate: killed === true, isOk: code === 0 };
}

/** A file in Jest's report. */
interface JestFile {
	assertionResults: Array<{ status: string; failureMessages: string[] }>;
}

/** Gives what the compiler says of the package, or nothing; after the first time, it looks only at what has changed. */
function compilerOf(root: string): () => string {
	const { config } = ts.readConfigFile(path.join(root, 'tsconfig.json'), ts.sys.readFile);
	const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
	const host = ts.createIncrementalCompilerHost(options);
	let last: ts.SemanticDiagnosticsBuilderProgram | undefined;
	return () => {
		last = ts.createSemanticDiagnosticsBuilderProgram(fileNames, options, host, last);
		const [error] = [...last.getSyntacticDiagnostics(), ...last.getSemanticDiagnostics()];
		return error ? ts.flattenDiagnosticMessageText(error.messageText, ' ') : '';
	};
}
