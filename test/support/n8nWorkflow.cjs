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

/** The messages of all errors that n8n would show: `shownErrors.mts` looks them up on the page of errors. */
globalThis.shownErrors = [];

const SHOWN = ['NodeApiError', 'NodeOperationError'];

const noted = (Shown) =>
	new Proxy(Shown, {
		construct: (target, values, made) => {
			const error = Reflect.construct(target, values, made);
			globalThis.shownErrors.push(error.message);
			return error;
		},
	});

const whole = () => require(path.join(folder, 'index.js'));

function partOf(name) {
	if (Object.hasOwn(FILES, name)) return require(path.join(folder, FILES[name]));
	const part = Object.hasOwn(PARTS, name) ? require(path.join(folder, PARTS[name])) : whole();
	return SHOWN.includes(name) ? noted(part[name]) : part[name];
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
