const { TestEnvironment } = require('jest-environment-node');

/** Gives tests what n8nSetup.mjs has started. */
module.exports = class SharedEnvironment extends TestEnvironment {
	async setup() {
		await super.setup();
		this.global.mediaGenShared = globalThis.mediaGenShared;
	}
};
