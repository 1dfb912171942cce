const fs = require('node:fs');
const path = require('node:path');
const { default: TestRunner } = require('jest-runner');

/** In the repository's copy: the names of each test file's tests, with the time that each takes, in ms. */
const KNOWN = path.resolve('.knownTests.json');

/**
 * Stryker names the tests that reach a mutant, and Jest would load every file to look for them. This runs only the
 * files that have such a test, the quickest first, and stops at the first failure.
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

	/** The first run has no mutant; it shows which tests a file has. */
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

	/** The files with a requested test, the quickest first. */
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

/** The time that a file's tests take together, in ms. */
const costOf = (known) => Object.values(known).reduce((sum, ms) => sum + ms, 0);
