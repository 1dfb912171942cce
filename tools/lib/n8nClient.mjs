import { randomUUID } from 'node:crypto';
import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import axios from 'axios';
import { parse } from 'flatted';

import { ToolError } from './errors.mjs';

/** Milliseconds between two looks at an execution. */
const POLL_INTERVAL = 150;

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

/**
 * @typedef {{ email: string, password: string }} Login
 *
 * @typedef {{ id: string, name: string, type: string }} Credential
 *
 * @typedef {{ id: string, name: string }} Tag
 *
 * @typedef {{ name: string, type: string, typeVersion: number, parameters?: object, id?: string,
 *   position?: [number, number], credentials?: Record<string, { id: string, name: string }>,
 *   webhookId?: string, [setting: string]: unknown }} WorkflowNode
 *
 * @typedef {{ name: string, nodes: WorkflowNode[], connections: object, settings?: object,
 *   id?: string, versionId?: string, [field: string]: unknown }} Workflow
 *
 * @typedef {Workflow & { id: string, versionId: string }} SavedWorkflow
 *
 * @typedef {{ json: any, binary?: any, pairedItem?: any, error?: any }} Item
 */

/**
 * What became of a run of a workflow.
 *
 * @typedef {object} Execution
 * @property {string} id
 * @property {string} workflowId
 * @property {string} status `success`, `error`, `crashed`, `canceled`, `running`, `waiting`, `new`.
 * @property {string} mode `manual`, `webhook`, `retry`, ...
 * @property {string} startedAt
 * @property {string} [stoppedAt]
 * @property {string} [waitTill]
 * @property {any} [error] What ended it: with `message`, `description` and the `node`.
 * @property {string} [lastNode] The node that ran last.
 * @property {Record<string, any[]>} runData By the name of the node, each of its runs.
 * @property {any} data All that n8n has stored of the execution.
 */

class Refusal extends ToolError {
	/**
	 * @param {string} message
	 * @param {number} status
	 */
	constructor(message, status) {
		super(message);
		this.status = status;
	}
}

/** @param {unknown} error */
function undefinedIfNotFound(error) {
	if (error instanceof Refusal && error.status === 404) return undefined;
	throw error;
}

/** A signed-in user of n8n, through the interface its editor uses. */
export class N8nClient {
	/**
	 * @param {string} url n8n's address.
	 * @param {string} [cookie] That of a client which is signed in already.
	 */
	constructor(url, cookie = '') {
		this.url = url;
		this.cookie = cookie;
		/**
		 * The ids of the workflows that it has saved.
		 *
		 * @type {Set<string>}
		 */
		this.saved = new Set();
	}

	/**
	 * Makes the owner of a fresh n8n, and signs in.
	 *
	 * @returns {Promise<Login>}
	 */
	async setUpOwner() {
		const login = { email: 'owner@example.com', password: `N8n-${randomUUID()}` };
		const owner = { ...login, firstName: 'Demo', lastName: 'Owner' };
		await this.request('POST', '/rest/owner/setup', owner);
		return login;
	}

	/** @param {Login} login */
	async logIn({ email, password }) {
		await this.request('POST', '/rest/login', { emailOrLdapLoginId: email, password });
	}

	/**
	 * @param {string} type
	 * @param {string} name
	 * @param {object} data
	 * @returns {Promise<Credential>}
	 */
	async createCredential(type, name, data) {
		return await this.request('POST', '/rest/credentials', { type, name, data });
	}

	/**
	 * Tests a stored credential, as the editor does when it is saved.
	 *
	 * @param {Credential} credential
	 * @returns {Promise<{ status: 'OK' | 'Error', message: string }>}
	 */
	async testCredential({ id, name, type }) {
		// n8n tests what it is sent; it knows the blanks it sends out for secrets when they come back.
		const { data } = await this.request('GET', `/rest/credentials/${id}?includeData=true`);
		const credentials = { id, name, type, data };
		return await this.request('POST', '/rest/credentials/test', { credentials });
	}

	/**
	 * Makes a tag.
	 *
	 * @param {string} name
	 * @returns {Promise<Tag>}
	 */
	async createTag(name) {
		return await this.request('POST', '/rest/tags', { name });
	}

