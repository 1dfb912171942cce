import type { Readable } from 'node:stream';
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

import { CREDENTIAL, parametersOf, type Kind } from './product.mts';
import type { VirtualNetwork } from './virtualNetwork.mts';
import { savedCredential } from './serviceDetails.mts';

/** Values of the node's parameters; a function gives those of each item. */
export type Parameters = IDataObject | ((itemIndex: number) => IDataObject);

export interface ContextFacts {
	network: Pick<VirtualNetwork, 'send'>;
	credential: ICredentialDataDecryptedObject;
	items: INodeExecutionData[];
	/** Which node it is. */
	kind: Kind;
	/** As they are saved with the workflow, with the values that expressions give. */
	parameters: Parameters;
	/** Values that n8n hands over as they are, in place of saved ones: what only an expression can give. */
	evaluated?: Parameters;
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
	hints: { push(...hints: NodeExecutionHint[]): unknown };
	/** Receives the messages to n8n's log and to the browser. */
	messages: Pick<string[], 'push'>;
	/** Receives the lines that n8n logs only at its level `debug`. */
	debug?: (text: string) => void;
	/** Stops the execution. */
	signal?: AbortSignal;
	/** What an n8n that keeps executions provides as well. */
	engine?: Partial<IExecuteFunctions>;
}

/** The context that n8n gives a node, as far as nodes that send JSON use it. */
export function virtualContext(facts: ContextFacts): IExecuteFunctions {
	const { items, node, memory, signal } = facts;
	// A person may change it meanwhile.
	const credentialNow = () => savedCredential(facts.credential);
	const parameters = valuesOf(facts);
	const say = (text: string) => void facts.messages.push(text);
	const context = {
		getInputData: () => items,
		getNodeParameter: (name: string, itemIndex: number, fallback?: unknown) => {
			const values = parameters(itemIndex);
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
		getWorkflow: () => WORKFLOW,
		getExecutionDataById: async () => undefined,
		getParentNodes: () => [],
		continueOnFail: () => (node.onError ?? 'stopWorkflow') !== 'stopWorkflow',
		// The only expression that the node evaluates is $runIndex.
		evaluateExpression: () => facts.runIndex ?? 0,
		getExecutionCancelSignal: () => signal,
		getCredentials: async () => credentialNow(),
		addExecutionHints: (...hints: NodeExecutionHint[]) => facts.hints.push(...hints),
		logger: { debug: facts.debug ?? (() => {}), info: say, warn: say, error: say },
		sendMessageToUI: say,
		helpers: {
			httpRequestWithAuthentication: async (_type: string, request: IHttpRequestOptions) => {
				// In this order, as n8n does.
				request.abortSignal = signal;
				const authenticated = await (CREDENTIAL.authenticate as CallableFunction)(
					credentialNow(),
					request,
				);
				return await facts.network.send(authenticated as IHttpRequestOptions);
			},
			// Without the credential, as files are fetched.
			httpRequest: async (request: IHttpRequestOptions) => {
				const answer = await facts.network.send(request);
				// Nobody reads that of a redirect, and time stands still as long as a body is open.
				if (answer.statusCode >= 300 && answer.statusCode <= 399) answer.body.destroy();
				return answer;
			},
			prepareBinaryData: async (body: Readable, fileName: string, mimeType: string) => {
				const bytes = Buffer.concat(await body.toArray());
				return { data: bytes.toString('base64'), fileName, mimeType };
			},
		},
		...facts.engine,
	};
	return context as unknown as IExecuteFunctions;
}

/** The values for an item. */
export const valueOf = (parameters: Parameters | undefined, itemIndex: number): IDataObject =>
	typeof parameters === 'function' ? parameters(itemIndex) : (parameters ?? {});

/**
 * What is saved where a test does not say so: an image node starts with its file, and the sandbox would draw the pictures
 * of thousands of jobs, which no test looks at.
 */
const SAVED = { downloadMedia: false };

/** The values of an item, as n8n makes them of what is saved. */
function valuesOf({ kind, node, items, parameters, evaluated }: ContextFacts) {
	return (itemIndex: number): IDataObject => {
		const saved = parametersOf(kind, { ...SAVED, ...valueOf(parameters, itemIndex) }, node);
		const given = evaluate(saved, items[itemIndex]?.json ?? {});
		return { ...(given as IDataObject), ...valueOf(evaluated, itemIndex) };
	};
}

/** What a form begins with may be an expression on the item or the workflow, such as `={{ $json.jobId }}`. */
const EXPRESSION = /^=\{\{ (\$(?:json|workflow)\b[^{}]*) \}\}$/;

const WORKFLOW = { id: 'workflow', name: 'Workflow', active: true };

function evaluate(value: unknown, json: IDataObject): unknown {
	if (Array.isArray(value)) return value.map((entry) => evaluate(entry, json));
	if (typeof value === 'object' && value !== null) {
		const entries = Object.entries(value).map(([name, entry]) => [name, evaluate(entry, json)]);
		return Object.fromEntries(entries);
	}
	const [, code] = (typeof value === 'string' && EXPRESSION.exec(value)) || [];
	if (code === undefined) return value;
	return (new Function('$json', '$workflow', `return ${code}`) as CallableFunction)(json, WORKFLOW);
}
