const fs = require('node:fs');
const path = require('node:path');
const { default: TestRunner } = require('jest-runner');

/** In the copy of the repository: of each test file, the names of its tests with the milliseconds of each. */
const KNOWN = path.resolve('.knownTests.json');

/**
 * Stryker names the tests that come near a mutant, and Jest loads every file to look for them. This runs the
 * files alone that have one, the quickest first, and ends at the first that fails.
 */
module.exports = class MutantTestRunner extends TestRunner {
	async runTests(tests, watcher, options) {
		const known = fs.existsSync(KNOWN) ? JSON.parse(fs.readFileSync(KNOWN, 'utf8')) : undefined;
		if (!known) return await this.learn(tests, watcher, options);
		const chosen = this.chosen(tests, known);
		if (this._options?.wholeFiles) {
			this._globalConfig = { ...this._globalConfig, testNamePattern: undefined };
		}
		await this.untilOneFails(chosen, watcher, options);
	}

	/** The first run has no mutant: it tells which tests a file has. */
	async learn(tests, watcher, options) {
		const known = {};
		this.on('test-file-success', ([{ path: file }, { testResults }]) => {
			known[file] = Object.fromEntries(
				testResults.map(({ fullName, duration }) => [fullName, duration ?? 0]),
			);
		});
		await super.runTests(tests, watcher, options);
		fs.writeFileSync(KNOWN, JSON.stringify(known));
	}

	/** The files with a test that is asked for, the quickest first. */
	chosen(tests, known) {
		const pattern = new RegExp(this._globalConfig.testNamePattern ?? '', 'i');
		return tests
			.filter(({ path: file }) => Object.keys(known[file]).some((name) => pattern.test(name)))
			.sort((a, b) => costOf(known[a.path]) - costOf(known[b.path]));
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

/** Milliseconds of a file. */
const costOf = (known) => Object.values(known).reduce((sum, ms) => sum + ms, 0);
