import { randomUUID } from 'node:crypto';

import type { Sandbox } from '../../sandbox/server.mts';
import {
	N8nClient,
	outputsOf,
	type Credential,
	type Execution,
	type Item,
	type Login,
	type SavedWorkflow,
	type Workflow,
} from '../../tools/lib/n8nClient.mts';
import { savedCredential } from './serviceDetails.mts';

/** Workflows with this package's nodes in a running n8n, against the sandbox. */
export interface N8nRuns {
	sandbox: Sandbox;
	client: N8nClient;
	/** The owner's, who is signed in. */
	login: Login;
	/** For the sandbox, with its current key; runs use it unless told otherwise. */
	readonly credential: Credential;
	/** All keys that the sandbox has had. */
	readonly keys: readonly string[];
	/**
	 * Resets the sandbox and saves a credential for its new key: each test has an account of its own,
	 * so that none waits for the request limit because of those before it.
	 */
	startAfresh(): Promise<void>;
	/** Saves another credential of the package. */
	addCredential(data: object): Promise<Credential>;
	/** Items → MediaGen (→ the nodes of `after`), run once. */
	run(options: RunOptions): Promise<Ran>;
	/**
	 * Items → each of the MediaGen nodes, run once; an error of one is that of its workflow. A workflow for each
	 * node would take n8n several times as long.
	 *
	 * @param most nodes in a workflow, which run one after another; all workflows run at once
	 */
	runBranches(branches: readonly BranchOptions[], most: number): Promise<Ran[]>;
	/** Like `run`, but does not wait for the end; gives the workflow. */
	start(options: RunOptions): Promise<SavedWorkflow>;
	/** A chain of nodes, run once; those of this package have the credential. */
	runChain(nodes: readonly ChainNode[], credential?: Credential): Promise<Execution>;
	/**
	 * Like `runChain`, but does not wait for the end; gives the execution's ID.
	 *
	 * @param connections of nodes that do not lead to the next one, by name of the node
	 */
	startChain(
		nodes: readonly ChainNode[],
		credential?: Credential,
		connections?: object,
	): Promise<string>;
}

export interface RunOptions {
	/** The node of this package. */
	node?: 'mediaGenImage' | 'mediaGenVideo' | 'mediaGenMusic' | 'mediaGenAccount';
	parameters: object;
	/** What the webhook is called with: one entry for each item. */
	items?: object[];
	credential?: Credential;
	/** Settings of the node, such as `onError`. */
	settings?: object;
	/** Settings of the workflow, such as `saveExecutionProgress`. */
	workflowSettings?: object;
	/** How long to wait for the end, ms; a minute when left out. */
	timeout?: number;
	/** A node after the MediaGen node, called "After". */
	after?: { type: string; typeVersion: number; parameters: object };
}

/** Options of a node that runs beside others. */
export type BranchOptions = Pick<RunOptions, 'node' | 'parameters' | 'credential'>;

export interface ChainNode {
	name: string;
	/** For this package's nodes, without the package's name. */
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
	/** What a user reads if the node has failed. */
	error?: { message: string; description: string; messages?: string[] };
}

const CREDENTIAL_TYPE = 'mediaGenApi';

/** @param client signed in as the owner, to an n8n that has the package */
export async function openN8nRuns(
	client: N8nClient,
	login: Login,
	sandbox: Sandbox,
): Promise<N8nRuns> {
	const addCredential = async (data: object) =>
		await client.createCredential(
			CREDENTIAL_TYPE,
			`MediaGen ${randomUUID()}`,
			savedCredential(data),
		);
	const keys: string[] = [];
	const saveCredential = async () => {
		keys.push(sandbox.key);
		return await addCredential({ baseUrl: sandbox.url, apiKey: sandbox.key });
	};
	let credential = await saveCredential();
	return {
		sandbox,
		client,
		login,
		get credential() {
			return credential;
		},
		keys,
		startAfresh: async () => {
			sandbox.reset();
			credential = await saveCredential();
		},
		addCredential,
		run: async (options) => {
			const workflow = await startOnce(client, { credential, ...options });
			return ranOf(await client.waitForWorkflow(workflow, { timeout: options.timeout }));
		},
		runBranches: async (branches, most) => {
			const all = branches.map((branch) => ({ credential, ...branch }));
			const parts = Array.from({ length: Math.ceil(all.length / most) }, (_, part) =>
				all.slice(part * most, (part + 1) * most),
			);
			const runs = parts.map(async (part) => {
				const path = randomUUID();
				const workflow = await call(client, path, workflowOfBranches(path, part));
				const execution = await client.waitForWorkflow(workflow);
				return part.map((_, index) => ranOf(execution, branchName(index)));
			});
			return (await Promise.all(runs)).flat();
		},
		start: async (options) => await startOnce(client, { credential, ...options }),
		runChain: async (nodes, own = credential) =>
			await client.waitForExecution(await startChain(client, nodes, own)),
		startChain: async (nodes, own = credential, connections) =>
			await startChain(client, nodes, own, connections),
	};
}

async function startOnce(client: N8nClient, options: RunOptions & { credential: Credential }) {
	const path = randomUUID();
	return await call(client, path, workflowOf(path, options), options.items);
}

async function call(client: N8nClient, path: string, made: Workflow, items: object[] = [{}]) {
	const workflow = await client.createWorkflow(made);
	await client.activate(workflow);
	await client.callWebhook(path, { items });
	return workflow;
}

async function startChain(
	client: N8nClient,
	nodes: readonly ChainNode[],
	{ id, name }: Credential,
	own: object = {},
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
	const workflow = await client.createWorkflow({
		name: randomUUID(),
		nodes: all,
		connections: { ...connections, ...own },
	});
	return await client.runManually(workflow, 'Start');
}

/** An execution as the tests read it. */
export function ranOf(execution: Execution, node = 'MediaGen'): Ran {
	const { message, description, messages } = execution.error ?? {};
	return {
		execution,
		outputs: outputsOf(execution, node),
		after: outputsOf(execution, 'After')[0] ?? [],
		...(execution.error ? { error: { message, description, messages } } : {}),
	};
}

type Options = RunOptions & { credential: Credential };

function workflowOf(path: string, options: Options): Workflow {
	const { node = 'mediaGenImage', parameters, credential, settings, after } = options;
	const { workflowSettings } = options;
	const { id, name } = credential;
	const main = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
	return {
		name: path,
		settings: { executionOrder: 'v1', ...workflowSettings },
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
			...(after
				? [{ name: 'After', credentials: { [CREDENTIAL_TYPE]: { id, name } }, ...after }]
				: []),
		],
		connections: {
			Webhook: main('Items'),
			Items: main('MediaGen'),
			...(after ? { MediaGen: main('After') } : {}),
		},
	};
}

const branchName = (index: number) => `MediaGen ${index + 1}`;

function workflowOfBranches(path: string, branches: readonly Options[]): Workflow {
	const nodes = branches.flatMap((options, index) =>
		workflowOf(path, options)
			.nodes.filter(({ name }) => name === 'MediaGen')
			.map((node) => ({ ...node, name: branchName(index) })),
	);
	const alone = workflowOf(path, branches[0]!);
	const common = alone.nodes.filter(({ name }) => name !== 'MediaGen');
	const toEach = nodes.map(({ name }) => ({ node: name, type: 'main', index: 0 }));
	const connections = { ...alone.connections, Items: { main: [toEach] } };
	return { ...alone, nodes: [...common, ...nodes], connections };
}
