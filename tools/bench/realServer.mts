import { randomUUID } from 'node:crypto';

import type { Sandbox } from '../../sandbox/server.mts';
import type { SandboxSettings } from '../../sandbox/settings.mts';
import { N8nClient, type Execution } from '../lib/n8nClient.mjs';
import { startN8n } from '../lib/n8nServer.mjs';
import type { N8nInstall } from '../lib/n8nInstall.mjs';
import { startSandbox } from '../lib/sandbox.mjs';
import type { Credentials, Way } from './ways.mts';

/** Enough for every part. */
const CREDITS = 1_000_000;

/** What one run of a workflow took. */
export interface Measured {
	execution: Execution;
	/** From the start of the first node after the items to the end of the last one. */
	ms: number;
}

/** A real n8n with the package, the sandbox, and workflows that are measured. */
export interface RealServer {
	sandbox: Sandbox;
	/** Resets the sandbox: same seed, another key. Gives the credentials for that key. */
	startAfresh(settings: Partial<SandboxSettings>): Promise<Credentials>;
	/** Runs a workflow over as many items. */
	measure(way: Way, items: number, credentials: Credentials): Promise<Measured>;
}

/** It ends with the tool. */
export async function startRealServer(n8n: N8nInstall, tarball: string): Promise<RealServer> {
	const sandbox = await startSandbox({ credits: { purchased: CREDITS } });
	const server = await startN8n({ n8n, tarball });
	const client = new N8nClient(server.url);
	await client.setUpOwner();
	return {
		sandbox,
		startAfresh: async (settings) => {
			sandbox.reset();
			Object.assign(sandbox.settings, settings);
			return await saveCredentials(client, sandbox);
		},
		measure: async (way, items, credentials) => await measure(client, way, items, credentials),
	};
}

export async function saveCredentials(
	client: N8nClient,
	{ url, key }: Sandbox,
): Promise<Credentials> {
	const name = randomUUID();
	const [mediaGenApi, httpHeaderAuth] = await Promise.all([
		client.createCredential('mediaGenApi', name, { baseUrl: url, apiKey: key }),
		client.createCredential('httpHeaderAuth', name, {
			name: 'Authorization',
			value: `Bearer ${key}`,
		}),
	]);
	return { mediaGenApi, httpHeaderAuth, baseUrl: url, key };
}

/** The webhook that starts it answers when it has ended: nobody asks n8n meanwhile. */
async function measure(client: N8nClient, way: Way, items: number, credentials: Credentials) {
	const path = randomUUID();
	const workflow = await client.createWorkflow(way.workflow(path, credentials));
	await client.activate(workflow);
	const prompts = Array.from({ length: items }, (_, index) => ({ prompt: `item ${index}` }));
	await client.callWebhook(path, { items: prompts });
	const execution = await client.waitForWorkflow(workflow);
	if (execution.status !== 'success') {
		throw new Error(`${way.title}: ${execution.status}, ${execution.error?.message}`);
	}
	return { execution, ms: spanOf(execution) };
}

/** Of all nodes but the two that bring the items, by n8n's own account of them. */
function spanOf({ runData }: Execution): number {
	const runs = Object.entries(runData)
		.filter(([name]) => name !== 'Webhook' && name !== 'Items')
		.flatMap(([, list]) => list as Array<{ startTime: number; executionTime: number }>);
	const start = Math.min(...runs.map(({ startTime }) => startTime));
	return Math.max(...runs.map(({ startTime, executionTime }) => startTime + executionTime)) - start;
}
