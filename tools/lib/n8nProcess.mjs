import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { ToolError } from './errors.mjs';
import { fakedTime, timeLapseIn } from './lapsedTime.mjs';
import { onEnd } from './lifecycle.mjs';
import { lastLines } from './npm.mjs';
import { freePort } from './ports.mjs';
import { killGroup } from './run.mjs';

/**
 * Milliseconds a first start may take, migrations included: 5 s here, 10 s with PostgreSQL; slow
 * disks take longer.
 */
const START_TIMEOUT = 120_000;

/** Milliseconds n8n is given to end by itself after SIGTERM. */
const STOP_TIMEOUT = 10_000;

/** Milliseconds between two looks at whether something has happened. */
const TICK = 100;

/** What an n8n here never does: call home, greet, listen to other machines. */
const QUIET = {
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_PYTHON_ENABLED: 'false',
	N8N_SECURE_COOKIE: 'false',
	N8N_HOST: '127.0.0.1',
	N8N_LISTEN_ADDRESS: '127.0.0.1',
	N8N_WORKER_SERVER_ADDRESS: '127.0.0.1',
	N8N_RUNNERS_BROKER_LISTEN_ADDRESS: '127.0.0.1',
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '5',
};

/** The only variables passed on: settings of the person's own n8n must not reach this one. */
const INHERITED = ['PATH', 'HOME', 'USER', 'LANG', 'TZ', 'TMPDIR', 'NODE_EXTRA_CA_CERTS'];

/**
 * A running process of n8n: a server, or a worker of one.
 *
 * @typedef {object} N8nProcess
 * @property {number} pid It leads the process group of everything it starts.
 * @property {string} logFile What it prints.
 * @property {() => Promise<void>} stop Ends it as an operator would and, if that takes longer than
 *   10 s, by force. One that is gone already is no error.
 * @property {(signal?: NodeJS.Signals) => Promise<void>} kill Sends it a signal (SIGKILL, also to
 *   what it started, when left out) and waits until it is gone.
 */

/**
 * Starts a process of n8n, and waits until it is ready.
 *
 * @param {object} options
 * @param {import('./n8nInstall.mjs').N8nInstall} options.n8n
 * @param {string[]} options.command n8n's own: `start` or `worker`, with its flags.
 * @param {string} options.url Where it answers when it has started, without a slash at the end.
 * @param {string} options.userFolder
 * @param {string} options.logFile Appended to.
 * @param {Record<string, string>} options.env Settings of n8n, on top of the quiet ones; those of
 *   `timeLapseSettings` make time pass faster in it.
 * @param {string[]} [options.nodeFlags] Flags of Node itself.
 * @returns {Promise<N8nProcess>}
 */
export async function startN8nProcess({
	n8n,
	command,
	url,
	userFolder,
	logFile,
	env,
	nodeFlags = [],
}) {
	const child = await launch(n8n, [nodeFlags, command], userFolder, logFile, {
		...QUIET,
		N8N_USER_FOLDER: userFolder,
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		...env,
	});
	const exited = once(child, 'exit');
	const end = onEnd(() => endProcess(child, exited));
	try {
		await waitUntilReady(url, child, logFile);
	} catch (error) {
		await end();
		throw error;
	}
	return {
		pid: child.pid ?? 0,
		logFile,
		stop: end,
		kill: async (signal = 'SIGKILL') => {
			if (signal === 'SIGKILL') killGroup(child.pid, signal);
			else child.kill(signal);
			await exited;
			await end();
		},
	};
}

/**
 * @param {import('./n8nInstall.mjs').N8nInstall} n8n
 * @param {[string[], string[]]} words The flags of Node, and n8n's own command.
 * @param {string} folder
 * @param {string} logFile
 * @param {Record<string, string>} settings
 */
async function launch({ node, entry }, [nodeFlags, command], folder, logFile, settings) {
	/** @type {NodeJS.ProcessEnv} */
	const env = { ...settings };
	for (const name of INHERITED) env[name] ??= process.env[name];
	// n8n starts its task runner as "node".
	env.PATH = `${path.dirname(node)}${path.delimiter}${env.PATH}`;
	const timeLapse = timeLapseIn(settings);
	if (timeLapse) Object.assign(env, await fakedTime(timeLapse));
	const preload = path.resolve('tools', 'lib', 'endWithParent.cjs');
	const log = await fs.open(logFile, 'a');
	try {
		const child = spawn(node, ['--require', preload, ...nodeFlags, entry, ...command], {
			cwd: folder,
			env,
			detached: true,
			stdio: ['ignore', log.fd, log.fd, 'ipc'],
		});
		await once(child, 'spawn');
		return child;
	} finally {
		await log.close();
	}
}

/**
 * @param {string} url
 * @param {import('node:child_process').ChildProcess} child
 * @param {string} logFile
 */
async function waitUntilReady(url, child, logFile) {
	const deadline = Date.now() + START_TIMEOUT;
	while (!(await answers(`${url}/healthz/readiness`))) {
		const problem = hasExited(child)
			? 'n8n ended while it was starting'
			: Date.now() > deadline && `n8n did not answer within ${START_TIMEOUT / 1000} s`;
		if (problem) {
			const log = await fs.readFile(logFile, 'utf8');
			throw new ToolError(`${problem}. The end of what it printed:\n\n${lastLines(log)}`);
		}
		await sleep(TICK);
	}
}

/** @param {string} url */
async function answers(url) {
	try {
		return (await fetch(url, { signal: AbortSignal.timeout(1000) })).ok;
	} catch {
		return false;
	}
}

/** @param {import('node:child_process').ChildProcess} child */
function hasExited(child) {
	return child.exitCode !== null || child.signalCode !== null;
}

/**
 * Ends n8n, then whatever of its process group is left, and waits until nothing is.
 *
 * @param {import('node:child_process').ChildProcess} child
 * @param {Promise<unknown>} exited
 */
async function endProcess(child, exited) {
	child.kill('SIGTERM');
	await Promise.race([exited, sleep(STOP_TIMEOUT, undefined, { ref: false })]);
	// Bounded: where nothing collects dead processes, as in some containers, a group never empties.
	const deadline = Date.now() + STOP_TIMEOUT;
	while (killGroup(child.pid, 'SIGKILL') && Date.now() < deadline) await sleep(TICK);
	await exited;
}
