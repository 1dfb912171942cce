const { TestEnvironment } = require('jest-environment-node');

/** Gives tests the services that n8nSetup.mjs has started besides n8n, or the n8n of fastSetup.mjs. */
module.exports = class SharedEnvironment extends TestEnvironment {
	async setup() {
		await super.setup();
		this.global.mediaGenHosts = globalThis.mediaGenHosts;
		this.global.mediaGenFast = globalThis.mediaGenFast;
	}
};
