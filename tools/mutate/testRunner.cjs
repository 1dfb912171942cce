const fs = require('node:fs');
const path = require('node:path');
const { default: TestRunner } = require('jest-runner');

/** What the run without mutants found, beside the copy of the repository: see {@link Known}. */
const KNOWN = path.resolve('.knownTests.json');

/**
 * A test file: the names of its tests with the milliseconds of each, and those of loading it.
 *
 * @typedef {{ load: number, tests: Record<string, number> }} Known
 */

/**
 * Stryker names the tests that come near a mutant, and Jest loads every file to look for them. This runs the
 * files alone that have one, the quickest first, and ends at the first that fails.
 */
module.exports = class MutantTestRunner extends TestRunner {
	async runTests(tests, watcher, options) {
		const known = fs.existsSync(KNOWN) ? JSON.parse(fs.readFileSync(KNOWN, 'utf8')) : undefined;
		if (known) await this.untilOneFails(this.chosen(tests, known), watcher, options);
		else await this.learn(tests, watcher, options);
	}

	/** The first run has no mutant: it tells which tests a file has. */
	async learn(tests, watcher, options) {
		const known = {};
		this.on('test-file-success', ([{ path: file }, { perfStats, testResults }]) => {
			const times = testResults.map(({ fullName, duration }) => [fullName, duration ?? 0]);
			const total = times.reduce((sum, [, duration]) => sum + duration, 0);
			known[file] = {
				load: Math.max(0, perfStats.end - perfStats.start - total),
				tests: Object.fromEntries(times),
			};
		});
		await super.runTests(tests, watcher, options);
		fs.writeFileSync(KNOWN, JSON.stringify(known));
	}

	/** The files with a test that is asked for, the quickest first. */
	chosen(tests, known) {
		const pattern = new RegExp(this._globalConfig.testNamePattern ?? '', 'i');
		const costs = new Map(tests.map((test) => [test, costOf(known[test.path], pattern)]));
		return tests
			.filter((test) => costs.get(test) !== undefined)
			.sort((a, b) => costs.get(a) - costs.get(b));
	}

	async untilOneFails(tests, watcher, options) {
		let failed = false;
		this.on('test-file-success', ([, { numFailingTests, testExecError }]) => {
			failed ||= numFailingTests > 0 || testExecError !== undefined;
		});
		this.on('test-file-failure', () => (failed = true));
		for (const test of tests) {
			if (failed) return;
			await super.runTests([test], watcher, options);
		}
	}
};

/** Milliseconds; undefined for a file without such a test. */
function costOf(file, pattern) {
	const times = Object.entries(file.tests).filter(([name]) => pattern.test(name));
	if (times.length === 0) return undefined;
	return times.reduce((sum, [, ms]) => sum + ms, file.load);
}
