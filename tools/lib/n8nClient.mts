import type { AxiosRequestConfig } from 'axios';
import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import axios from 'axios';
import { parse } from 'flatted';
import type { Readable } from 'node:stream';

import { ToolError } from './errors.mjs';

/** Milliseconds between two looks. */
const POLL_INTERVAL = 150;

/**
 * For the end of an execution, it is looked less and less often, up to this many milliseconds: each look costs n8n
 * several queries, and many runs at once would keep it busy with those.
 */
const RAREST = 600;
const RARER = 1.3;

/** Milliseconds an execution is waited for when the caller does not say. */
const EXECUTION_TIMEOUT = 60_000;

/** Milliseconds n8n is given to answer; a webhook may answer when its workflow has ended. */
const REQUEST_TIMEOUT = 30_000;
const WEBHOOK_TIMEOUT = 300_000;

/** Milliseconds until the editor has saved a workflow. */
const SAVE_TIMEOUT = 20_000;

/** Milliseconds n8n is given to register the triggers of a workflow. */
const ACTIVATION_TIMEOUT = 60_000;

/**
 * No connection is used twice: in a time lapse n8n closes idle ones so soon that a request may go out on
 * one that is just being closed.
 */
const ONE_REQUEST_EACH = new http.Agent({ keepAlive: false });

/** What n8n says where SQLite was busy with another transaction; nothing of the request is stored. */
const MET_A_TRANSACTION = 'cannot start a transaction within a transaction';

/** States of an execution that has come to its end. */
const FINISHED = ['success', 'error', 'crashed', 'canceled'];

/** Node types that n8n's editor gives an address of their own, also when it imports them. */
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

interface Tag {
	id: string;
	name: string;
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

/** What became of a run of a workflow. */
export interface Execution {
	id: string;
	workflowId: string;
	/** `success`, `error`, `crashed`, `canceled`, `running`, `waiting`, `new`. */
	status: string;
	/** `manual`, `webhook`, `retry`, ... */
	mode: string;
	startedAt: string;
	stoppedAt?: string;
	waitTill?: string;
	/** What ended it: with `message`, `description` and the `node`. */
	error?: any;
	/** The node that ran last. */
	lastNode?: string;
	/** By the name of the node, each of its runs. */
	runData: Record<string, any[]>;
	/** All that n8n has stored of the execution. */
	data: any;
}

class Refusal extends ToolError {
	constructor(
		message: string,
		readonly status: number,
	) {
		super(message);
	}
}

function undefinedIfNotFound(error: unknown) {
	if (error instanceof Refusal && error.status === 404) return undefined;
	throw error;
}

/** A signed-in user of n8n, through the interface its editor uses. */
export class N8nClient {
	/** The ids of the workflows that it has saved. */
	readonly saved = new Set<string>();

	/** @param cookie That of a client which is signed in already. */
	constructor(
		private readonly url: string,
		public cookie = '',
	) {}

	/** Makes the owner of a fresh n8n, and signs in. */
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

	/** Tests a stored credential, as the editor does when it is saved. */
	async testCredential({
		id,
		name,
		type,
	}: Credential): Promise<{ status: 'OK' | 'Error'; message: string }> {
		// n8n tests what it is sent; it knows the blanks it sends out for secrets when they come back.
		const { data } = await this.request('GET', `/rest/credentials/${id}?includeData=true`);
		const credentials = { id, name, type, data };
		return await this.request('POST', '/rest/credentials/test', { credentials });
	}

	/** Makes a tag. */
	async createTag(name: string): Promise<Tag> {
		return await this.request('POST', '/rest/tags', { name });
	}

	/** Saves a workflow. Nodes may leave out what the editor would fill in. */
	async createWorkflow(
		{ name, nodes, connections, settings = {} }: Workflow,
		tags: Tag[] = [],
	): Promise<SavedWorkflow> {
		const complete = nodes.map((node, index) => completeNode(node, index));
		const saved = { name, nodes: complete, connections, settings, active: false };
		const body = { ...saved, ...(tags.length > 0 && { tags: tags.map(({ id }) => id) }) };
		const workflow = await this.request('POST', '/rest/workflows', body);
		this.saved.add(workflow.id);
		return workflow;
	}

	/** Saves a workflow file, with its credentials replaced by those of this n8n. */
	async importWorkflow(workflow: Workflow, credentials: Credential[], tags?: Tag[]) {
		const nodes = workflow.nodes.map((node) => withCredentials(node, credentials));
		return await this.createWorkflow({ ...workflow, nodes }, tags);
	}

