import type { AxiosRequestConfig } from 'axios';
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import axios from 'axios';
import { parse } from 'flatted';
import type { Readable } from 'node:stream';

import { ToolError } from './errors.mjs';

/**
 * Between two looks, in ms. While waiting for the end of an execution, the interval grows by the factor `RARER` up to
 * `RAREST`, since each look costs n8n several queries.
 */
const POLL_INTERVAL = 150;
const RAREST = 600;
const RARER = 1.3;

/**
 * Time limits in ms: for n8n's answer (to a retry, when its execution has ended), for what it does after that, and for a
 * webhook that answers when its workflow ends.
 */
const REQUEST_TIMEOUT = 120_000;
const WAIT_TIMEOUT = 120_000;
const WEBHOOK_TIMEOUT = 300_000;

/**
 * No connection is reused: in a time lapse, n8n closes idle connections so soon that a request may go out on one that
 * is being closed.
 */
export const ONE_REQUEST_EACH = new http.Agent({ keepAlive: false });

/** n8n's message when SQLite was busy with another transaction: nothing of the request has been stored. */
const MET_A_TRANSACTION = 'cannot start a transaction within a transaction';

const FINISHED = ['success', 'error', 'crashed', 'canceled'];

/** Node types to whose nodes n8n's editor gives a webhook address of their own, also when it imports them. */
const WITH_WEBHOOK = [
	'n8n-nodes-base.webhook',
	'n8n-nodes-base.wait',
	'n8n-nodes-base.form',
	'n8n-nodes-base.formTrigger',
	'n8n-nodes-base.telegramTrigger',
	'@n8n/n8n-nodes-langchain.chatTrigger',
];

export interface Login {
	email: string;
	password: string;
}

export interface Credential {
	id: string;
	name: string;
	type: string;
}

export interface WorkflowNode {
	name: string;
	type: string;
	typeVersion: number;
	parameters?: object;
	id?: string;
	position?: [number, number];
	credentials?: Record<string, { id: string; name: string }>;
	webhookId?: string;
	[setting: string]: unknown;
}

export interface Workflow {
	name: string;
	nodes: WorkflowNode[];
	connections: object;
	settings?: object;
	id?: string;
	versionId?: string;
	[field: string]: unknown;
}

export type SavedWorkflow = Workflow & { id: string; versionId: string };

export interface Item {
	json: any;
	binary?: any;
	pairedItem?: any;
	error?: any;
}

export interface Execution {
	id: string;
	workflowId: string;
	status: string;
	mode: string;
	startedAt: string;
	stoppedAt?: string;
	waitTill?: string;
	/** The error that ended it, with `message`, `description` and the `node`. */
	error?: any;
	lastNode?: string;
	/** All runs of each node, by its name. */
	runData: Record<string, any[]>;
	data: any;
}

interface Waiting {
	/** The statuses to wait for; any that ends an execution when left out. */
	until?: string[];
	/** In ms. */
	timeout?: number;
	/** Called after each look that did not find the status. */
	onPoll?: () => void;
}

type StoredFile = { id?: string; fileName?: string; mimeType?: string };

/** A signed-in user of n8n, who uses the same interface as its editor. */
export class N8nClient {
	/** The workflows that this client has created, as they were then, by ID. */
	readonly saved = new Map<string, SavedWorkflow>();

	constructor(
		private readonly url: string,
		public cookie = '',
	) {}

	async setUpOwner(): Promise<Login> {
		const login = { email: 'owner@example.com', password: `N8n-${randomUUID()}` };
		const owner = { ...login, firstName: 'Demo', lastName: 'Owner' };
		await this.request('POST', '/rest/owner/setup', owner);
		return login;
	}

	async logIn({ email, password }: Login) {
		await this.request('POST', '/rest/login', { emailOrLdapLoginId: email, password });
	}

