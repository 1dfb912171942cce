import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';

import type { N8nInstall } from './n8nInstall.mts';
import { startN8nProcess } from './n8nProcess.mts';
import { startN8n, type N8nServer } from './n8nServer.mts';
import { freePort } from './ports.mts';
import { makeQueuePlace } from './queuePlace.mts';
import { removeFolder, temporaryFolder } from './temporaryFolder.mts';

/** All executions go to the workers, including those started in the editor. */
const QUEUE = { EXECUTIONS_MODE: 'queue', OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true' };

/** A worker of a running n8n. */
export type N8nWorker = Awaited<ReturnType<typeof launchWorker>>;

/** A running n8n in queue mode: one main process, which answers requests, and its workers. */
export type N8nQueue = Awaited<ReturnType<typeof startN8nQueue>>;

/** Starts n8n in queue mode with a packed community package, and waits until all of it is ready. */
export async function startN8nQueue({
	n8n,
	tarball,
	workers: count = 2,
	concurrency,
	env,
}: {
	n8n: N8nInstall;
	/** The package, installed into the community folder. */
	tarball?: string;
	workers?: number;
	/** How many executions a worker runs at a time; n8n decides when left out. */
	concurrency?: number;
	/** Settings of n8n, for the main process and the workers. */
	env?: Record<string, string>;
}) {
	const place = await makeQueuePlace(n8n);
	const userFolder = await temporaryFolder('mediagen-queue-');
	const settings = { ...QUEUE, ...place.settings, N8N_ENCRYPTION_KEY: randomUUID(), ...env };
	let main: N8nServer | undefined;
	const startMain = async (more: Partial<Parameters<typeof startN8n>[0]>) => {
		return (main = await startN8n({ n8n, userFolder, env: settings, ...more }));
	};
	/** In the order in which they were started, including those that have ended. */
	const workers: N8nWorker[] = [];
	const startWorker = async () => {
		const worker = await launchWorker(n8n, userFolder, settings, concurrency);
		workers.push(worker);
		return worker;
	};
	/** Ends everything, and removes the user folder, the database and the keys in Redis. */
	const stop = async () => {
		await Promise.all(workers.map(async (worker) => await worker.stop()));
		await main?.stop();
		await removeFolder(userFolder);
		await place.remove();
	};
	try {
		// The main process starts before the workers, because it creates the tables.
		const first = await startMain({ tarball });
		const starts = await Promise.allSettled(Array.from({ length: count }, startWorker));
		for (const start of starts) if (start.status === 'rejected') throw start.reason;
		return {
			url: first.url,
			/** Where the community packages and the logs are. */
			userFolder,
			/** The main process that runs now, or ran last. */
			get main() {
				return main ?? first;
			},
			/** Starts the main process again at the same address, after it has been killed. */
			restartMain: async () => void (await startMain({ port: Number(new URL(first.url).port) })),
			workers,
			startWorker,
			/** Starts others in place of workers that have ended. */
			replaceWorkers: async () => {
				const ended = workers.filter(({ hasEnded }) => hasEnded()).length;
				for (let left = workers.length - ended; left < count; left++) await startWorker();
			},
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

async function launchWorker(
	n8n: N8nInstall,
	userFolder: string,
	env: Record<string, string>,
	concurrency?: number,
) {
	const port = String(await freePort());
	const name = path.join(userFolder, `worker${port}`);
	const logFile = `${name}.log`;
	const worker = await startN8nProcess({
		n8n,
		command: ['worker', ...(concurrency ? [`--concurrency=${concurrency}`] : [])],
		url: `http://127.0.0.1:${port}`,
		userFolder,
		logFile,
		env: {
			QUEUE_HEALTH_CHECK_ACTIVE: 'true',
			QUEUE_HEALTH_CHECK_PORT: port,
			// Workers that shared one log would, at their start, take each other's running executions for crashed.
			N8N_EVENTBUS_LOGWRITER_LOGFULLPATH: `${name}Events.log`,
			...env,
		},
	});
	return {
		...worker,
		/** IDs of the executions that it has started or resumed after a wait, in that order. */
		takenExecutions: async () => {
			const log = await fs.readFile(logFile, 'utf8');
			return [...log.matchAll(/Worker started execution (\S+)/g)].map(([, id = '']) => id);
		},
	};
}
