import type { Credential, Workflow } from '../../tools/lib/n8nClient.mts';
import { parameters } from './imageBatch.mts';

/** The node that makes images, and the one that recovers them. */
export const MAKE = 'MediaGen';
export const RECOVER = 'Recover';

/**
 * A workflow that makes images durably. For an item that names an execution, it recovers the jobs of
 * that execution.
 *
 * @param path its name, and that of the webhook that starts it with `items`
 */
export function recoverableWorkflow(path: string, credential: Credential): Workflow {
	const { id, name } = credential;
	const mediaGen = (node: string, own: object) => ({
		name: node,
		type: 'n8n-nodes-mediagen.mediaGenImage',
		typeVersion: 1,
		parameters: own,
		credentials: { mediaGenApi: { id, name } },
		onError: 'continueRegularOutput',
	});
	const to = (...names: string[]) => ({
		main: names.map((node) => [{ node, type: 'main', index: 0 }]),
	});
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
				name: 'Lost?',
				type: 'n8n-nodes-base.if',
				typeVersion: 1,
				parameters: {
					conditions: { boolean: [{ value1: '={{ !!$json.executionId }}', value2: true }] },
				},
			},
			mediaGen(RECOVER, {
				resource: 'job',
				operation: 'recover',
				executionId: '={{ $json.executionId }}',
				waitForCompletion: false,
			}),
			mediaGen(MAKE, { ...parameters, options: { waitMode: 'durable', timeout: 7200 } }),
		],
		connections: {
			Webhook: to('Items'),
			Items: to('Lost?'),
			'Lost?': to(RECOVER, MAKE),
		},
	};
}