	async createCredential(type: string, name: string, data: object): Promise<Credential> {
		return await this.request('POST', '/rest/credentials', { type, name, data });
	}

	/** Tests a stored credential, as the editor does when a person saves it. */
	async testCredential(one: Credential): Promise<{ status: 'OK' | 'Error'; message: string }> {
		// n8n tests the data in the request. It sends blanks in place of secrets, and recognizes them when they come back.
		const { data } = await this.request('GET', `/rest/credentials/${one.id}?includeData=true`);
		const credentials = { ...one, data };
		return await this.request('POST', '/rest/credentials/test', { credentials });
	}

	async createTag(name: string): Promise<{ id: string }> {
		return await this.request('POST', '/rest/tags', { name });
	}

	/** Saves a workflow. Nodes may leave out what the editor would fill in. */
	async createWorkflow(
		{ name, nodes, connections, settings = {} }: Workflow,
		tags: Array<{ id: string }> = [],
	): Promise<SavedWorkflow> {
		const complete = nodes.map(completeNode);
		const workflow = await this.request('POST', '/rest/workflows', {
			...{ name, nodes: complete, connections, settings, active: false },
			...(tags.length > 0 && { tags: tags.map(({ id }) => id) }),
		});
		this.saved.set(workflow.id, { ...workflow, nodes: complete });
		return workflow;
	}

	/** Saves a workflow from a file, with its credentials replaced by those of this n8n. */
	async importWorkflow(
		workflow: Workflow,
		credentials: Credential[],
		tags?: Array<{ id: string }>,
	) {
		const nodes = workflow.nodes.map((node) => withCredentials(node, credentials));
		return await this.createWorkflow({ ...workflow, nodes }, tags);
	}

