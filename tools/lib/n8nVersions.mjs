/**
 * A version of n8n that is supported. Its lock file is in tools/n8n.
 *
 * @typedef {object} Supported
 * @property {string} n8n Its version.
 * @property {import('./nodeProgram.mts').NodeMajor} node The Node that it is tried on.
 * @property {boolean} isDurable Whether a run can wait durably in it (`handsOnErrors` in the node).
 */

/**
 * The oldest, those after which something changed that the package depends on, and the newest.
 *
 * @type {Supported[]}
 */
export const SUPPORTED = [
	{ n8n: '1.123.81', node: 22, isDurable: false },
	{ n8n: '2.0.3', node: 20, isDurable: false },
	{ n8n: '2.33.7', node: 22, isDurable: true },
	{ n8n: '2.40.7', node: 24, isDurable: true },
	{ n8n: '2.41.1', node: 24, isDurable: true },
];

/** What the demo and all tests run that name no other. */
export const PINNED = /** @type {Supported} */ (SUPPORTED.find(({ n8n }) => n8n === '2.40.7'));
