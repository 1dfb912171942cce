import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

import { MISTAKES, type Mistake } from '../test/mistakes.mts';
import { ToolError } from './lib/errors.mjs';
import { copySources } from './lib/packageBuild.mts';
import { print } from './lib/run.mjs';
import { temporaryFolder } from './lib/temporaryFolder.mts';

const USAGE = `npm run test:mistakes [-- <number or part of a name> ...]

Makes mistakes in a copy of the repository, one line each (test/mistakes.mts), and runs the suite that has to notice:
one test of it at least must fail by an assertion. All mistakes, if none is named: they take some minutes.`;

/** How long a suite may take, in ms: a mistake may let it wait for ever. */
const LONGEST_MS = 300_000;

/** How the report of a test begins that did not get as far as judging: it tells nothing about a mistake. */
const NO_JUDGEMENT =
	/^(thrown: "Exceeded timeout|Error: It does not end|(Type|Reference|Syntax|Range)Error: (?!expect\())/;

export default async function main() {
	const asked = process.argv.slice(2);
	const chosen = MISTAKES.filter(
		({ name }, index) =>
			asked.length === 0 ||
			asked.some((one) => (Number(one) ? Number(one) === index + 1 : name.includes(one))),
	);
	if (chosen.length === 0) throw new ToolError(USAGE);
	// The checkout itself stays as it is: somebody may be at work there, or run tests.
	const root = path.join(await temporaryFolder('mediagen-mistakes-'), 'copy');
	await copySources(root);
	let noticed = 0;
	for (const mistake of chosen) {
		print(`${mistake.name.padEnd(72)} ${mistake.suite.padEnd(27)} `);
		const { total, judged } = await outcomeOf(mistake, root);
		print(judged > 0 ? `red (${judged} of ${total})\n` : `NOT NOTICED (${total} tests)\n`);
		if (judged > 0) noticed += 1;
	}
	console.log(`\n${noticed} passed, ${chosen.length - noticed} failed`);
	return noticed === chosen.length ? 0 : 1;
}

/** How many tests of the suite have run, and how many an assertion has failed, with the mistake. */
async function outcomeOf({ file, before, after, suite }: Mistake, root: string) {
	const name = path.join(root, file);
	const text = await fs.readFile(name, 'utf8');
	await fs.writeFile(name, text.split(before).join(after));
	try {
		const tests = await run(root, suite);
		const failed = tests.filter(({ status }) => status === 'failed');
		const judged = failed.filter(({ failureMessages: [why = ''] }) => !NO_JUDGEMENT.test(why));
		return { total: tests.length, judged: judged.length };
	} finally {
		await fs.writeFile(name, text);
	}
}

/** A test in Jest's report. */
interface Test {
	status: string;
	failureMessages: string[];
}

/** Runs a suite; gives its tests, or none if it does not end. */
async function run(root: string, suite: string): Promise<Test[]> {
	const report = path.join(root, 'report.json');
	await fs.rm(report, { force: true });
	const [project = ''] = suite.split('/');
	const args = [
		...['--selectProjects', project, '--testPathPatterns', `test/${suite}`, '--runInBand'],
		...['--json', '--outputFile', report, '--cacheDirectory', path.join(root, '.jest')],
		...['--testTimeout=60000', '--forceExit'],
	];
	const jest = path.join('node_modules', 'jest', 'bin', 'jest.js');
	await promisify(execFile)(process.execPath, [jest, ...args], {
		cwd: root,
		timeout: LONGEST_MS,
		killSignal: 'SIGKILL',
		maxBuffer: 2 ** 28,
	}).catch(() => {});
	const { testResults = [] } = JSON.parse(await fs.readFile(report, 'utf8').catch(() => '{}'));
	return testResults.flatMap(
		({ assertionResults }: { assertionResults: Test[] }) => assertionResults,
	);
}