	/**
	 * Saves a workflow. Nodes may leave out what the editor would fill in.
	 *
	 * @param {Workflow} workflow
	 * @param {Tag[]} [tags]
	 * @returns {Promise<SavedWorkflow>}
	 */
	async createWorkflow({ name, nodes, connections, settings = {} }, tags = []) {
		const complete = nodes.map((node, index) => completeNode(node, index));
		const saved = { name, nodes: complete, connections, settings, active: false };
		const body = { ...saved, ...(tags.length > 0 && { tags: tags.map(({ id }) => id) }) };
		const workflow = await this.request('POST', '/rest/workflows', body);
		this.saved.add(workflow.id);
		return workflow;
	}

	/**
	 * Saves a workflow file, with its credentials replaced by those of this n8n.
	 *
	 * @param {Workflow} workflow
	 * @param {Credential[]} credentials
	 * @param {Tag[]} [tags]
	 */
	async importWorkflow(workflow, credentials, tags) {
		const nodes = workflow.nodes.map((node) => withCredentials(node, credentials));
		return await this.createWorkflow({ ...workflow, nodes }, tags);
	}

	/**
	 * Activates a workflow, or publishes a change of an active one, and waits until its triggers are
	 * registered: n8n does that after it has answered.
	 *
	 * @param {SavedWorkflow} workflow
	 * @throws {ToolError} with what n8n says of each trigger, where it could not register them
	 */
	async activate(workflow) {
		const { id, versionId, name } = workflow;
		await this.request('POST', `/rest/workflows/${id}/activate`, { versionId });
		await this.#waitForTriggers(workflow, `the activation of "${name}"`, ({ status, triggers }) => {
			// On the way from one to the other, it may be `not_published` for a moment.
			if (status !== 'failed' && status !== 'partial') return status === 'published';
			throw new ToolError(`n8n could not activate "${name}": ${JSON.stringify(triggers)}`);
		});
	}

	/**
	 * Deactivates a workflow, and waits until n8n has let go of its triggers.
	 *
	 * @param {SavedWorkflow} workflow
	 */
	async deactivate(workflow) {
		const { id, name } = workflow;
		await this.request('POST', `/rest/workflows/${id}/deactivate`);
		await this.#waitForTriggers(
			workflow,
			`the deactivation of "${name}"`,
			({ status }) => status === 'not_published',
		);
	}

	/** @returns {Promise<SavedWorkflow[]>} */
	async activeWorkflows() {
		const filter = encodeURIComponent(JSON.stringify({ active: true }));
		return await this.request('GET', `/rest/workflows?filter=${filter}`);
	}

	/**
	 * @param {SavedWorkflow} workflow
	 * @param {string} what
	 * @param {(publication: { status: string, triggers: unknown }) => boolean} isSo
	 */
	async #waitForTriggers({ id }, what, isSo) {
		await poll(what, ACTIVATION_TIMEOUT, async () => {
			const path = `/rest/workflows/${id}/publication-status`;
			const publication = await this.request('GET', path).catch(undefinedIfNotFound);
			// Older versions have no such route, and answer the activation when all is done.
			return publication === undefined || isSo(publication) || undefined;
		});
	}

	/**
	 * Saves a change of a workflow; if it is active, n8n goes on with what is published.
	 *
	 * @param {SavedWorkflow} workflow
	 * @returns {Promise<SavedWorkflow>}
	 */
	async saveWorkflow({ id, versionId, name, nodes, connections, settings }) {
		const body = { versionId, name, nodes, connections, settings };
		return await this.request('PATCH', `/rest/workflows/${id}`, body);
	}

	/**
	 * A workflow that the editor saves, when it has done so.
	 *
	 * @param {string} id
	 * @param {(workflow: SavedWorkflow) => boolean} isSaved
	 * @returns {Promise<SavedWorkflow>}
	 */
	async waitForSaved(id, isSaved) {
		return await poll(`workflow ${id} to be saved`, SAVE_TIMEOUT, async () => {
			const workflow = await this.request('GET', `/rest/workflows/${id}`);
			return isSaved(workflow) ? workflow : undefined;
		});
	}

	/**
	 * Calls the webhook of an active workflow.
	 *
	 * @param {string} path
	 * @param {unknown} [body]
	 * @returns {Promise<{ status: number, data: any }>}
	 */
	async callWebhook(path, body = {}) {
		const { status, data } = await send(this.url, 'POST', `/webhook/${path}`, body, {
			timeout: WEBHOOK_TIMEOUT,
		});
		return { status, data };
	}

	/**
	 * Runs a workflow as the editor's button does.
	 *
	 * @param {SavedWorkflow} workflow
	 * @param {string} trigger The name of the node to start from.
	 * @param {object} [json] What it gives out, where that comes from a person, such as a chat message.
	 * @returns {Promise<string>} The execution's id.
	 */
	async runManually(workflow, trigger, json) {
		const data = json && { main: [[{ json }]] };
		const ran = { startTime: 0, executionTime: 0, executionIndex: 0, source: [], data };
		const body = {
			// Newer versions run what is saved.
			workflowData: workflow,
			triggerToStartFrom: { name: trigger, ...(data && { data: ran }) },
		};
		return (await this.request('POST', `/rest/workflows/${workflow.id}/run`, body)).executionId;
	}

	/**
	 * @param {string} id
	 * @returns {Promise<Execution>}
	 */
	async getExecution(id) {
		const stored = await this.request('GET', `/rest/executions/${id}`);
		// Nothing is stored while the first node runs.
		const data = (stored.data && parse(stored.data)) || {};
		const { runData = {}, error, lastNodeExecuted } = data.resultData ?? {};
		return { ...stored, data, runData, error, lastNode: lastNodeExecuted };
	}

	/**
	 * The executions of a workflow, or of all, the newest first, without their data.
	 *
	 * @param {string} [workflowId]
	 * @returns {Promise<Array<{ id: string, status: string, mode: string }>>}
	 */
	async listExecutions(workflowId) {
		const filter = encodeURIComponent(JSON.stringify({ workflowId }));
		return (await this.request('GET', `/rest/executions?filter=${filter}&limit=100`)).results;
	}

	/**
	 * Waits until an execution has ended, or is in one of the states asked for.
	 *
	 * @param {string} id
	 * @param {object} [options]
	 * @param {string[]} [options.until]
	 * @param {number} [options.timeout] Milliseconds.
	 * @param {() => void} [options.onPoll] Called every time it is looked at and not there yet.
	 */
	async waitForExecution(id, { until = FINISHED, timeout = EXECUTION_TIMEOUT, onPoll } = {}) {
		return await poll(`the end of execution ${id}`, timeout, async () => {
			const execution = await this.getExecution(id);
			if (until.includes(execution.status) && isStored(execution)) return execution;
			onPoll?.();
			return undefined;
		});
	}

	/**
	 * Waits until the newest execution of a workflow has ended: after a webhook, which does not tell
	 * the execution's id.
	 *
	 * @param {SavedWorkflow} workflow
	 * @param {object} [options]
	 * @param {string[]} [options.until]
	 * @param {number} [options.timeout] Milliseconds.
	 */
	async waitForWorkflow({ id, name }, { until = FINISHED, timeout = EXECUTION_TIMEOUT } = {}) {
		const newest = await poll(`the end of an execution of "${name}"`, timeout, async () => {
			// Executions that a node starts by itself are not the workflow's.
			const own = await this.listExecutions(id);
			const execution = own.find(({ mode }) => mode !== 'integrated');
			return execution && until.includes(execution.status) ? execution : undefined;
		});
		return await this.waitForExecution(newest.id, { until, timeout });
	}

	/**
	 * Retries a failed execution with the workflow as it was then.
	 *
	 * @param {string} id
	 * @returns {Promise<string>} The id of the new execution.
	 */
	async retryExecution(id) {
		const body = { loadWorkflow: false };
		return (await this.request('POST', `/rest/executions/${id}/retry`, body)).id;
	}

	/** @param {string[]} ids */
	async deleteExecutions(ids) {
		await this.request('POST', '/rest/executions/delete', { ids });
	}

	/** @param {string} id */
	async stopExecution(id) {
		await this.request('POST', `/rest/executions/${id}/stop`);
	}

	/**
	 * The content of a file that an item carries, as the editor's download button gets it.
	 *
	 * @param {{ id?: string, fileName?: string, mimeType?: string }} binary The file in the item, kept
	 *   apart from it (n8n's binary data modes other than `default`).
	 * @returns {Promise<import('node:stream').Readable>}
	 */
	async download({ id = '', fileName = '', mimeType = '' }) {
		const query = new URLSearchParams({ id, action: 'download', fileName, mimeType });
		const { status, data } = await send(this.url, 'GET', `/rest/binary-data?${query}`, undefined, {
			headers: { Cookie: this.cookie },
			responseType: 'stream',
		});
		if (status >= 400) throw new ToolError(`n8n answered ${status} to the download of ${id}`);
		return data;
	}

	/**
	 * The node types that n8n offers in its editor.
	 *
	 * @returns {Promise<Array<{ name: string, displayName: string, [field: string]: unknown }>>}
	 */
	async nodeTypes() {
		const headers = { Cookie: this.cookie };
		return (await send(this.url, 'GET', '/types/nodes.json', undefined, { headers })).data;
	}

	/**
	 * Any call of n8n's own interface. One that met another transaction is made again: n8n 1 has one
	 * connection to SQLite, on which the second of two transactions fails.
	 *
	 * @param {string} method
	 * @param {string} path
	 * @param {unknown} [body]
	 * @param {number} [triesLeft] How often it may be made again.
	 * @returns {Promise<any>} The `data` of the answer.
	 */
	async request(method, path, body, triesLeft = 20) {
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
		const cookies = headers['set-cookie']?.map((/** @type {string} */ line) => line.split(';')[0]);
		if (cookies) this.cookie = cookies.join('; ');
		return data?.data;
	}
}

