import fs from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import type { Clock } from '../../sandbox/clock.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { N8nClient } from '../../tools/lib/n8nClient.mts';
import { n8nFromEnv, type N8nInstall } from '../../tools/lib/n8nInstall.mts';
import { startN8n, type N8nServer } from '../../tools/lib/n8nServer.mts';
import { lapsedClock } from './lapsedClock.mts';
import { openN8nRuns, type N8nRuns } from './n8nRuns.mts';

export { ranOf, type ChainNode, type Ran, type RunOptions } from './n8nRuns.mts';

/**
 * A real n8n server with the packed package in its community folder, the sandbox, and workflows
 * that are started by webhook. The environment says which n8n and which package.
 */
export interface RealN8n extends N8nRuns {
	/** The server that runs now, or ran last. */
	readonly server: N8nServer;
	/** The time of n8n and of the sandbox. */
	readonly clock: Clock;
	/** Ends n8n as `kill -9` does, or as the signal does. What it has stored stays. */
	kill(signal?: NodeJS.Signals): Promise<void>;
	/**
	 * Starts n8n again after `kill`, at the same address, and signs in. By then, it has gone
	 * through all executions that were running when it was killed.
	 */
	restart(): Promise<void>;
	stop(): Promise<void>;
}

export interface RealN8nOptions {
	/** Settings of n8n, or a function that gives them at each start. */
	env?: Record<string, string> | (() => Record<string, string>);
	/**
	 * How many times as fast time passes, in n8n and in the sandbox; `TIME_LAPSE` is a good number.
	 * Time-outs of the test itself are in the machine's time.
	 */
	timeLapse?: number;
	/** The test runner's when left out. */
	n8n?: N8nInstall;
	/** With or without the package. When left out, a temporary one with the test runner's package. */
	userFolder?: string;
	/** Brings the package into an n8n that has started without it. */
	install?: (client: N8nClient) => Promise<unknown>;
}

/** What n8n prints at the end of its start. */
const STARTED = 'Editor is now accessible';

/** How long n8n may take to print that after it first answers, ms. */
const START_TIMEOUT = 60_000;

export async function startRealN8n({
	env,
	timeLapse = 1,
	n8n: program = n8nFromEnv(),
	userFolder: ownFolder,
	install,
}: RealN8nOptions = {}): Promise<RealN8n> {
	const pace = { factor: timeLapse, anchor: Date.now() };
	const clock = lapsedClock(pace);
	const sandbox = await startSandbox({ clock });
	let starts = 0;
	const start = async (options: Partial<Parameters<typeof startN8n>[0]>) => {
		const lapse = timeLapse > 1 && { timeLapse: pace };
		const settings = typeof env === 'function' ? env() : env;
		const started = await startN8n({ n8n: program, env: settings, ...lapse, ...options });
		starts += 1;
		try {
			await untilStarted(started.logFile, starts);
		} catch (error) {
			await started.stop();
			throw error;
		}
		return started;
	};
	const first = await start(
		ownFolder ? { userFolder: ownFolder } : { tarball: process.env.MEDIAGEN_TARBALL },
	);
	const { url, userFolder } = first;
	const client = new N8nClient(url);
	const login = await client.setUpOwner();
	await install?.(client);
	// Not spread: it has getters.
	const n8n = Object.assign(await openN8nRuns(client, login, sandbox), {
		server: first,
		clock,
		kill: async (signal?: NodeJS.Signals) => await n8n.server.kill(signal),
		restart: async () => {
			n8n.server = await start({ userFolder, port: Number(new URL(url).port) });
			await n8n.client.logIn(n8n.login);
		},
		stop: async () => {
			await n8n.server.stop();
			// A temporary user folder is removed by the server that made it.
			await first.stop();
			await sandbox.close();
		},
	});
	return n8n;
}

/** Waits until n8n has started. It answers earlier, but then waiting executions may seem to have crashed. */
export async function untilStarted(file: string, times = 1): Promise<void> {
	const deadline = Date.now() + START_TIMEOUT;
	while ((await fs.readFile(file, 'utf8')).split(STARTED).length <= times) {
		if (Date.now() > deadline)
			throw new Error(`n8n has not printed "${STARTED}" (${times} times).`);
		await delay(20);
	}
}
