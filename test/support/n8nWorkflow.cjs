const path = require('node:path');

/**
 * n8n-workflow for unit tests: the parts that nodes use, and the whole of it for tests that ask for more.
 * The whole has nearly 700 files, which Jest would load anew for each of some 250 test files.
 */
const folder = path.dirname(require.resolve('n8n-workflow/dist/cjs/index.js'));

/** Exports that are part of one file. */
const PARTS = {
	NodeApiError: 'errors/node-api.error.js',
	NodeOperationError: 'errors/node-operation.error.js',
	NodeConnectionTypes: 'interfaces.js',
	WAIT_INDEFINITELY: 'constants.js',
	sleep: 'utils.js',
};

/** Exports that are a whole file. */
const FILES = { NodeHelpers: 'node-helpers.js', ObservableObject: 'observable-object.js' };

// n8n-workflow does this when it is loaded as a whole (utils.js).
BigInt.prototype.toJSON = function () {
	return this.toString();
};

const whole = () => require(path.join(folder, 'index.js'));

function partOf(name) {
	if (Object.hasOwn(FILES, name)) return require(path.join(folder, FILES[name]));
	return (Object.hasOwn(PARTS, name) ? require(path.join(folder, PARTS[name])) : whole())[name];
}

module.exports = new Proxy(
	{ __esModule: true },
	{
		// Kept: Jest takes long to find even a file that it has loaded.
		get: (kept, name) => (Object.hasOwn(kept, name) ? kept[name] : (kept[name] = partOf(name))),
		has: (_, name) => name in whole(),
		ownKeys: () => Reflect.ownKeys(whole()),
	},
);