/**
 * @param {string} baseURL
 * @param {string} method
 * @param {string} url
 * @param {unknown} data
 * @param {import('axios').AxiosRequestConfig} options
 * @throws {ToolError} Without an answer. Not Axios' own error, which Jest cannot report: it refers to itself.
 */
async function send(baseURL, method, url, data, options) {
	const validateStatus = () => true;
	const request = { baseURL, httpAgent: ONE_REQUEST_EACH, method, url, data, validateStatus };
	try {
		return await axios.request({ ...request, proxy: false, ...options });
	} catch (error) {
		const { message = String(error) } = /** @type {Partial<Error>} */ (error);
		throw new ToolError(`No answer to ${method} ${url}: ${message}`);
	}
}

/**
 * Whether n8n has stored what an execution has done. Older versions store before, in a step of its own, that
 * it has ended.
 *
 * @param {Execution} execution
 */
function isStored({ status, runData, error }) {
	const hasData = error !== undefined || Object.keys(runData).length > 0;
	return hasData || !['success', 'error'].includes(status);
}

/**
 * The items a node gave out, by output, in its last run.
 *
 * @param {Execution} execution
 * @param {string} nodeName
 * @returns {Item[][]}
 */
export function outputsOf(execution, nodeName) {
	const run = execution.runData[nodeName]?.at(-1);
	return (run?.data?.main ?? []).map((/** @type {Item[] | null} */ items) => items ?? []);
}

