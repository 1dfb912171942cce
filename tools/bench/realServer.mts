import { randomUUID } from 'node:crypto';

import type { Sandbox } from '../../sandbox/server.mts';
import type { SandboxSettings } from '../../sandbox/settings.mts';
import { N8nClient, type Execution } from '../lib/n8nClient.mts';
import { startN8n } from '../lib/n8nServer.mts';
import type { N8nInstall } from '../lib/n8nInstall.mts';
import { startSandbox } from '../lib/sandbox.mts';
import { round } from './result.mts';
import { idealOf } from './schedule.mts';
import { trafficOf } from './traffic.mts';
import { CREDITS, plannedOf } from './virtualJobs.mts';
import type { Way } from './ways.mts';

/** A real n8n with the package, a sandbox, and the means to measure workflows. */
export type RealServer = Awaited<ReturnType<typeof openRealServer>>;

/** Starts n8n and the sandbox; both end with the tool. */
export async function startRealServer(n8n: N8nInstall, tarball: string) {
	const sandbox = await startSandbox({ credits: CREDITS });
	return await openRealServer((await startN8n({ n8n, tarball })).url, sandbox);
}

export async function openRealServer(url: string, sandbox: Sandbox) {
	const client = new N8nClient(url);
	await client.setUpOwner();
	return {
		sandbox,
		/** Resets the sandbox, with the same seed but another key; returns the credentials for that key. */
		startAfresh: async (settings: Partial<SandboxSettings>) => {
			sandbox.reset();
			Object.assign(sandbox.settings, settings);
			return await saveCredentials(client, sandbox);
		},
		/** Runs a number of workflows at once, each over a number of items; they may fail. */
		measure: async (way: Way, workflows: number, items: number, credentials: Credentials) => {
			const [jobs, before] = [sandbox.jobs.length, trafficOf(sandbox)];
			const runs = Array.from({ length: workflows }, (_, run) =>
				execute(client, way, run, items, credentials),
			);
			const executions = await Promise.all(runs);
			const ms = tookMs(executions);
			const ideal = idealOf(plannedOf(sandbox.jobs.slice(jobs)));
			const { requests, refused, mostInWindow, paid } = trafficOf(sandbox);
			const row = {
				seconds: round(ms / 1000),
				ideal: round(ideal / 1000),
				'x ideal': round(ms / ideal, 3),
				requests: requests - before.requests,
				'most/min': mostInWindow,
				'429s': refused - before.refused,
				'jobs paid': paid - before.paid,
			};
			return { executions, row };
		},
	};
}

export type Credentials = Awaited<ReturnType<typeof saveCredentials>>;

export async function saveCredentials(client: N8nClient, { url, key }: Sandbox) {
	const name = randomUUID();
	const [mediaGenApi, httpHeaderAuth] = await Promise.all([
		client.createCredential('mediaGenApi', name, { baseUrl: url, apiKey: key }),
		client.createCredential('httpHeaderAuth', name, {
			name: 'Authorization',
			value: `Bearer ${key}`,
		}),
	]);
	return { mediaGenApi, httpHeaderAuth, baseUrl: url };
}

/** Runs one workflow. Its webhook answers only at the end, so nothing has to poll n8n meanwhile. */
async function execute(
	client: N8nClient,
	way: Way,
	run: number,
	items: number,
	credentials: Credentials,
): Promise<Execution> {
	const path = randomUUID();
	const workflow = await client.createWorkflow(way.workflow(path, credentials));
	await client.activate(workflow);
	const prompts = Array.from({ length: items }, (_, index) => ({
		prompt: `run ${run} item ${index}`,
	}));
	await client.callWebhook(path, { items: prompts });
	return await client.waitForWorkflow(workflow);
}

/**
 * How long the executions took together, in ms by n8n's own records: from the start of the first node to the end of the
 * last one, without the two nodes that bring the items.
 */
function tookMs(executions: Execution[]) {
	const runs = executions.flatMap(({ runData }) =>
		Object.entries(runData)
			.filter(([name]) => name !== 'Webhook' && name !== 'Items')
			.flatMap(([, list]) => list as Array<{ startTime: number; executionTime: number }>),
	);
	const start = Math.min(...runs.map(({ startTime }) => startTime));
	const end = Math.max(...runs.map(({ startTime, executionTime }) => startTime + executionTime));
	return end - start;
}
