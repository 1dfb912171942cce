import type { Credential, Workflow, WorkflowNode } from '../lib/n8nClient.mts';

/** How a workflow reaches the sandbox. */
export interface Credentials {
	mediaGenApi: Credential;
	httpHeaderAuth: Credential;
	baseUrl: string;
	key: string;
}

/** One way to have the images of a list of prompts made in n8n. */
export interface Way {
	title: string;
	workflow(path: string, credentials: Credentials): Workflow;
}

/** From a node to the next one; from its first output when that is left out. */
type Edge = [from: string, to: string, output?: number];

/** The image node of this package, with options of its own. */
const mediaGenImage = (title: string, options: object = {}, responseMode?: string): Way => ({
	title,
	workflow: (path, { mediaGenApi }) =>
		workflowOf(
			path,
			[
				{
					name: 'MediaGen',
					type: 'n8n-nodes-mediagen.mediaGenImage',
					typeVersion: 1,
					parameters: {
						resource: 'image',
						operation: 'generate',
						prompt: '={{ $json.prompt }}',
						size: '1:1',
						options,
					},
					credentials: { mediaGenApi },
				},
			],
			[['Items', 'MediaGen']],
			responseMode,
		),
});

/** With its options as they are. */
export const OURS = mediaGenImage('MediaGen Image');

/** Parked in n8n's database, for up to a day. A webhook that answers at the end cannot be. */
export const OURS_DURABLE = mediaGenImage(
	'MediaGen Image, durable',
	{ waitMode: 'durable', timeout: 86_400 },
	'onReceived',
);

/**
 * So many at a time: create, then look every few seconds until all of them have ended, then the
 * next ones. Letting each go on by itself would send those that are done back into the loop, and
 * start the next ones before there is room.
 */
export const inBatches = (title: string, batchSize: number, waitSeconds: number): Way => ({
	title,
	workflow: (path, credentials) =>
		workflowOf(
			path,
			[
				{
					name: 'Loop',
					type: 'n8n-nodes-base.splitInBatches',
					typeVersion: 3,
					parameters: { batchSize, options: {} },
				},
				createNode(credentials),
				...pollingNodes(credentials, waitSeconds),
			],
			[
				['Items', 'Loop'],
				['Loop', 'Create', 1],
				['Create', 'Wait'],
				...POLLING,
				['Finished?', 'Loop', 0],
			],
		),
});

/** All of them created at once; those that the service takes are waited for. */
export const allAtOnce = (title: string, waitSeconds: number): Way => ({
	title,
	workflow: (path, credentials) =>
		workflowOf(
			path,
			[
				{ ...createNode(credentials), onError: 'continueRegularOutput' },
				ifNode('Accepted?', '={{ $json.data !== undefined }}'),
				...pollingNodes(credentials, waitSeconds),
			],
			[['Items', 'Create'], ['Create', 'Accepted?'], ['Accepted?', 'Wait'], ...POLLING],
		),
});

const POLLING: Edge[] = [
	['Wait', 'Status'],
	['Status', 'Finished?'],
	['Finished?', 'Wait', 1],
];

function pollingNodes(credentials: Credentials, waitSeconds: number): WorkflowNode[] {
	return [
		{
			name: 'Wait',
			type: 'n8n-nodes-base.wait',
			typeVersion: 1.1,
			parameters: { resume: 'timeInterval', amount: waitSeconds, unit: 'seconds' },
		},
		statusNode(credentials),
		ifNode('Finished?', '={{ $input.all().every((item) => item.json.status === "completed") }}'),
	];
}

function createNode({ baseUrl, httpHeaderAuth }: Credentials): WorkflowNode {
	return {
		name: 'Create',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			method: 'POST',
			url: `${baseUrl}/api/v1/generate/`,
			...HEADER_AUTH,
			sendBody: true,
			specifyBody: 'json',
			jsonBody: '={{ { prompt: $json.prompt, size: "1:1" } }}',
			options: {},
		},
		credentials: { httpHeaderAuth },
	};
}

/** After the creation or after itself. */
function statusNode({ baseUrl, httpHeaderAuth }: Credentials): WorkflowNode {
	return {
		name: 'Status',
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			url: `=${baseUrl}/api/v1/generate/{{ $json.id ?? $json.data.generation_id }}/`,
			...HEADER_AUTH,
			options: {},
		},
		credentials: { httpHeaderAuth },
	};
}

const HEADER_AUTH = {
	authentication: 'genericCredentialType',
	genericAuthType: 'httpHeaderAuth',
};

function ifNode(name: string, leftValue: string): WorkflowNode {
	return {
		name,
		type: 'n8n-nodes-base.if',
		typeVersion: 2.2,
		parameters: {
			conditions: {
				options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
				conditions: [
					{
						id: name,
						leftValue,
						rightValue: '',
						operator: { type: 'boolean', operation: 'true', singleValue: true },
					},
				],
				combinator: 'and',
			},
			options: {},
		},
	};
}

/**
 * Webhook → Items → the nodes given.
 *
 * @param responseMode when the webhook answers
 */
function workflowOf(
	path: string,
	nodes: WorkflowNode[],
	edges: Edge[],
	responseMode = 'lastNode',
): Workflow {
	return {
		name: path,
		settings: { executionOrder: 'v1' },
		nodes: [
			{
				name: 'Webhook',
				type: 'n8n-nodes-base.webhook',
				typeVersion: 2,
				parameters: {
					path,
					httpMethod: 'POST',
					responseMode,
					responseData: 'noData',
				},
			},
			{
				name: 'Items',
				type: 'n8n-nodes-base.splitOut',
				typeVersion: 1,
				parameters: { fieldToSplitOut: 'body.items', options: {} },
			},
			...nodes,
		],
		connections: connectionsOf([['Webhook', 'Items'], ...edges]),
	};
}

function connectionsOf(edges: readonly Edge[]): object {
	const connections: Record<string, { main: object[][] }> = {};
	for (const [from, to, output = 0] of edges) {
		const { main } = (connections[from] ??= { main: [] });
		while (main.length <= output) main.push([]);
		main[output]?.push({ node: to, type: 'main', index: 0 });
	}
	return connections;
}
