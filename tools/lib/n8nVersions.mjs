/**
 * A supported version of n8n. Its lock file is in tools/n8n.
 *
 * @typedef {object} Supported
 * @property {string} n8n Its version.
 * @property {import('./nodeProgram.mts').NodeMajor} node The Node that it is tested with.
 * @property {boolean} isDurable Whether it supports durable waiting (`handsOnErrors` in the node).
 */

/**
 * The oldest version, the first with durable waiting, and the newest.
 *
 * @type {Supported[]}
 */
export const SUPPORTED = [
	{ n8n: '1.123.81', node: 22, isDurable: false },
	{ n8n: '2.33.7', node: 22, isDurable: true },
	{ n8n: '2.41.1', node: 24, isDurable: true },
];

/** The version for the demo and for all tests that name no other. */
export const PINNED = /** @type {Supported} */ (SUPPORTED.at(-1));

export const OLDEST = /** @type {Supported} */ (SUPPORTED[0]);
