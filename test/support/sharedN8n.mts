import { createHash } from 'node:crypto';
import path from 'node:path';

import type { Clock } from '../../sandbox/clock.mts';
import { startSandbox } from '../../sandbox/server.mts';
import type { TimeLapse } from '../../tools/lib/lapsedTime.mts';
import { N8nClient, type Login, type Workflow } from '../../tools/lib/n8nClient.mts';
import type { N8nServer } from '../../tools/lib/n8nServer.mts';
import { lapsedClock } from './lapsedClock.mts';
import { openN8nRuns, type N8nRuns } from './n8nRuns.mts';
import type { OtherServices } from './otherServices.mts';

const WEBHOOK = 'n8n-nodes-base.webhook';

/** What a file may know about a server that other files use, too. */
type Server = Pick<N8nServer, 'url' | 'pid' | 'userFolder' | 'logFile'>;

/** The n8n of a project, which n8nSetup.mjs has started for all of its files. */
interface Shared {
	server: Server;
	/** Its owner's, and the cookie of a client that has signed in. */
	login: Login;
	cookie: string;
	/** How fast time passes for it. */
	pace: TimeLapse;
}

/** The shared n8n for one file, with a sandbox of its own. */
export interface SharedN8n extends N8nRuns {
	readonly server: Server;
	/** The time of n8n and of the sandbox. */
	readonly clock: Clock;
	stop(): Promise<void>;
}

/** The stand-ins for other services; only files in the process of the set-up have them. */
export const sharedHosts = (): OtherServices | undefined =>
	(globalThis as { mediaGenHosts?: OtherServices }).mediaGenHosts;

/** Joins the shared n8n; `stop` deactivates those of the file's active workflows that start by themselves. */
export async function joinN8n(): Promise<SharedN8n> {
	const { server, login, cookie, pace } = JSON.parse(
		process.env.MEDIAGEN_SHARED_N8N ?? '',
	) as Shared;
	const clock = lapsedClock(pace);
	const sandbox = await startSandbox({ clock, seed: seedOfFile() });
	const client = new N8nClient(server.url, cookie);
	// Not spread: it has getters.
	return Object.assign(await openN8nRuns(client, login, sandbox), {
		server,
		clock,
		stop: async () => {
			try {
				const active = await client.activeWorkflows();
				for (const workflow of active) {
					const saved = client.saved.get(workflow.id);
					if (saved && !waitsForCalls(saved)) await client.deactivate(workflow);
				}
			} finally {
				await sandbox.close();
			}
		},
	});
}

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
