import { dirname } from 'node:path';
import type {
	IBinaryData,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeType,
	IRun,
	IRunExecutionData,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { CREDENTIAL, KINDS, nodeType } from './product.mts';
import { savedCredential } from './serviceDetails.mts';

/**
 * n8n's own engine (n8n-core's WorkflowExecute with its real request helpers), without a server:
 * Items → MediaGen, run in this process.
 */

const N8N_CORE = dirname(require.resolve('n8n-core'));

/** Puts the given items into the workflow. */
const itemsNode = (items: INodeExecutionData[]): INodeType => ({
	description: {
		displayName: 'Items',
		name: 'items',
		group: ['input'],
		version: 1,
		description: 'The items of the test',
		defaults: {},
		inputs: [],
		outputs: ['main'],
		properties: [],
	},
	execute: async () => [items],
});

/** n8n's binary data, as far as the tests look at it. */
export interface BinaryStore {
	getAsBuffer(data: IBinaryData): Promise<Buffer>;
}

/**
 * Sets where n8n keeps the files of items from now on: in the folder (its mode `filesystem`), or in
 * the items themselves (its mode `default`).
 *
 * @param folder used in both modes
 */
export async function keepBinaryData(
	mode: 'filesystem' | 'default',
	folder: string,
): Promise<BinaryStore> {
	const { BinaryDataConfig, BinaryDataService } = require('n8n-core');
	const { Container } = require(require.resolve('@n8n/di', { paths: [N8N_CORE] }));
	Object.assign(Container.get(BinaryDataConfig), { mode, localStoragePath: folder });
	const service = Container.get(BinaryDataService);
	await service.init();
	return service;
}

export interface EngineRun {
	/** Items that the node of this package put out, by output. */
	outputs: INodeExecutionData[][];
	error?: Error & { description?: string; context?: { itemIndex?: number } };
	run: IRun;
}

export interface EngineOptions {
	items?: Array<Record<string, unknown>>;
	/** Files of each item. */
	binary?: INodeExecutionData['binary'];
	parameters: Record<string, unknown>;
	credential: ICredentialDataDecryptedObject;
	/** Settings of the node, such as `retryOnFail`, `onError`. */
	node?: Partial<INode>;
	mode?: WorkflowExecuteMode;
	executionId?: string;
	/** Goes on from an earlier run, as *Retry execution* does. */
	from?: IRunExecutionData;
	/** Stops the execution when it fires, as the button in the editor does. */
	signal?: AbortSignal;
}

/** Runs the image node, or the one whose `type` is in `node`, over the items. */
export async function runInEngine(options: EngineOptions): Promise<EngineRun> {
	const { WorkflowExecute } = require('n8n-core');
	const { Workflow } = require('n8n-workflow');
	const workflow = new Workflow({
		id: 'test',
		name: 'test',
		nodes: nodesOf(options),
		connections: { Items: { main: [[{ node: 'MediaGen', type: 'main', index: 0 }]] } },
		active: false,
		nodeTypes: nodeTypes(options),
		settings: { executionOrder: 'v1' },
	});
	const execute = new WorkflowExecute(
		additionalData(options),
		options.mode ?? 'trigger',
		...(options.from ? [options.from] : []),
	);
	const running = options.from
		? execute.processRunExecutionData(workflow)
		: execute.run({ workflow, startNode: workflow.getNode('Items') });
	options.signal?.addEventListener('abort', () => running.cancel());
	const run: IRun = await running;
	const task = run.data.resultData.runData.MediaGen?.at(-1);
	return {
		run,
		outputs: (task?.data?.main ?? []).map((items) => items ?? []),
		error: (task?.error ?? run.data.resultData.error) as EngineRun['error'],
	};
}

function nodesOf({ parameters, node }: EngineOptions): INode[] {
	const place = { typeVersion: 1, position: [0, 0] as [number, number] };
	return [
		{ id: '1', name: 'Items', type: 'test.items', parameters: {}, ...place },
		{
			id: '2',
			name: 'MediaGen',
			type: 'n8n-nodes-mediagen.mediaGenImage',
			parameters: parameters as INode['parameters'],
			credentials: { mediaGenApi: { id: '1', name: 'MediaGen' } },
			...place,
			...node,
		},
	];
}

const ownType = (name: string): INodeType | undefined =>
	KINDS.map(nodeType).find(({ description }) => name === `n8n-nodes-mediagen.${description.name}`);

function nodeTypes({ items = [{}], binary }: EngineOptions) {
	const itemsType = itemsNode(
		items.map((json) => ({ json, ...(binary && { binary }) }) as INodeExecutionData),
	);
	const typeOf = (name: string) => (name === 'test.items' ? itemsType : ownType(name));
	return {
		getByName: typeOf,
		getByNameAndVersion: typeOf,
		getKnownTypes: () => ({}),
	};
}

function additionalData({ credential, executionId = '1' }: EngineOptions) {
	const { ExecutionLifecycleHooks } = require('n8n-core');
	return {
		executionId,
		hooks: new ExecutionLifecycleHooks('trigger', executionId, { id: 'test', nodes: [] }),
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
		currentNodeParameters: undefined,
		restApiUrl: 'http://localhost/',
		instanceBaseUrl: 'http://localhost/',
		formWaitingBaseUrl: 'http://localhost/',
		webhookBaseUrl: 'http://localhost/',
		webhookWaitingBaseUrl: 'http://localhost/',
		webhookTestBaseUrl: 'http://localhost/',
		variables: {},
		setExecutionStatus: () => {},
		sendDataToUI: () => {},
		logAiEvent: () => {},
	};
}