	/**
	 * Activates a workflow, or publishes a change of an active one, and waits until its triggers are registered, which
	 * n8n does after it has answered.
	 *
	 * @throws ToolError with what n8n says of each trigger, if it could not register them all
	 */
	async activate(workflow: SavedWorkflow) {
		const { id, versionId, name } = workflow;
		await this.request('POST', `/rest/workflows/${id}/activate`, { versionId });
		await this.#untilPublished(workflow, ({ status, triggers }) => {
			// While it switches, the status may be `not_published` for a moment.
			if (status !== 'failed' && status !== 'partial') return status === 'published';
			throw new ToolError(`n8n could not activate "${name}": ${JSON.stringify(triggers)}`);
		});
	}

	/** Deactivates a workflow, and waits until n8n has removed its triggers. */
	async deactivate(workflow: SavedWorkflow) {
		await this.request('POST', `/rest/workflows/${workflow.id}/deactivate`);
		await this.#untilPublished(workflow, ({ status }) => status === 'not_published');
	}

	async activeWorkflows(): Promise<SavedWorkflow[]> {
		const filter = encodeURIComponent(JSON.stringify({ active: true }));
		return await this.request('GET', `/rest/workflows?filter=${filter}`);
	}

	async #untilPublished({ id, name }: SavedWorkflow, isSo: (publication: any) => boolean) {
		await poll(`the triggers of "${name}"`, WAIT_TIMEOUT, async () => {
			const path = `/rest/workflows/${id}/publication-status`;
			const publication = await this.request('GET', path).catch((error) => {
				// Older versions lack this route: they answer the activation only when it is complete.
				if (error.status !== 404) throw error;
			});
			return publication === undefined || isSo(publication) || undefined;
		});
	}

	/** Saves a change of a workflow. If the workflow is active, n8n keeps running the published version. */
	async saveWorkflow(workflow: SavedWorkflow): Promise<SavedWorkflow> {
		const { id, versionId, name, nodes, connections, settings } = workflow;
		const body = { versionId, name, nodes, connections, settings };
		return await this.request('PATCH', `/rest/workflows/${id}`, body);
	}

	/** Waits until the editor has saved nodes in a workflow, and returns the workflow. */
	async waitForSaved(id: string): Promise<SavedWorkflow> {
		return await poll(`workflow ${id} to be saved`, WAIT_TIMEOUT, async () => {
			const workflow = await this.request('GET', `/rest/workflows/${id}`);
			return workflow.nodes.length > 0 ? workflow : undefined;
		});
	}

	async callWebhook(path: string, body: unknown = {}): Promise<{ status: number; data: any }> {
		const options = { timeout: WEBHOOK_TIMEOUT, headers: {} };
		const { status, data } = await this.#send('POST', `/webhook/${path}`, body, options);
		return { status, data };
	}

	/**
	 * Runs a workflow as the editor's button does.
	 *
	 * @param json What the trigger outputs, if a person provides that, as with a chat message.
	 * @returns The ID of the execution.
	 */
	async runManually(workflow: SavedWorkflow, trigger: string, json?: object): Promise<string> {
		const data = json && { main: [[{ json }]] };
		const ran = { startTime: 0, executionTime: 0, executionIndex: 0, source: [], data };
		const body = {
			// Only older versions need it; newer ones run the saved workflow.
			workflowData: workflow,
			triggerToStartFrom: { name: trigger, ...(data && { data: ran }) },
		};
		return (await this.request('POST', `/rest/workflows/${workflow.id}/run`, body)).executionId;
	}

	async getExecution(id: string): Promise<Execution> {
		const stored = await this.request('GET', `/rest/executions/${id}`);
		// While the first node runs, nothing is stored yet.
		const data = (stored.data && parse(stored.data)) || {};
		const { runData = {}, error, lastNodeExecuted } = data.resultData ?? {};
		return { ...stored, data, runData, error, lastNode: lastNodeExecuted };
	}

	/** The executions of a workflow, or of all workflows, newest first, without their data. */
	async listExecutions(
		workflowId?: string,
	): Promise<Array<{ id: string; status: string; mode: string }>> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		return (await this.request('GET', `/rest/executions?filter=${filter}&limit=100`)).results;
	}

	/** Waits until an execution has ended, or has one of the given statuses. */
	async waitForExecution(id: string, { until, timeout, onPoll }: Waiting = {}) {
		const look = async () => {
			const execution = await this.getExecution(id);
			if ((until ?? FINISHED).includes(execution.status) && isStored(execution)) return execution;
			onPoll?.();
			return undefined;
		};
		return await poll(`the end of execution ${id}`, timeout, look, rarestUntil(until));
	}

	/** The same for the newest execution of a workflow, since a webhook does not return its ID. */
	async waitForWorkflow({ id, name }: SavedWorkflow, { until, timeout }: Waiting = {}) {
		const look = async () => {
			// Without executions that one of its nodes has started.
			const own = await this.listExecutions(id);
			const execution = own.find(({ mode }) => mode !== 'integrated');
			return execution && (until ?? FINISHED).includes(execution.status) ? execution : undefined;
		};
		const what = `the end of an execution of "${name}"`;
		const newest = await poll(what, timeout, look, rarestUntil(until));
		return await this.waitForExecution(newest.id, { until, timeout });
	}

	/** Retries a failed execution with the workflow as it was then; returns the ID of the new one. */
	async retryExecution(id: string): Promise<string> {
		const body = { loadWorkflow: false };
		return (await this.request('POST', `/rest/executions/${id}/retry`, body)).id;
	}

	async stopExecution(id: string) {
		await this.request('POST', `/rest/executions/${id}/stop`);
	}

	/** The content of a file that n8n stores apart from its item, fetched as the editor's download button does. */
	async download({ id = '', fileName = '', mimeType = '' }: StoredFile): Promise<Readable> {
		const query = new URLSearchParams({ id, action: 'download', fileName, mimeType });
		const path = `/rest/binary-data?${query}`;
		const { status, data } = await this.#send('GET', path, undefined, { responseType: 'stream' });
		if (status >= 400) throw new ToolError(`n8n answered ${status} to the download of ${id}`);
		return data;
	}

	async nodeTypes(): Promise<
		Array<{ name: string; displayName: string; [field: string]: unknown }>
	> {
		return (await this.#send('GET', '/types/nodes.json')).data;
	}

	/**
	 * Sends any request to n8n's internal interface, and repeats it after a clash of transactions: n8n 1 has one
	 * connection to SQLite, on which the second of two transactions fails.
	 */
	async request(method: string, path: string, body?: unknown, triesLeft = 20): Promise<any> {
		const { status, data, headers } = await this.#send(method, path, body);
		if (status >= 400) {
			const reason = data?.message ?? JSON.stringify(data);
			if (triesLeft && reason.includes(MET_A_TRANSACTION)) {
				await sleep(POLL_INTERVAL);
				return await this.request(method, path, body, triesLeft - 1);
			}
			const message = `n8n answered ${status} to ${method} ${path}: ${reason}`;
			throw Object.assign(new ToolError(message), { status });
		}
		const cookies = headers['set-cookie']?.map((line: string) => line.split(';')[0]);
		if (cookies) this.cookie = cookies.join('; ');
		return data?.data;
	}

	/** @throws ToolError without an answer; Jest cannot report Axios' own error, which refers to itself */
	async #send(method: string, path: string, data?: unknown, options?: AxiosRequestConfig) {
		const ours = {
			baseURL: this.url,
			httpAgent: ONE_REQUEST_EACH,
			proxy: false,
			validateStatus: () => true,
			timeout: REQUEST_TIMEOUT,
			headers: this.cookie ? { Cookie: this.cookie } : {},
		} as const;
		try {
			return await axios.request({ ...ours, method, url: path, data, ...options });
		} catch (error) {
			throw new ToolError(`No answer to ${method} ${path}: ${(error as Error).message}`);
		}
	}
}

