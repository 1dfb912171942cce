import type { Clock } from '../../sandbox/clock.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { timeLapseSettings } from '../../tools/lib/lapsedTime.mts';
import { N8nClient } from '../../tools/lib/n8nClient.mts';
import { n8nFromEnv } from '../../tools/lib/n8nInstall.mts';
import { startN8nQueue, type N8nQueue, type N8nWorker } from '../../tools/lib/n8nQueue.mts';
import { lapsedClock } from './lapsedClock.mts';
import { openN8nRuns, type N8nRuns } from './n8nRuns.mts';

/** Like `RealN8n`, but in queue mode: its workers run the executions. */
export interface RealQueue extends N8nRuns {
	queue: N8nQueue;
	/** The workers of the queue. */
	workers: readonly N8nWorker[];
	/** The time of n8n and of the sandbox. */
	readonly clock: Clock;
	/** Ends the main process as `kill -9` does, or as the signal does. The workers stay. */
	kill(signal?: NodeJS.Signals): Promise<void>;
	/** Starts the main process again after `kill`, at the same address, and signs in. */
	restart(): Promise<void>;
	stop(): Promise<void>;
}

export interface QueueOptions {
	/** Number of workers; 2 when left out. */
	workers?: number;
	/** Executions that a worker runs at a time; n8n decides when left out. */
	concurrency?: number;
	/** Settings of n8n. */
	env?: Record<string, string>;
	/** How many times as fast time passes, in n8n and in the sandbox. */
	timeLapse?: number;
}

export async function startRealQueue({
	timeLapse = 1,
	env,
	...options
}: QueueOptions = {}): Promise<RealQueue> {
	const pace = { factor: timeLapse, anchor: Date.now() };
	const clock = lapsedClock(pace);
	const sandbox = await startSandbox({ clock });
	const queue = await startN8nQueue({
		n8n: n8nFromEnv(),
		tarball: process.env.MEDIAGEN_TARBALL,
		env: { ...(timeLapse > 1 && timeLapseSettings(pace)), ...env },
		...options,
	});
	const stop = async () => {
		await queue.stop();
		await sandbox.close();
	};
	const { workers } = queue;
	const client = new N8nClient(queue.url);
	// Not spread: the credential is a getter.
	const n8n = Object.assign(await openN8nRuns(client, await client.setUpOwner(), sandbox), {
		queue,
		workers,
		clock,
		kill: async (signal?: NodeJS.Signals) => await queue.main.kill(signal),
		restart: async () => {
			await queue.restartMain();
			await n8n.client.logIn(n8n.login);
		},
		stop,
	});
	return n8n;
}
