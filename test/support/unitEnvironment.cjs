const { AsyncLocalStorage } = require('node:async_hooks');
const { TestEnvironment } = require('jest-environment-node');

const { run } = AsyncLocalStorage.prototype;

/**
 * For each file, Jest starts a store of which test a promise belongs to, and never ends it. In Node before 24,
 * every promise then goes through the stores of all files that have run in the process: after 180 of them, an `await`
 * takes 500 times as long.
 */
module.exports = class UnitEnvironment extends TestEnvironment {
	storages = new Set();

	async setup() {
		await super.setup();
		const { storages } = this;
		AsyncLocalStorage.prototype.run = function (...values) {
			storages.add(this);
			return run.apply(this, values);
		};
	}

	async teardown() {
		AsyncLocalStorage.prototype.run = run;
		for (const storage of this.storages) storage.disable();
		await super.teardown();
	}
};