/**
 * @param {WorkflowNode} node
 * @param {number} index
 * @returns {WorkflowNode}
 */
function completeNode(node, index) {
	return {
		id: randomUUID(),
		position: [index * 220, 0],
		parameters: {},
		...(WITH_WEBHOOK.includes(node.type) && { webhookId: randomUUID() }),
		...node,
	};
}

/**
 * @param {WorkflowNode} node
 * @param {Credential[]} credentials
 * @returns {WorkflowNode}
 */
function withCredentials(node, credentials) {
	if (!node.credentials) return node;
	const own = credentials.filter(({ type }) => type in (node.credentials ?? {}));
	const entries = own.map(({ id, name, type }) => [type, { id, name }]);
	return { ...node, credentials: { ...node.credentials, ...Object.fromEntries(entries) } };
}

/**
 * @template T
 * @param {string} what
 * @param {number} timeout Milliseconds.
 * @param {() => Promise<T | undefined>} look
 * @returns {Promise<T>}
 */
async function poll(what, timeout, look) {
	const deadline = Date.now() + timeout;
	for (;;) {
		const found = await look();
		if (found !== undefined) return found;
		if (Date.now() > deadline) {
			throw new ToolError(`Waited ${timeout / 1000} s in vain for ${what}.`);
		}
		await sleep(POLL_INTERVAL);
	}
}