	/**
	 * Activates a workflow, or publishes a change of an active one, and waits until its triggers are
	 * registered: n8n does that after it has answered.
	 *
	 * @throws ToolError with what n8n says of each trigger, where it could not register them
	 */
	async activate(workflow: SavedWorkflow) {
		const { id, versionId, name } = workflow;
		await this.request('POST', `/rest/workflows/${id}/activate`, { versionId });
		await this.#waitForTriggers(workflow, `the activation of "${name}"`, ({ status, triggers }) => {
			// On the way from one to the other, it may be `not_published` for a moment.
			if (status !== 'failed' && status !== 'partial') return status === 'published';
			throw new ToolError(`n8n could not activate "${name}": ${JSON.stringify(triggers)}`);
		});
	}

	/** Deactivates a workflow, and waits until n8n has let go of its triggers. */
	async deactivate(workflow: SavedWorkflow) {
		const { id, name } = workflow;
		await this.request('POST', `/rest/workflows/${id}/deactivate`);
		await this.#waitForTriggers(
			workflow,
			`the deactivation of "${name}"`,
			({ status }) => status === 'not_published',
		);
	}

	async activeWorkflows(): Promise<SavedWorkflow[]> {
		const filter = encodeURIComponent(JSON.stringify({ active: true }));
		return await this.request('GET', `/rest/workflows?filter=${filter}`);
	}

	async #waitForTriggers(
		{ id }: SavedWorkflow,
		what: string,
		isSo: (publication: { status: string; triggers: unknown }) => boolean,
	) {
		await poll(what, ACTIVATION_TIMEOUT, async () => {
			const path = `/rest/workflows/${id}/publication-status`;
			const publication = await this.request('GET', path).catch(undefinedIfNotFound);
			// Older versions have no such route, and answer the activation when all is done.
			return publication === undefined || isSo(publication) || undefined;
		});
	}

	/** Saves a change of a workflow; if it is active, n8n goes on with what is published. */
	async saveWorkflow({
		id,
		versionId,
		name,
		nodes,
		connections,
		settings,
	}: SavedWorkflow): Promise<SavedWorkflow> {
		const body = { versionId, name, nodes, connections, settings };
		return await this.request('PATCH', `/rest/workflows/${id}`, body);
	}

	/** A workflow that the editor saves, when it has done so. */
	async waitForSaved(
		id: string,
		isSaved: (workflow: SavedWorkflow) => boolean,
	): Promise<SavedWorkflow> {
		return await poll(`workflow ${id} to be saved`, SAVE_TIMEOUT, async () => {
			const workflow = await this.request('GET', `/rest/workflows/${id}`);
			return isSaved(workflow) ? workflow : undefined;
		});
	}

	/** Calls the webhook of an active workflow. */
	async callWebhook(path: string, body: unknown = {}): Promise<{ status: number; data: any }> {
		const { status, data } = await send(this.url, 'POST', `/webhook/${path}`, body, {
			timeout: WEBHOOK_TIMEOUT,
		});
		return { status, data };
	}

	/**
	 * Runs a workflow as the editor's button does.
	 *
	 * @param trigger The name of the node to start from.
	 * @param json What it gives out, where that comes from a person, such as a chat message.
	 * @returns The execution's id.
	 */
	async runManually(workflow: SavedWorkflow, trigger: string, json?: object): Promise<string> {
		const data = json && { main: [[{ json }]] };
		const ran = { startTime: 0, executionTime: 0, executionIndex: 0, source: [], data };
		const body = {
			// Newer versions run what is saved.
			workflowData: workflow,
			triggerToStartFrom: { name: trigger, ...(data && { data: ran }) },
		};
		return (await this.request('POST', `/rest/workflows/${workflow.id}/run`, body)).executionId;
	}

	async getExecution(id: string): Promise<Execution> {
		const stored = await this.request('GET', `/rest/executions/${id}`);
		// Nothing is stored while the first node runs.
		const data = (stored.data && parse(stored.data)) || {};
		const { runData = {}, error, lastNodeExecuted } = data.resultData ?? {};
		return { ...stored, data, runData, error, lastNode: lastNodeExecuted };
	}

	/** The executions of a workflow, or of all, the newest first, without their data. */
	async listExecutions(
		workflowId?: string,
	): Promise<Array<{ id: string; status: string; mode: string }>> {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		return (await this.request('GET', `/rest/executions?filter=${filter}&limit=100`)).results;
	}

	/** Waits until an execution has ended, or is in one of the states asked for. */
	async waitForExecution(
		id: string,
		{
			until = FINISHED,
			timeout = EXECUTION_TIMEOUT,
			onPoll,
		}: {
			until?: string[];
			/** Milliseconds. */
			timeout?: number;
			/** Called every time it is looked at and not there yet. */
			onPoll?: () => void;
		} = {},
	) {
		const look = async () => {
			const execution = await this.getExecution(id);
			if (until.includes(execution.status) && isStored(execution)) return execution;
			onPoll?.();
			return undefined;
		};
		return await poll(`the end of execution ${id}`, timeout, look, rarestUntil(until));
	}

	/**
	 * Waits until the newest execution of a workflow has ended: after a webhook, which does not tell
	 * the execution's id.
	 */
	async waitForWorkflow(
		{ id, name }: SavedWorkflow,
		{
			until = FINISHED,
			timeout = EXECUTION_TIMEOUT,
		}: {
			until?: string[];
			/** Milliseconds. */
			timeout?: number;
		} = {},
	) {
		const look = async () => {
			// Executions that a node starts by itself are not the workflow's.
			const own = await this.listExecutions(id);
			const execution = own.find(({ mode }) => mode !== 'integrated');
			return execution && until.includes(execution.status) ? execution : undefined;
		};
		const what = `the end of an execution of "${name}"`;
		const newest = await poll(what, timeout, look, rarestUntil(until));
		return await this.waitForExecution(newest.id, { until, timeout });
	}

	/**
	 * Retries a failed execution with the workflow as it was then.
	 *
	 * @returns The id of the new execution.
	 */
	async retryExecution(id: string): Promise<string> {
		const body = { loadWorkflow: false };
		return (await this.request('POST', `/rest/executions/${id}/retry`, body)).id;
	}

	async deleteExecutions(ids: string[]) {
		await this.request('POST', '/rest/executions/delete', { ids });
	}

	async stopExecution(id: string) {
		await this.request('POST', `/rest/executions/${id}/stop`);
	}

	/**
	 * The content of a file that an item carries, as the editor's download button gets it.
	 *
	 * @param binary The file in the item, kept apart from it (n8n's binary data modes other than `default`).
	 */
	async download({
		id = '',
		fileName = '',
		mimeType = '',
	}: {
		id?: string;
		fileName?: string;
		mimeType?: string;
	}): Promise<Readable> {
		const query = new URLSearchParams({ id, action: 'download', fileName, mimeType });
		const { status, data } = await send(this.url, 'GET', `/rest/binary-data?${query}`, undefined, {
			headers: { Cookie: this.cookie },
			responseType: 'stream',
		});
		if (status >= 400) throw new ToolError(`n8n answered ${status} to the download of ${id}`);
		return data;
	}

	/** The node types that n8n offers in its editor. */
	async nodeTypes(): Promise<
		Array<{ name: string; displayName: string; [field: string]: unknown }>
	> {
		const headers = { Cookie: this.cookie };
		return (await send(this.url, 'GET', '/types/nodes.json', undefined, { headers })).data;
	}

	/**
	 * Any call of n8n's own interface. One that met another transaction is made again: n8n 1 has one
	 * connection to SQLite, on which the second of two transactions fails.
	 *
	 * @param triesLeft How often it may be made again.
	 * @returns The `data` of the answer.
	 */
	async request(method: string, path: string, body?: unknown, triesLeft = 20): Promise<any> {
		const options = {
			headers: this.cookie ? { Cookie: this.cookie } : {},
			timeout: REQUEST_TIMEOUT,
		};
		const { status, data, headers } = await send(this.url, method, path, body, options);
		if (status >= 400) {
			const reason = data?.message ?? JSON.stringify(data);
			if (triesLeft && reason.includes(MET_A_TRANSACTION)) {
				await sleep(POLL_INTERVAL);
				return await this.request(method, path, body, triesLeft - 1);
			}
			throw new Refusal(`n8n answered ${status} to ${method} ${path}: ${reason}`, status);
		}
		const cookies = headers['set-cookie']?.map((line: string) => line.split(';')[0]);
		if (cookies) this.cookie = cookies.join('; ');
		return data?.data;
	}
}

