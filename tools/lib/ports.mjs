import { createServer } from 'node:net';

import { ToolError } from './errors.mjs';

const LOOPBACK = '127.0.0.1';

/**
 * A port as it was given on the command line.
 *
 * @param {string | undefined} text
 */
export function portOf(text) {
	if (text === undefined) return undefined;
	const port = Number(text);
	if (text !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
	throw new ToolError(`"${text}" is no port: a port is a whole number from 0 to 65535.`);
}

/** A port nothing listens on, chosen by the operating system. */
export async function freePort() {
	return await tryPort(0);
}

/**
 * Makes sure that nothing listens on a port somebody asked for.
 *
 * @param {number} port
 */
export async function requireFreePort(port) {
	if (await isFree(port)) return port;
	throw new ToolError(
		`Port ${port} is in use by another program. Stop that program, or ask for another port with ` +
			'--port (0 takes any free one).',
	);
}

/** @param {number} port */
export async function isFree(port) {
	return await tryPort(port).then(
		() => true,
		() => false,
	);
}

/**
 * @param {number} port
 * @returns {Promise<number>} The port, once it was listened on and is free again.
 */
function tryPort(port) {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen(port, LOOPBACK, () => {
			const address = server.address();
			server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
		});
	});
}
