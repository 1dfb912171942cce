import { randomUUID } from 'node:crypto';

import { REAL_CLOCK, type Clock } from '../../sandbox/clock.mts';
import type { Sandbox } from '../../sandbox/server.mts';
import {
	outputsOf,
	type Credential,
	type Execution,
	type Item,
	type Login,
	type N8nClient,
	type SavedWorkflow,
	type Workflow,
	type WorkflowNode,
} from '../../tools/lib/n8nClient.mts';
import { connectionsOf, n8nNode, type Edge } from '../../tools/lib/workflowNodes.mts';
import { savedCredential } from './serviceDetails.mts';

const PACKAGE = 'n8n-nodes-mediagen';
const CREDENTIAL_TYPE = 'mediaGenApi';

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
type BranchOptions = Pick<RunOptions, 'node' | 'parameters' | 'credential'>;

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

/** Workflows with this package's nodes in a running n8n, against the sandbox. */
export class N8nRuns {
	/** For the sandbox, with its current key; runs use it unless told otherwise. */
	credential: Credential = { id: '', name: '', type: CREDENTIAL_TYPE };
	/** All keys that the sandbox has had. */
	readonly keys: string[] = [];

	/**
	 * @param client signed in as the owner, to an n8n that has the package
	 * @param clock of n8n and the sandbox
	 */
	constructor(
		readonly client: N8nClient,
		readonly login: Login,
		readonly sandbox: Sandbox,
		readonly clock: Clock = REAL_CLOCK,
	) {}

	/**
	 * Resets the sandbox and saves a credential for its new key: each test has an account of its own,
	 * so that none waits for the request limit because of those before it.
	 */
	async startAfresh(): Promise<void> {
		const { sandbox, keys } = this;
		sandbox.reset();
		keys.push(sandbox.key);
		this.credential = await this.addCredential({ baseUrl: sandbox.url, apiKey: sandbox.key });
	}

	/** Saves another credential of the package. */
	async addCredential(data: object): Promise<Credential> {
		const name = `MediaGen ${randomUUID()}`;
		return await this.client.createCredential(CREDENTIAL_TYPE, name, savedCredential(data));
	}

	/** Items → MediaGen (→ After), run once. */
	async run(options: RunOptions): Promise<Ran> {
		const workflow = await this.start(options);
		return ranOf(await this.client.waitForWorkflow(workflow, { timeout: options.timeout }));
	}

	/** Like `run`, but does not wait for the end; gives the workflow. */
	async start({ after, items, ...options }: RunOptions): Promise<SavedWorkflow> {
		const nodes = [this.nodeOf(options, options.settings)];
		if (after) nodes.push({ name: 'After', credentials: this.credentials(options), ...after });
		const edges: Edge[] = [
			['Items', 'MediaGen'],
			...(after ? [['MediaGen', 'After'] as Edge] : []),
		];
		return await this.call(byWebhook(nodes, edges, options.workflowSettings), items);
	}

	/**
	 * Items → each of the MediaGen nodes, run once; an error of one is that of its workflow. A workflow for each
	 * node would take n8n several times as long.
	 *
	 * @param most nodes in a workflow, which run one after another; all workflows run at once
	 */
	async runBranches(branches: readonly BranchOptions[], most: number): Promise<Ran[]> {
		const nodes = branches.map((branch, index) =>
			this.nodeOf(branch, { name: `MediaGen ${index + 1}` }),
		);
		const parts = Array.from({ length: Math.ceil(nodes.length / most) }, (_, part) =>
			nodes.slice(part * most, (part + 1) * most),
		);
		const runs = parts.map(async (part) => {
			const edges = part.map(({ name }): Edge => ['Items', name]);
			const execution = await this.client.waitForWorkflow(await this.call(byWebhook(part, edges)));
			return part.map(({ name }) => ranOf(execution, name));
		});
		return (await Promise.all(runs)).flat();
	}

	/** A chain of nodes, run once; those of this package have the credential. */
	async runChain(nodes: readonly ChainNode[], credential?: Credential): Promise<Execution> {
		return await this.client.waitForExecution(await this.startChain(nodes, credential));
	}

	/**
	 * Like `runChain`, but does not wait for the end; gives the execution's ID.
	 *
	 * @param own connections of nodes that do not lead to the next one, by name of the node
	 */
	async startChain(
		nodes: readonly ChainNode[],
		credential = this.credential,
		own: object = {},
	): Promise<string> {
		const complete = nodes.map(({ type, ...node }): WorkflowNode => {
			const credentials = this.credentials({ credential });
			const ofPackage = { credentials, type: `${PACKAGE}.${type}` };
			return { typeVersion: 1, ...(type.includes('.') ? { type } : ofPackage), ...node };
		});
		const all = [n8nNode('Start', 'manualTrigger', 1), ...complete];
		const edges = complete.map(({ name }, index): Edge => [all[index]!.name, name]);
		const connections = { ...connectionsOf(edges), ...own };
		const made = { name: randomUUID(), nodes: all, connections };
		return await this.client.runManually(await this.client.createWorkflow(made), 'Start');
	}

	private credentials({ credential = this.credential }: Pick<RunOptions, 'credential'>) {
		return { [CREDENTIAL_TYPE]: { id: credential.id, name: credential.name } };
	}

	private nodeOf(options: BranchOptions, settings: object = {}): WorkflowNode {
		const { node = 'mediaGenImage', parameters } = options;
		return {
			name: 'MediaGen',
			type: `${PACKAGE}.${node}`,
			typeVersion: 1,
			parameters,
			credentials: this.credentials(options),
			...settings,
		};
	}

	private async call(made: Workflow, items: object[] = [{}]): Promise<SavedWorkflow> {
		const workflow = await this.client.createWorkflow(made);
		await this.client.activate(workflow);
		await this.client.callWebhook(workflow.name, { items });
		return workflow;
	}
}

/** A workflow that a webhook starts, which has its name, with `items`: they come from the node "Items". */
export function byWebhook(
	nodes: readonly WorkflowNode[],
	edges: readonly Edge[],
	settings: object = {},
): Workflow {
	const path = randomUUID();
	const webhook = { path, httpMethod: 'POST', responseMode: 'onReceived' };
	return {
		name: path,
		settings: { executionOrder: 'v1', ...settings },
		nodes: [
			n8nNode('Webhook', 'webhook', 2, webhook),
			n8nNode('Items', 'splitOut', 1, { fieldToSplitOut: 'body.items', options: {} }),
			...nodes,
		],
		connections: connectionsOf([['Webhook', 'Items'], ...edges]),
	};
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
