import type {
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INodeExecutionData,
} from 'n8n-workflow';

import { CREDENTIAL } from './product.mts';
import { savedCredential } from './serviceDetails.mts';

const NODE = {
	id: '1',
	name: 'MediaGen',
	type: 'test.mediaGen',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
	credentials: { mediaGenApi: { id: '1', name: 'MediaGen' } },
};

/**
 * The context that n8n's engine gives a node, with its real helpers, for code that takes a
 * context and is not a node.
 *
 * @param signal stops the execution
 */
export function nodeContext(
	credential: ICredentialDataDecryptedObject,
	items: INodeExecutionData[] = [{ json: {} }],
	signal?: AbortSignal,
): IExecuteFunctions {
	const { ExecuteContext } = require('n8n-core');
	const { Workflow } = require('n8n-workflow');
	const description = { properties: [], credentials: [{ name: 'mediaGenApi', required: true }] };
	const nodeTypes = { getByNameAndVersion: () => ({ description }) };
	const workflow = new Workflow({
		id: 'test',
		nodes: [NODE],
		connections: {},
		active: false,
		nodeTypes,
	});
	const run = { resultData: { runData: {} }, executionData: { contextData: {} } };
	return new ExecuteContext(
		workflow,
		NODE,
		additionalData(credential),
		'trigger',
		run,
		0,
		items,
		{ main: [items] },
		{ node: NODE, data: { main: [items] }, source: null },
		[],
		signal,
	);
}

function additionalData(credential: ICredentialDataDecryptedObject) {
	return {
		executionId: '1',
		credentialsHelper: {
			getParentTypes: () => [],
			isCredentialUsableByNode: () => true,
			getDecrypted: async () => savedCredential(credential),
			preAuthentication: async () => undefined,
			authenticate: async (
				data: ICredentialDataDecryptedObject,
				_type: string,
				request: IHttpRequestOptions,
			) => await (CREDENTIAL.authenticate as CallableFunction)(data, request),
		},
		restApiUrl: 'http://localhost/',
	};
}
