import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';

import { ToolError } from './errors.mjs';
import { onEnd } from './lifecycle.mjs';
import { queueAddresses, queueSettings } from './queueAddresses.mjs';

/**
 * An empty PostgreSQL database and a part of Redis, for one n8n in queue mode.
 *
 * @typedef {object} QueuePlace
 * @property {Record<string, string>} settings By which n8n finds it.
 * @property {() => Promise<void>} remove Removes the database and the keys in Redis.
 */

/**
 * Makes such a place. Another process keeps it (keepQueuePlace.mjs), which removes it also when this
 * one is killed.
 *
 * @param {import('./n8nInstall.mjs').N8nInstall} n8n Its clients for Redis and PostgreSQL are used.
 * @returns {Promise<QueuePlace>}
 */
export async function makeQueuePlace({ node, folder }) {
	const name = `mediagen_${randomBytes(6).toString('hex')}`;
	const settings = queueSettings(queueAddresses(), name);
	const program = path.resolve('tools', 'lib', 'keepQueuePlace.mjs');
	// In a process group of its own: what ends this one, such as Ctrl-C, must not end it too.
	const keeper = spawn(node, [program, folder, name], {
		detached: true,
		stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
	});
	const exited = once(keeper, 'exit');
	const [{ problem }] = await Promise.race([
		once(keeper, 'message'),
		exited.then(() => [{ problem: 'No database could be made for the queue.' }]),
	]);
	if (problem) throw new ToolError(problem);
	const remove = onEnd(async () => {
		if (keeper.connected) keeper.disconnect();
		const [code] = await exited;
		if (code !== 0) throw new ToolError(`The database ${name} could not be removed.`);
	});
	return { settings, remove };
}

/**
 * Makes sure that Redis and PostgreSQL are there and can be used.
 *
 * @param {import('./n8nInstall.mjs').N8nInstall} n8n
 */
export async function requireQueueServices(n8n) {
	await (await makeQueuePlace(n8n)).remove();
}
