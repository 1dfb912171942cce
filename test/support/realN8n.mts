import { randomUUID } from 'node:crypto';

import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import {
	N8nClient,
	outputsOf,
	type Credential,
	type Execution,
	type Item,
} from '../../tools/lib/n8nClient.mjs';
import { n8nFromEnv } from '../../tools/lib/n8nInstall.mjs';
import { startN8n, type N8nServer } from '../../tools/lib/n8nServer.mjs';

/**
 * A real n8n server with the packed package in its community folder, the sandbox, and workflows
 * that are started by webhook. The test runner says by environment which n8n and which package.
 */
export interface RealN8n {
	sandbox: Sandbox;
	server: N8nServer;
	client: N8nClient;
	/** For the sandbox, with its present key; the runs use it. */
	readonly credential: Credential;
	/** All keys that the sandbox has had. */
	readonly keys: readonly string[];
	/**
	 * Resets the sandbox and saves a credential for its new key: each test has an account of its own,
	 * so that none waits for the request limit on account of those before it.
	 */
	startAfresh(): Promise<void>;
	/** Saves another credential of the package. */
	addCredential(data: object): Promise<Credential>;
	/** Items → MediaGen (→ the nodes of `after`), run once. */
	run(options: RunOptions): Promise<Ran>;
	/** One node after the other, run once; those of this package with the credential. */
	runChain(nodes: readonly ChainNode[], credential?: Credential): Promise<Execution>;
	/** The same, not waited for; gives the execution's id. */
	startChain(nodes: readonly ChainNode[], credential?: Credential): Promise<string>;
	stop(): Promise<void>;
}

export interface RunOptions {
	/** The node of this package. */
	node?: 'mediaGenImage' | 'mediaGenVideo' | 'mediaGenMusic' | 'mediaGenAccount';
	parameters: object;
	/** What the webhook is called with; one item each. */
	items?: object[];
	credential?: Credential;
	/** Settings of the node, such as `onError`. */
	settings?: object;
	/** A node after the MediaGen node, called "After". */
	after?: { type: string; typeVersion: number; parameters: object };
}

export interface ChainNode {
	name: string;
	/** Without the package's name for its own nodes. */
	type: string;
	typeVersion?: number;
	parameters?: object;
	[setting: string]: unknown;
}

export interface Ran {
	execution: Execution;
	/** Items of the MediaGen node, by output. */
	outputs: Item[][];
	/** Items of the node "After". */
	after: Item[];
	/** What a user reads where the node has failed. */
	error?: { message: string; description: string };
}

const CREDENTIAL_TYPE = 'mediaGenApi';

/** @param env settings of n8n */
export async function startRealN8n({
	env,
}: { env?: Record<string, string> } = {}): Promise<RealN8n> {
	const sandbox = await startSandbox();
	const server = await startN8n({
		n8n: n8nFromEnv(),
		tarball: process.env.MEDIAGEN_TARBALL,
		env,
	});
	const client = new N8nClient(server.url);
	await client.setUpOwner();
	const addCredential = async (data: object) =>
		await client.createCredential(CREDENTIAL_TYPE, `MediaGen ${randomUUID()}`, data);
	const keys: string[] = [];
	const saveCredential = async () => {
		keys.push(sandbox.key);
		return await addCredential({ baseUrl: sandbox.url, apiKey: sandbox.key });
	};
	let credential = await saveCredential();
	return {
		sandbox,
		server,
		client,
		get credential() {
			return credential;
		},
		keys,
		startAfresh: async () => {
			sandbox.reset();
			credential = await saveCredential();
		},
		addCredential,
		run: async (options) => await runOnce(client, { credential, ...options }),
		runChain: async (nodes, own = credential) =>
			await client.waitForExecution(await startChain(client, nodes, own)),
		startChain: async (nodes, own = credential) => await startChain(client, nodes, own),
		stop: async () => {
			await server.stop();
			await sandbox.close();
		},
	};
}

async function runOnce(client: N8nClient, options: RunOptions & { credential: Credential }) {
	const path = randomUUID();
	const workflow = await client.createWorkflow(workflowOf(path, options));
	await client.activate(workflow);
	await client.callWebhook(path, { items: options.items ?? [{}] });
	return ranOf(await client.waitForWorkflow(workflow));
}

async function startChain(
	client: N8nClient,
	nodes: readonly ChainNode[],
	{ id, name }: Credential,
): Promise<string> {
	const start = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 };
	const complete = nodes.map((node) =>
		node.type.includes('.')
			? { typeVersion: 1, ...node }
			: {
					typeVersion: 1,
					credentials: { [CREDENTIAL_TYPE]: { id, name } },
					...node,
					type: `n8n-nodes-mediagen.${node.type}`,
				},
	);
	const all = [start, ...complete];
	const connections = Object.fromEntries(
		all
			.slice(1)
			.map((node, index) => [
				all[index]?.name ?? '',
				{ main: [[{ node: node.name, type: 'main', index: 0 }]] },
			]),
	);
	const workflow = await client.createWorkflow({ name: randomUUID(), nodes: all, connections });
	return await client.runManually(workflow, 'Start');
}

/** An execution as the tests read it. */
export function ranOf(execution: Execution): Ran {
	const { message, description } = execution.error ?? {};
	return {
		execution,
		outputs: outputsOf(execution, 'MediaGen'),
		after: outputsOf(execution, 'After')[0] ?? [],
		...(execution.error ? { error: { message, description } } : {}),
	};
}

type Options = RunOptions & { credential: Credential };

function workflowOf(path: string, options: Options) {
	const { node = 'mediaGenImage', parameters, credential, settings, after } = options;
	const { id, name } = credential;
	const main = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
	return {
		name: path,
		settings: { executionOrder: 'v1' },
		nodes: [
			{
				name: 'Webhook',
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2,
				parameters: { path, httpMethod: 'POST', responseMode: 'onReceived' },
			},
			{
				name: 'Items',
				type: 'n8n-nodes-base.splitOut',
				typeVersion: 1,
				parameters: { fieldToSplitOut: 'body.items', options: {} },
			},
			{
				name: 'MediaGen',
				type: `n8n-nodes-mediagen.${node}`,
				typeVersion: 1,
				parameters,
				credentials: { [CREDENTIAL_TYPE]: { id, name } },
				...settings,
			},
			...(after ? [{ name: 'After', ...after }] : []),
		],
		connections: {
			Webhook: main('Items'),
			Items: main('MediaGen'),
			...(after ? { MediaGen: main('After') } : {}),
		},
	};
}
