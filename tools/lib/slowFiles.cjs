const os = require('node:os');

/**
 * Seconds that a test file may take. Of unit and engine tests, all of it counts; of the others the tests alone, since
 * it can take as long for an n8n to start.
 */
const MOST = {
	unit: 15,
	// n8n-core loads in each, and answers of 200 MB arrive.
	engine: 30,
	// In real time: n8n answers, a job of family A is first read after its documented 30 s, pages load.
	e2e: 120,
	examples: 60,
	editor: 60,
	// n8n is killed in the tests, and starts again; npm installs.
	durable: 300,
	queue: 180,
	install: 300,
};

/** Suites that draw their stories may take twice as long: the more of them, the better. */
const DRAWN = /(?:faultSuite|seeds|chaos)\.test/;

const IN_PROCESS = ['unit', 'engine'];

/** A reporter of Jest that names files which take too long. In continuous integration, they fail a run that samples. */
module.exports = class SlowFiles {
	slow = [];

	onTestResult({ context }, { testFilePath, perfStats, testResults }) {
		const { displayName, rootDir } = context.config;
		const ofTests = testResults.reduce((sum, { duration }) => sum + (duration ?? 0), 0);
		const ms = IN_PROCESS.includes(displayName.name) ? perfStats.runtime : ofTests;
		// Where others keep the machine busy, all takes longer.
		const busy = Math.max(1, os.loadavg()[0] / os.availableParallelism());
		const share = DRAWN.test(testFilePath) ? 2 : 1;
		const most = Math.round(MOST[displayName.name] * share * busy);
		const seconds = Math.round(ms / 1000);
		const file = testFilePath.slice(rootDir.length + 1);
		if (seconds > most) this.slow.push(`${file} took ${seconds} s, more than ${most} s.`);
	}

	onRunComplete() {
		for (const line of this.slow) console.error(line);
	}

	getLastError() {
		const { CI, ALL_TESTS } = process.env;
		if (CI && !ALL_TESTS && this.slow.length > 0) return new Error('Test files take too long.');
	}
};
