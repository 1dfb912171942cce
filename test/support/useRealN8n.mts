import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

import { REAL_CLOCK } from '../../sandbox/clock.mts';
import { startSandbox } from '../../sandbox/server.mts';
import type { SandboxSettings } from '../../sandbox/settings.mts';
import type { TimeLapse } from '../../tools/lib/lapsedTime.mts';
import { N8nClient, type Login, type Workflow } from '../../tools/lib/n8nClient.mts';
import type { N8nServer } from '../../tools/lib/n8nServer.mts';
import { N8nRuns } from './n8nRuns.mts';
import {
	lapsedClock,
	startRealN8n,
	startRealQueue,
	type QueueOptions,
	type RealN8n,
	type RealN8nOptions,
	type RealQueue,
} from './realN8n.mts';
import { useStarted } from './useStarted.mts';

/** Settings of the sandbox in each test, on top of its first ones. */
interface ForEachTest {
	sandbox?: Partial<SandboxSettings>;
}

/** A real n8n for a file alone. Each test starts afresh, with an account of its own. */
export const useRealN8n = ({ sandbox, ...options }: RealN8nOptions & ForEachTest = {}): RealN8n =>
	useRuns(async () => await startRealN8n(options), sandbox);

/** A real n8n for the file alone, in queue mode. */
export const useRealQueue = ({ sandbox, ...options }: QueueOptions & ForEachTest = {}): RealQueue =>
	useRuns(async () => await startRealQueue(options), sandbox);

/** What fastSetup.mjs starts: the first file that asks for it waits for that. */
const { mediaGenFast } = globalThis as unknown as {
	mediaGenFast: ((kind: 'n8n') => Promise<RealN8n>) & ((kind: 'queue') => Promise<RealQueue>);
};

/** It ends with Jest. */
const STAYS = async () => {};

/** The n8n in which time passes faster, for all files that need no other. A file may kill it. */
export const useFastN8n = ({ sandbox }: ForEachTest = {}): RealN8n =>
	useRuns(async () => await mediaGenFast('n8n'), sandbox, STAYS);

/** The same in queue mode, with three workers at the start of each file. */
export const useFastQueue = ({ sandbox }: ForEachTest = {}): RealQueue => {
	const start = async () => {
		const n8n = await mediaGenFast('queue');
		await n8n.queue.replaceWorkers();
		return n8n;
	};
	return useRuns(start, sandbox, STAYS);
};

/** The n8n that all files of the project share. */
export const useSharedN8n = ({ sandbox }: ForEachTest = {}): SharedN8n =>
	useRuns(async () => await joinN8n(), sandbox);

const useRuns = <N extends N8nRuns & { stop(): Promise<void> }>(
	start: () => Promise<N>,
	settings: Partial<SandboxSettings> = {},
	stop = async (n8n: N) => await n8n.stop(),
): N =>
	useStarted(
		start,
		async (n8n) => {
			await n8n.startAfresh();
			Object.assign(n8n.sandbox.settings, settings);
		},
		stop,
	);

/** The n8n of a project, which n8nSetup.mjs has started for all of its files. */
interface Shared {
	/** What a file may know about a server that other files use, too. */
	server: Pick<N8nServer, 'url' | 'pid' | 'userFolder' | 'logFile'>;
	/** Its owner's, and the cookie of a client that has signed in. */
	login: Login;
	cookie: string;
	/** How fast time passes for it; as it does for the machine when left out. */
	pace?: TimeLapse;
}

/** The shared n8n for one file, with a sandbox of its own. */
export class SharedN8n extends N8nRuns {
	/** Set by whoever joins. */
	server!: Shared['server'];

	/** Deactivates those of the file's active workflows that start by themselves. */
	async stop(): Promise<void> {
		try {
			for (const workflow of await this.client.activeWorkflows()) {
				const saved = this.client.saved.get(workflow.id);
				if (saved && !waitsForCalls(saved)) await this.client.deactivate(workflow);
			}
		} finally {
			await this.sandbox.close();
		}
	}
}

async function joinN8n(): Promise<SharedN8n> {
	const shared = JSON.parse(process.env.MEDIAGEN_SHARED_N8N ?? '') as Shared;
	const { server, login, cookie, pace } = shared;
	const clock = pace ? lapsedClock(pace) : REAL_CLOCK;
	const sandbox = await startSandbox({ clock, seed: seedOfFile() });
	const n8n = new SharedN8n(new N8nClient(server.url, cookie), login, sandbox, clock);
	return Object.assign(n8n, { server });
}

const WEBHOOK = 'n8n-nodes-base.webhook';

/** Whether only webhooks start it. Nobody calls them after the test, and deactivating takes n8n many queries. */
function waitsForCalls({ nodes }: Workflow): boolean {
	const starts = nodes.filter(({ type }) => type === WEBHOOK || /trigger/i.test(type));
	return starts.length > 0 && starts.every(({ type }) => type === WEBHOOK);
}

/** A seed for each file: the files share n8n's log, and no two of them may have jobs with the same ID. */
function seedOfFile(): number {
	const digest = createHash('sha256').update(path.basename(expect.getState().testPath ?? ''));
	return digest.digest().readUInt32BE();
}

/** Whether the n8n that the tests run with is older than a version such as `2.20`. */
export function isN8nBefore(version: string): boolean {
	const folder = path.join(process.env.MEDIAGEN_N8N_FOLDER!, 'node_modules', 'n8n');
	const own = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')).version;
	return own.localeCompare(version, 'en', { numeric: true }) < 0;
}