/** @throws ToolError Without an answer. Not Axios' own error, which Jest cannot report: it refers to itself. */
async function send(
	baseURL: string,
	method: string,
	url: string,
	data: unknown,
	options: AxiosRequestConfig,
) {
	const validateStatus = () => true;
	const request = { baseURL, httpAgent: ONE_REQUEST_EACH, method, url, data, validateStatus };
	try {
		return await axios.request({ ...request, proxy: false, ...options });
	} catch (error) {
		const { message = String(error) } = error as Partial<Error>;
		throw new ToolError(`No answer to ${method} ${url}: ${message}`);
	}
}

/**
 * Whether n8n has stored what an execution has done. Older versions store before, in a step of its own, that
 * it has ended.
 */
function isStored({ status, runData, error }: Execution) {
	const hasData = error !== undefined || Object.keys(runData).length > 0;
	return hasData || !['success', 'error'].includes(status);
}

/** The items a node gave out, by output, in its last run. */
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

/** A state on the way may be over soon; an end stays. */
const rarestUntil = (until: string[]) => (until === FINISHED ? RAREST : POLL_INTERVAL);

/**
 * @param timeout Milliseconds.
 * @param rarest The longest milliseconds between two looks.
 */
async function poll<T>(
	what: string,
	timeout: number,
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
