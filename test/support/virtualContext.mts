import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	INode,
	INodeExecutionData,
	NodeExecutionHint,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { MediaGenApi } from '../../credentials/MediaGenApi.credentials.ts';
import type { VirtualNetwork } from './virtualNetwork.mts';

/** Values of the node's parameters; a function gives those of each item. */
export type Parameters = IDataObject | ((itemIndex: number) => IDataObject);

export interface ContextFacts {
	network: Pick<VirtualNetwork, 'send'>;
	credential: ICredentialDataDecryptedObject;
	items: INodeExecutionData[];
	parameters: Parameters;
	node: INode;
	/** The node's own part of the execution data; kept by the caller, as n8n keeps it over tries. */
	memory: IDataObject;
	/** The part that all nodes of the execution share; the node's own when left out. */
	flow?: IDataObject;
	executionId: string;
	/** Index of this run of the node in its execution; 0, the first, when left out. */
	runIndex?: number;
	mode: WorkflowExecuteMode;
	/** Where hints go. */
	hints: NodeExecutionHint[];
	/** Receives the messages to n8n's log and to the browser. */
	messages: Pick<string[], 'push'>;
	/** Receives the lines that n8n logs only at its level `debug`. */
	debug?: (text: string) => void;
	/** Stops the execution. */
	signal?: AbortSignal;
	/** What an n8n that keeps executions provides as well. */
	engine?: Partial<IExecuteFunctions>;
}

const { authenticate } = new MediaGenApi();

/** The context that n8n gives a node, as far as nodes that send JSON use it. */
export function virtualContext(facts: ContextFacts): IExecuteFunctions {
	const { credential, items, node, memory, signal } = facts;
	const parameters = typeof facts.parameters === 'function' ? facts.parameters : undefined;
	const say = (text: string) => void facts.messages.push(text);
	const context = {
		getInputData: () => items,
		getNodeParameter: (name: string, itemIndex: number, fallback?: unknown) => {
			const values = parameters ? parameters(itemIndex) : (facts.parameters as IDataObject);
			// An expression may give nothing; the fallback is for what the form does not show.
			if (name in values) return values[name];
			const value = fallback;
			if (value === undefined) throw new Error(`Could not get parameter "${name}"`);
			return value;
		},
		getContext: (kind: string) => (kind === 'flow' && facts.flow) || memory,
		getExecutionId: () => facts.executionId,
		getMode: () => facts.mode,
		getNode: () => node,
		getWorkflow: () => ({ id: 'workflow', name: 'Workflow', active: true }),
		getExecutionDataById: async () => undefined,
		getParentNodes: () => [],
		continueOnFail: () => (node.onError ?? 'stopWorkflow') !== 'stopWorkflow',
		// The only expression that the node evaluates is $runIndex.
		evaluateExpression: () => facts.runIndex ?? 0,
		getExecutionCancelSignal: () => signal,
		getCredentials: async () => ({ ...credential }),
		addExecutionHints: (...hints: NodeExecutionHint[]) => facts.hints.push(...hints),
		logger: { debug: facts.debug ?? (() => {}), info: say, warn: say, error: say },
		sendMessageToUI: say,
		helpers: {
			httpRequestWithAuthentication: async (_type: string, request: IHttpRequestOptions) => {
				// In this order, as n8n does.
				request.abortSignal = signal;
				const authenticated = await (authenticate as CallableFunction)(credential, request);
				return await facts.network.send(authenticated as IHttpRequestOptions);
			},
		},
		...facts.engine,
	};
	return context as unknown as IExecuteFunctions;
}
