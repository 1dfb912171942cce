import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

import { onEnd } from './lifecycle.mjs';

/**
 * Prints text without adding a line break.
 *
 * @param {string} text
 */
export const print = (text) => void process.stdout.write(text);

/** Between signs of life when the output is not a terminal, in ms. */
const HEARTBEAT = 30_000;

/** How long a command may take to end when it is stopped, in ms. */
const STOP_TIMEOUT = 5000;

/**
 * Runs a command to its end, in a process group of its own, so that it can be stopped with all its children.
 *
 * @param {string} file
 * @param {string[]} args
 * @param {object} [options]
 * @param {string} [options.cwd]
 * @param {NodeJS.ProcessEnv} [options.env] The whole environment; this process's when left out.
 * @param {(text: string) => void} [options.show] Gets the output as it comes; it is also returned.
 * @returns {Promise<{ code: number, output: string }>} Code 127: no such program.
 */
export async function run(file, args, { cwd, env, show } = {}) {
	const child = spawn(file, args, {
		cwd,
		env,
		detached: true,
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	let output = '';
	for (const stream of [child.stdout, child.stderr]) {
		stream.setEncoding('utf8');
		stream.on('data', (/** @type {string} */ chunk) => {
			output += chunk;
			show?.(chunk);
		});
	}
	const closed = once(child, 'close').then(
		([code]) => ({ code: code ?? 1, output }),
		(error) => ({ code: 127, output: String(error) }),
	);
	const stop = onEnd(async () => {
		killGroup(child.pid, 'SIGTERM');
		await Promise.race([closed, sleep(STOP_TIMEOUT, undefined, { ref: false })]);
		killGroup(child.pid, 'SIGKILL');
	});
	const result = await closed;
	await stop();
	return result;
}

/**
 * Sends a signal to a process group, which may be gone already.
 *
 * @param {number | undefined} pid The group's leader; undefined if it could not be started.
 * @param {NodeJS.Signals | 0} signal
 * @returns {boolean} Whether there was anything to send it to.
 */
export function killGroup(pid, signal) {
	try {
		return pid !== undefined && process.kill(-pid, signal);
	} catch {
		return false;
	}
}

/**
 * Prints what is being done, signs of life meanwhile, and how long it took.
 *
 * @template T
 * @param {string} title What is done and, if it takes long, about how long.
 * @param {() => Promise<T>} action
 * @returns {Promise<T>}
 */
export async function step(title, action) {
	const start = performance.now();
	const seconds = () => `${((performance.now() - start) / 1000).toFixed(0)} s`;
	const { isTTY } = process.stdout;
	console.log(`${title} ...`);
	const beat = isTTY
		? setInterval(() => process.stdout.write(`\r  ${seconds()} `), 1000)
		: setInterval(() => console.log(`  still at it after ${seconds()}`), HEARTBEAT);
	try {
		const result = await action();
		console.log(`${isTTY ? '\r' : ''}  done in ${seconds()}`);
		return result;
	} finally {
		clearInterval(beat);
	}
}
