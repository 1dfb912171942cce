import fs from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

import { REAL_CLOCK, type Clock } from '../../sandbox/clock.mts';
import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import { lapsedTime, timeLapseSettings, type TimeLapse } from '../../tools/lib/lapsedTime.mts';
import { N8nClient, type Login } from '../../tools/lib/n8nClient.mts';
import { n8nFromEnv, type N8nInstall } from '../../tools/lib/n8nInstall.mts';
import { startN8nQueue, type N8nQueue, type N8nWorker } from '../../tools/lib/n8nQueue.mts';
import { startN8n, type N8nServer } from '../../tools/lib/n8nServer.mts';
import { N8nRuns } from './n8nRuns.mts';

/** Settings that save time. */
export const SWIFT = {
	// Nobody opens its editor, which it would prepare for nothing.
	N8N_DISABLE_UI: 'true',
	// Otherwise, n8n spends a third of its time on making a sandbox for expressions in each execution.
	N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'true',
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
};

/** How an n8n of a file's own is started, with the sandbox. The environment says which n8n and which package. */
interface Options {
	/**
	 * How many times as fast time passes, in n8n and in the sandbox; `TIME_LAPSE` is a good number.
	 * Time-outs of the test itself are in the machine's time.
	 */
	timeLapse?: number;
}

export interface RealN8nOptions extends Options {
	/** Settings of n8n, read at each of its starts. */
	env?: Record<string, string>;
	/** The test runner's when left out. */
	n8n?: N8nInstall;
	/** With or without the package. When left out, a temporary one with the test runner's package. */
	userFolder?: string;
	/** Brings the package into an n8n that has started without it. */
	install?: (client: N8nClient) => Promise<unknown>;
}

/** An n8n that can be ended and started again. What it has stored stays. */
abstract class OwnN8n extends N8nRuns {
	/** Ends the main process as `kill -9` does, or as the signal does. Workers stay. */
	abstract kill(signal?: NodeJS.Signals): Promise<void>;

	/** Starts the main process again after `kill`, at the same address, and signs in. */
	async restart(): Promise<void> {
		await this.startAgain();
		await this.client.logIn(this.login);
	}

	async stop(): Promise<void> {
		await this.end();
		await this.sandbox.close();
	}

	protected abstract startAgain(): Promise<void>;
	protected abstract end(): Promise<void>;
}

/** An n8n of one process. */
export class RealN8n extends OwnN8n {
	/** The server that runs now, or ran last. */
	server: N8nServer;

	constructor(
		/** Removes, when it is stopped, a temporary user folder that it has made. */
		private readonly first: N8nServer,
		private readonly startServer: (more: object) => Promise<N8nServer>,
		...given: [N8nClient, Login, Sandbox, Clock]
	) {
		super(...given);
		this.server = first;
	}

	async kill(signal?: NodeJS.Signals): Promise<void> {
		await this.server.kill(signal);
	}

	/** By its end, n8n has gone through all executions that were running when it was killed. */
	protected async startAgain(): Promise<void> {
		const { userFolder, url } = this.server;
		this.server = await this.startServer({ userFolder, port: Number(new URL(url).port) });
	}

	protected async end(): Promise<void> {
		await this.server.stop();
		await this.first.stop();
	}
}

export async function startRealN8n({
	env,
	n8n = n8nFromEnv(),
	userFolder,
	install,
	...options
}: RealN8nOptions = {}): Promise<RealN8n> {
	const { clock, pace } = timeOf(options);
	let starts = 0;
	const start = async (more: object) => {
		const given = { ...SWIFT, ...env };
		const started = await startN8n({ n8n, env: given, ...(pace && { timeLapse: pace }), ...more });
		starts += 1;
		await untilStarted(started.logFile, starts).catch(async (error: unknown) => {
			await started.stop();
			throw error;
		});
		return started;
	};
	const sandbox = await startSandbox({ clock });
	const server = await start(
		userFolder ? { userFolder } : { tarball: process.env.MEDIAGEN_TARBALL },
	);
	const client = new N8nClient(server.url);
	const login = await client.setUpOwner();
	await install?.(client);
	return new RealN8n(server, start, client, login, sandbox, clock);
}

export interface QueueOptions extends Options {
	/** Number of workers; 2 when left out. */
	workers?: number;
	/** Executions that a worker runs at a time; n8n decides when left out. */
	concurrency?: number;
	/** Settings of n8n. */
	env?: Record<string, string>;
}

/** An n8n in queue mode: its workers run the executions. */
export class RealQueue extends OwnN8n {
	constructor(
		readonly queue: N8nQueue,
		...given: [N8nClient, Login, Sandbox, Clock]
	) {
		super(...given);
	}

	async kill(signal?: NodeJS.Signals): Promise<void> {
		await this.queue.main.kill(signal);
	}

	get workers(): readonly N8nWorker[] {
		return this.queue.workers;
	}

	/** IDs of the executions that each worker has run. */
	async taken(): Promise<string[][]> {
		return await Promise.all(this.workers.map(async (worker) => await worker.takenExecutions()));
	}

	protected async startAgain(): Promise<void> {
		await this.queue.restartMain();
	}

	protected async end(): Promise<void> {
		await this.queue.stop();
	}
}

export async function startRealQueue({ env, ...options }: QueueOptions = {}): Promise<RealQueue> {
	const { clock, pace } = timeOf(options);
	const queue = await startN8nQueue({
		n8n: n8nFromEnv(),
		tarball: process.env.MEDIAGEN_TARBALL,
		env: { ...SWIFT, ...(pace && timeLapseSettings(pace)), ...env },
		...options,
	});
	const sandbox = await startSandbox({ clock });
	const client = new N8nClient(queue.url);
	return new RealQueue(queue, client, await client.setUpOwner(), sandbox, clock);
}

function timeOf({ timeLapse: factor = 1 }: Options) {
	const pace = { factor, anchor: Date.now() };
	return { clock: lapsedClock(pace), pace: factor > 1 ? pace : undefined };
}

/** A clock whose time passes faster than the machine's, for all that has to keep time with an n8n that is sped up. */
export function lapsedClock(timeLapse: TimeLapse): Clock {
	const { at, real } = lapsedTime(timeLapse);
	return {
		now: () => Math.floor(at(REAL_CLOCK.now())),
		sleep: async (ms) => await REAL_CLOCK.sleep(real(ms)),
	};
}

/** What n8n prints at the end of its start. */
const STARTED = 'Editor is now accessible';

/** How long n8n may take to print that after it first answers, ms. */
const START_TIMEOUT = 60_000;

/** Waits until n8n has started. It answers earlier, but then waiting executions may seem to have crashed. */
export async function untilStarted(file: string, times = 1): Promise<void> {
	const deadline = Date.now() + START_TIMEOUT;
	while ((await fs.readFile(file, 'utf8')).split(STARTED).length <= times) {
		if (Date.now() > deadline)
			throw new Error(`n8n has not printed "${STARTED}" (${times} times).`);
		await delay(20);
	}
}
