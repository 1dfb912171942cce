import { randomUUID } from 'node:crypto';

import { CONCURRENT_GENERATIONS } from '../../nodes/shared/spec/limits.ts';
import type { Sandbox } from '../../sandbox/server.mts';
import { N8nClient, type Execution, type Workflow, type WorkflowNode } from '../lib/n8nClient.mts';
import type { N8nInstall } from '../lib/n8nInstall.mts';
import { startN8n } from '../lib/n8nServer.mts';
import { startSandbox } from '../lib/sandbox.mts';
import { connectionsOf, mediaGenNode, n8nNode, type Edge } from '../lib/workflowNodes.mts';
import {
	CREDITS,
	idealOf,
	inSeconds,
	SHORT_IMAGE,
	TIMES,
	type Row,
	type Value,
} from './shared.mts';

const IMAGES = 20;

/** Between two looks of the loop, in s: with 2 s, it would need more requests than there are. */
const WAIT = 3;

type Credentials = Awaited<ReturnType<typeof saveCredentials>>;

/** A batch with our node, and the same jobs with a workflow of n8n's own nodes. */
export async function measureImages(n8n: N8nInstall, tarball: string): Promise<Row[]> {
	const sandbox = await startSandbox({ credits: CREDITS, jobMs: SHORT_IMAGE.takes });
	const client = new N8nClient((await startN8n({ n8n, tarball })).url);
	await client.setUpOwner();
	const ours = await measure(client, sandbox, (path, { mediaGenApi }) =>
		imageWorkflow(path, mediaGenApi),
	);
	sandbox.reset();
	const loop = await measure(client, sandbox, loopOf);
	const values = [
		{ ...ours, most: 1.15 },
		{ of: `loop of HTTP Request, Wait (${WAIT} s) and If, five at a time`, ...loop },
	];
	return [{ work: `${IMAGES} images of 3 to 9 s, in a real n8n`, values }];
}

/** @throws Error when the workflow fails */
async function measure(
	client: N8nClient,
	sandbox: Sandbox,
	workflowOf: (path: string, credentials: Credentials) => Workflow,
): Promise<Value> {
	const path = randomUUID();
	const credentials = await saveCredentials(client, sandbox);
	const workflow = await client.createWorkflow(workflowOf(path, credentials));
	await client.activate(workflow);
	const prompts = Array.from({ length: IMAGES }, (_, index) => ({ prompt: `item ${index}` }));
	// The webhook answers only at the end, so nothing has to poll n8n meanwhile.
	await client.callWebhook(path, { items: prompts });
	const execution = await client.waitForWorkflow(workflow);
	const { status, error } = execution;
	if (status !== 'success') throw new Error(`The workflow is ${status}: ${error?.message}`);
	const ms = tookMs(execution);
	return { took: inSeconds(ms), measured: ms / idealOf(sandbox.jobs), unit: TIMES };
}

/** By n8n's own records: from the start of the first node to the end of the last one, but for those that bring items. */
function tookMs({ runData }: Execution): number {
	const runs = Object.entries(runData)
		.filter(([name]) => name !== 'Webhook' && name !== 'Items')
		.flatMap(([, list]) => list as Array<{ startTime: number; executionTime: number }>);
	const start = Math.min(...runs.map(({ startTime }) => startTime));
	return Math.max(...runs.map((run) => run.startTime + run.executionTime)) - start;
}

export async function saveCredentials(client: N8nClient, { url, key }: Sandbox) {
	const name = randomUUID();
	const header = { name: 'Authorization', value: `Bearer ${key}` };
	return {
		baseUrl: url,
		mediaGenApi: await client.createCredential('mediaGenApi', name, { baseUrl: url, apiKey: key }),
		httpHeaderAuth: await client.createCredential('httpHeaderAuth', name, header),
	};
}

export function imageWorkflow(
	path: string,
	credential: Credentials['mediaGenApi'],
	options: object = {},
	responseMode?: string,
): Workflow {
	const parameters = { ...SHORT_IMAGE.parameters, prompt: '={{ $json.prompt }}', options };
	const node = mediaGenNode('Image', parameters, credential);
	return workflowOf(path, [node], [['Items', node.name]], responseMode);
}

/**
 * With n8n's own nodes, five at a time: create five jobs, look every few seconds until all have ended, then go on to the
 * next five. If each job went on separately, those that ended first would reach the loop's start and create the next
 * ones before there is room.
 */
function loopOf(path: string, { baseUrl, httpHeaderAuth }: Credentials): Workflow {
	const request = (name: string, url: string, more: object = {}) => ({
		...n8nNode(name, 'httpRequest', 4.2, {
			url,
			authentication: 'genericCredentialType',
			genericAuthType: 'httpHeaderAuth',
			options: {},
			...more,
		}),
		credentials: { httpHeaderAuth },
	});
	const haveAllEnded = {
		id: 'finished',
		leftValue: '={{ $input.all().every((item) => item.json.status === "completed") }}',
		rightValue: '',
		operator: { type: 'boolean', operation: 'true', singleValue: true },
	};
	const strictly = { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 };
	const nodes = [
		n8nNode('Loop', 'splitInBatches', 3, { batchSize: CONCURRENT_GENERATIONS, options: {} }),
		request('Create', `${baseUrl}/api/v1/generate/`, {
			method: 'POST',
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ { prompt: $json.prompt, size: "1:1" } }}',
		}),
		n8nNode('Wait', 'wait', 1.1, { resume: 'timeInterval', amount: WAIT, unit: 'seconds' }),
		// Its input is the answer to the creation, or to its own last look.
		request('Status', `=${baseUrl}/api/v1/generate/{{ $json.id ?? $json.data.generation_id }}/`),
		n8nNode('Finished?', 'if', 2.2, {
			conditions: { options: strictly, conditions: [haveAllEnded], combinator: 'and' },
			options: {},
		}),
	];
	return workflowOf(path, nodes, [
		['Items', 'Loop'],
		['Loop', 'Create', 1],
		['Create', 'Wait'],
		['Wait', 'Status'],
		['Status', 'Finished?'],
		['Finished?', 'Wait', 1],
		['Finished?', 'Loop', 0],
	]);
}

/** Webhook → Items → the given nodes. */
function workflowOf(
	path: string,
	nodes: WorkflowNode[],
	edges: Edge[],
	responseMode = 'lastNode',
): Workflow {
	const webhook = { path, httpMethod: 'POST', responseMode, responseData: 'noData' };
	return {
		name: path,
		settings: { executionOrder: 'v1' },
		nodes: [
			n8nNode('Webhook', 'webhook', 2, webhook),
			n8nNode('Items', 'splitOut', 1, { fieldToSplitOut: 'body.items', options: {} }),
			...nodes,
		],
		connections: connectionsOf([['Webhook', 'Items'], ...edges]),
	};
}
