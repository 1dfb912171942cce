import { CONCURRENT_GENERATIONS } from '../../nodes/shared/spec/limits.ts';
import type { Workflow, WorkflowNode } from '../lib/n8nClient.mts';
import { connectionsOf, mediaGenNode, n8nNode as node, type Edge } from '../lib/workflowNodes.mts';
import type { Credentials } from './realServer.mts';

/** One way to make images from a list of prompts in n8n. */
export interface Way {
	title: string;
	workflow(path: string, credentials: Credentials): Workflow;
}

const mediaGenImage = (title: string, options: object = {}, responseMode?: string): Way => ({
	title,
	workflow: (path, { mediaGenApi }) => {
		const image = { resource: 'image', operation: 'generate', size: '1:1' };
		const parameters = { ...image, prompt: '={{ $json.prompt }}', options };
		const node = { ...mediaGenNode('Image', parameters, mediaGenApi), name: 'MediaGen' };
		return workflowOf(path, [node], [['Items', 'MediaGen']], responseMode);
	},
});

/** Our node with its default options. */
export const OURS = mediaGenImage('MediaGen Image');

/** Parked in n8n's database for up to a day. A webhook that answers at the end would prevent that. */
export const OURS_DURABLE = mediaGenImage(
	'MediaGen Image, durable',
	{ waitMode: 'durable', timeout: 86_400 },
	'onReceived',
);

/** Between two looks of a loop, in s: with 2 s, it would need more requests than there are. */
const WAIT = 3;

/**
 * With n8n's own nodes, five at a time: create five jobs, look every few seconds until all have ended, then go on to
 * the next five. If each job went on separately, those that ended first would reach the loop's start and create the
 * next ones before there is room.
 */
export const BY_HAND: Way = {
	title: `loop, batches of five (Wait ${WAIT} s)`,
	workflow: (path, { baseUrl, httpHeaderAuth }) => {
		const request = (name: string, url: string, more: object = {}) => ({
			...node(name, 'httpRequest', 4.2, {
				url,
				authentication: 'genericCredentialType',
				genericAuthType: 'httpHeaderAuth',
				options: {},
				...more,
			}),
			credentials: { httpHeaderAuth },
		});
		const nodes = [
			node('Loop', 'splitInBatches', 3, { batchSize: CONCURRENT_GENERATIONS, options: {} }),
			request('Create', `${baseUrl}/api/v1/generate/`, {
				method: 'POST',
				sendBody: true,
				specifyBody: 'json',
				jsonBody: '={{ { prompt: $json.prompt, size: "1:1" } }}',
			}),
			node('Wait', 'wait', 1.1, { resume: 'timeInterval', amount: WAIT, unit: 'seconds' }),
			// Its input is the answer to the creation, or to its own last look.
			request('Status', `=${baseUrl}/api/v1/generate/{{ $json.id ?? $json.data.generation_id }}/`),
			node('Finished?', 'if', 2.2, {
				conditions: {
					options: { caseSensitive: true, leftValue: '', typeValidation: 'strict', version: 2 },
					conditions: [
						{
							id: 'finished',
							leftValue: '={{ $input.all().every((item) => item.json.status === "completed") }}',
							rightValue: '',
							operator: { type: 'boolean', operation: 'true', singleValue: true },
						},
					],
					combinator: 'and',
				},
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
	},
};

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
			node('Webhook', 'webhook', 2, webhook),
			node('Items', 'splitOut', 1, { fieldToSplitOut: 'body.items', options: {} }),
			...nodes,
		],
		connections: connectionsOf([['Webhook', 'Items'], ...edges]),
	};
}
