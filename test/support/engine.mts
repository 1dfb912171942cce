import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import type {
	IBinaryData,
	IBinaryKeyData,
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	INodeType,
	IRun,
} from 'n8n-workflow';

import type { MadeFile } from './audioFiles.mts';
import { CREDENTIAL, KINDS, nodeType, type Kind } from './product.mts';
import { savedCredential } from './serviceDetails.mts';

/**
 * n8n's own engine (n8n-core's WorkflowExecute with its real request helpers), without a server:
 * Items → MediaGen, run in this process.
 */

const N8N_CORE = dirname(require.resolve('n8n-core'));

/** Puts the given items into the workflow, each with the files. */
const itemsNode = ({ items = [{}], files = {} }: EngineOptions): INodeType => ({
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
	async execute() {
		const binary: IBinaryKeyData = {};
		for (const [name, file] of Object.entries(files)) {
			const content = Readable.from(file.chunks());
			binary[name] = await this.helpers.prepareBinaryData(content, `${name}.wav`);
		}
		return [items.map((json) => ({ json: json as IDataObject, binary }))];
	},
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
	/** Files of each item, by property. */
	files?: Record<string, MadeFile>;
	parameters: Record<string, unknown>;
	credential: ICredentialDataDecryptedObject;
	/** Which node; `image` when left out. */
	kind?: Kind;
	/** Settings of the node, such as `retryOnFail`, `onError`. */
	node?: Partial<INode>;
	/** Stops the execution when it fires, as the button in the editor does. */
	signal?: AbortSignal;
}

/** The credential for a service. */
export const credentialFor = ({ url, key }: { url: string; key: string }) => ({
	baseUrl: url,
	apiKey: key,
});

/** Runs a node over the items. */
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
	const execute = new WorkflowExecute(additionalData(options), 'trigger');
	const running = execute.run({ workflow, startNode: workflow.getNode('Items') });
	options.signal?.addEventListener('abort', () => running.cancel());
	const run: IRun = await running;
	const task = run.data.resultData.runData.MediaGen?.at(-1);
	return {
		run,
		outputs: (task?.data?.main ?? []).map((items) => items ?? []),
		error: (task?.error ?? run.data.resultData.error) as EngineRun['error'],
	};
}

function nodesOf({ parameters, kind = 'image', node }: EngineOptions): INode[] {
	const place = { typeVersion: 1, position: [0, 0] as [number, number] };
	return [
		{ id: '1', name: 'Items', type: 'test.items', parameters: {}, ...place },
		{
			id: '2',
			name: 'MediaGen',
			type: `n8n-nodes-mediagen.${nodeType(kind).description.name}`,
			parameters: parameters as INode['parameters'],
			credentials: { mediaGenApi: { id: '1', name: 'MediaGen' } },
			...place,
			...node,
		},
	];
}

const ownType = (name: string): INodeType | undefined =>
	KINDS.map(nodeType).find(({ description }) => name === `n8n-nodes-mediagen.${description.name}`);

function nodeTypes(options: EngineOptions) {
	const itemsType = itemsNode(options);
	const typeOf = (name: string) => (name === 'test.items' ? itemsType : ownType(name));
	return {
		getByName: typeOf,
		getByNameAndVersion: typeOf,
		getKnownTypes: () => ({}),
	};
}

function additionalData({ credential }: EngineOptions) {
	const { ExecutionLifecycleHooks } = require('n8n-core');
	return {
		executionId: '1',
		hooks: new ExecutionLifecycleHooks('trigger', '1', { id: 'test', nodes: [] }),
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
