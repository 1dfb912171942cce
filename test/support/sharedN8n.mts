import { createHash } from 'node:crypto';
import path from 'node:path';

import { REAL_CLOCK, type Clock } from '../../sandbox/clock.mts';
import { startSandbox } from '../../sandbox/server.mts';
import { N8nClient, type Login, type Workflow } from '../../tools/lib/n8nClient.mts';
import type { N8nServer } from '../../tools/lib/n8nServer.mts';
import { openN8nRuns, type N8nRuns } from './n8nRuns.mts';
import type { OtherServices } from './otherServices.mts';

const WEBHOOK = 'n8n-nodes-base.webhook';

/** What files may know of a server that other files use, too. */
type Server = Pick<N8nServer, 'url' | 'pid' | 'userFolder' | 'logFile'>;

/** The n8n of a project, which n8nSetup.mjs has started for all of its files. */
interface Shared {
	server: Server;
	/** Of its owner, and the cookie of a client that has signed in. */
	login: Login;
	cookie: string;
}

/** That n8n for one file, with a sandbox of its own. */
export interface SharedN8n extends N8nRuns {
	readonly server: Server;
	/** The machine's time. */
	readonly clock: Clock;
	stop(): Promise<void>;
}

/** The other services that examples find; they are there for files in the process of the set-up only. */
export const sharedHosts = (): OtherServices | undefined =>
	(globalThis as { mediaGenHosts?: OtherServices }).mediaGenHosts;

/** Takes part in it; `stop` deactivates the workflows that the file has left active and that start by themselves. */
export async function joinN8n(): Promise<SharedN8n> {
	const { server, login, cookie } = JSON.parse(process.env.MEDIAGEN_SHARED_N8N ?? '') as Shared;
	const sandbox = await startSandbox({ clock: REAL_CLOCK, seed: seedOfFile() });
	const client = new N8nClient(server.url, cookie);
	// Not spread: some of it is read when it is asked for.
	return Object.assign(await openN8nRuns(client, login, sandbox), {
		server,
		clock: REAL_CLOCK,
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

/** Nobody knows the address of its webhook but the test that is over: deactivating it takes n8n many queries for nothing. */
function waitsForCalls({ nodes }: Workflow): boolean {
	const starts = nodes.filter(({ type }) => type === WEBHOOK || /trigger/i.test(type));
	return starts.length > 0 && starts.every(({ type }) => type === WEBHOOK);
}

/** One for each file: they share n8n's log, and no job in it has the ID of another file's job. */
function seedOfFile(): number {
	const digest = createHash('sha256').update(path.basename(expect.getState().testPath ?? ''));
	return digest.digest().readUInt32BE();
}