/**
 * Whether n8n has stored what an execution has done. Older versions first store that it has ended, and then its data.
 */
function isStored({ status, runData, error }: Execution) {
	const hasData = error !== undefined || Object.keys(runData).length > 0;
	return hasData || !['success', 'error'].includes(status);
}

/** The items that a node output in its last run, by output. */
export function outputsOf(execution: Execution, nodeName: string): Item[][] {
	const run = execution.runData[nodeName]?.at(-1);
	return (run?.data?.main ?? []).map((items: Item[] | null) => items ?? []);
}

function completeNode(node: WorkflowNode, index: number): WorkflowNode {
	return {
		id: randomUUID(),
		position: [index * 220, 0],
		parameters: {},
		...(WITH_WEBHOOK.includes(node.type) && { webhookId: randomUUID() }),
		...node,
	};
}

function withCredentials(node: WorkflowNode, credentials: Credential[]): WorkflowNode {
	if (!node.credentials) return node;
	const own = credentials.filter(({ type }) => type in (node.credentials ?? {}));
	const entries = own.map(({ id, name, type }) => [type, { id, name }]);
	return { ...node, credentials: { ...node.credentials, ...Object.fromEntries(entries) } };
}

/** Looks stay frequent for a passing status, which may soon be over; an end stays. */
const rarestUntil = (until?: string[]) => (until ? POLL_INTERVAL : RAREST);

async function poll<T>(
	what: string,
	timeout = WAIT_TIMEOUT,
	look: () => Promise<T | undefined>,
	rarest = POLL_INTERVAL,
): Promise<T> {
	const deadline = Date.now() + timeout;
	for (let interval = POLL_INTERVAL; ; interval = Math.min(interval * RARER, rarest)) {
		const found = await look();
		if (found !== undefined) return found;
		if (Date.now() > deadline) {
			throw new ToolError(`Waited ${timeout / 1000} s in vain for ${what}.`);
		}
		await sleep(interval);
	}
}
