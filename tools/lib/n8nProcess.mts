import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { ToolError } from './errors.mjs';
import { fakedTime, timeLapseIn } from './lapsedTime.mts';
import { onEnd } from './lifecycle.mjs';
import type { N8nInstall } from './n8nInstall.mts';
import { lastLines } from './npm.mjs';
import { freePort } from './ports.mts';
import { killGroup } from './run.mjs';

/**
 * How long a start may take, in ms. A first one, with migrations, takes about 5 s, or 10 s with PostgreSQL; slow disks
 * take longer.
 */
const START_TIMEOUT = 120_000;

/** How long n8n may take to end after SIGTERM, in ms. */
const STOP_TIMEOUT = 10_000;

/** Between two checks whether something has happened, in ms. */
const TICK = 100;

/** Keeps n8n from calling home, greeting users and listening to other machines. */
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

/** The only variables passed on: settings of the developer's own n8n must not reach this one. */
const INHERITED = ['PATH', 'HOME', 'USER', 'LANG', 'TZ', 'TMPDIR', 'NODE_EXTRA_CA_CERTS'];

/** Starts a process of n8n, a server or one of its workers, and waits until it is ready. */
export async function startN8nProcess({
	n8n,
	command,
	url,
	userFolder,
	logFile,
	env,
	nodeFlags = [],
}: {
	n8n: N8nInstall;
	/** n8n's command, `start` or `worker`, with its flags. */
	command: string[];
	/** Where it answers once it has started, without a trailing slash. */
	url: string;
	userFolder: string;
	/** The output is appended to it. */
	logFile: string;
	/** Settings of n8n, which override the quiet ones; with those of `timeLapseSettings`, time passes faster in it. */
	env: Record<string, string>;
	nodeFlags?: string[];
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
		/** Also the ID of the process group of everything that it starts. */
		pid: child.pid ?? 0,
		logFile,
		hasEnded: () => hasExited(child),
		/** Ends it with SIGTERM and, if that takes too long, by force. It may be gone already. */
		stop: end,
		/** Sends a signal and waits until it is gone. The default, SIGKILL, also kills all that it started. */
		kill: async (signal: NodeJS.Signals = 'SIGKILL') => {
			if (signal === 'SIGKILL') killGroup(child.pid, signal);
			else child.kill(signal);
			await exited;
			await end();
		},
	};
}

async function launch(
	{ node, entry }: N8nInstall,
	[nodeFlags, command]: [string[], string[]],
	folder: string,
	logFile: string,
	settings: Record<string, string>,
) {
	const env: NodeJS.ProcessEnv = { ...settings };
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

async function waitUntilReady(url: string, child: ChildProcess, logFile: string) {
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

async function answers(url: string) {
	try {
		return (await fetch(url, { signal: AbortSignal.timeout(1000) })).ok;
	} catch {
		return false;
	}
}

function hasExited(child: ChildProcess) {
	return child.exitCode !== null || child.signalCode !== null;
}

/** Ends n8n, then whatever is left of its process group, and waits until nothing is. */
async function endProcess(child: ChildProcess, exited: Promise<unknown>) {
	child.kill('SIGTERM');
	await Promise.race([exited, sleep(STOP_TIMEOUT, undefined, { ref: false })]);
	// The wait is bounded: where nothing reaps dead processes, as in some containers, a group never becomes empty.
	const deadline = Date.now() + STOP_TIMEOUT;
	while (killGroup(child.pid, 'SIGKILL') && Date.now() < deadline) await sleep(TICK);
	await exited;
}
