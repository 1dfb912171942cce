import { randomUUID } from 'node:crypto';
import fs from 'node:fs/promises';
import path from 'node:path';

import { startN8nProcess } from './n8nProcess.mjs';
import { startN8n } from './n8nServer.mjs';
import { freePort } from './ports.mjs';
import { makeQueuePlace } from './queuePlace.mjs';
import { removeFolder, temporaryFolder } from './temporaryFolder.mjs';

/** All executions go to the workers, those that are started in the editor too. */
const QUEUE = { EXECUTIONS_MODE: 'queue', OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true' };

/**
 * A worker of a running n8n.
 *
 * @typedef {import('./n8nProcess.mjs').N8nProcess & Work} N8nWorker
 *
 * @typedef {object} Work
 * @property {() => Promise<string[]>} takenExecutions Ids of the executions it has begun to run, from
 *   their start or from a wait, in that order.
 */

/**
 * A running n8n in queue mode: one main process, which answers requests, and its workers.
 *
 * @typedef {object} N8nQueue
 * @property {string} url Its address, without a slash at the end.
 * @property {string} userFolder Where the community packages and the logs are.
 * @property {import('./n8nServer.mjs').N8nServer} main The one that runs now, or ran last.
 * @property {() => Promise<void>} restartMain Starts the main process again, once it has been killed,
 *   at the same address.
 * @property {readonly N8nWorker[]} workers In the order of their start, those that are gone too.
 * @property {() => Promise<N8nWorker>} startWorker Adds one.
 * @property {() => Promise<void>} stop Ends everything, and removes the user folder, the database
 *   and the keys in Redis.
 */

/**
 * Starts n8n in queue mode with a packed community package, and waits until all of it is ready.
 *
 * @param {object} options
 * @param {import('./n8nInstall.mjs').N8nInstall} options.n8n
 * @param {string} [options.tarball] The package, installed into the community folder.
 * @param {number} [options.workers] How many.
 * @param {number} [options.concurrency] Executions that a worker runs at a time; n8n decides when
 *   left out.
 * @param {Record<string, string>} [options.env] Settings of n8n, for main and workers.
 * @returns {Promise<N8nQueue>}
 */
export async function startN8nQueue({ n8n, tarball, workers: count = 2, concurrency, env }) {
	const place = await makeQueuePlace(n8n);
	const userFolder = await temporaryFolder('mediagen-queue-');
	const settings = { ...QUEUE, ...place.settings, N8N_ENCRYPTION_KEY: randomUUID(), ...env };
	/** @type {Partial<Parameters<typeof startN8n>[0]>} */
	let again = {};
	/** @type {import('./n8nServer.mjs').N8nServer | undefined} */
	let main;
	const startMain = async () => {
		return await startN8n({ n8n, tarball, userFolder, env: settings, ...again });
	};
	const restartMain = async () => {
		main = await startMain();
	};
	/** @type {N8nWorker[]} */
	const workers = [];
	const startWorker = async () => {
		const worker = await launchWorker({ n8n, userFolder, concurrency, env: settings });
		workers.push(worker);
		return worker;
	};
	const stop = async () => {
		await Promise.all(workers.map(async (worker) => await worker.stop()));
		await main?.stop();
		await removeFolder(userFolder);
		await place.remove();
	};
	try {
		// Before the workers: it makes the tables.
		const first = (main = await startMain());
		again = { tarball: undefined, port: Number(new URL(first.url).port) };
		const starts = await Promise.allSettled(Array.from({ length: count }, startWorker));
		for (const start of starts) if (start.status === 'rejected') throw start.reason;
		return {
			url: first.url,
			userFolder,
			get main() {
				return main ?? first;
			},
			restartMain,
			workers,
			startWorker,
			stop,
		};
	} catch (error) {
		await stop();
		throw error;
	}
}

/**
 * @param {Pick<Parameters<typeof startN8nQueue>[0], 'n8n' | 'concurrency'> &
 *   { userFolder: string, env: Record<string, string> }} options
 * @returns {Promise<N8nWorker>}
 */
async function launchWorker({ n8n, userFolder, concurrency, env }) {
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
			// A worker that starts takes what others are running, by a log they share, for crashed.
			N8N_EVENTBUS_LOGWRITER_LOGFULLPATH: `${name}Events.log`,
			...env,
		},
	});
	return {
		...worker,
		takenExecutions: async () => {
			const log = await fs.readFile(logFile, 'utf8');
			return [...log.matchAll(/Worker started execution (\S+)/g)].map(([, id = '']) => id);
		},
	};
}
