import { setMaxListeners } from 'node:events';
import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INode,
	INodeExecutionData,
	NodeApiError,
	NodeExecutionHint,
	NodeOperationError,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import type { SandboxState } from '../../sandbox/state.mts';
import { runNode, type ItemKind } from './product.mts';
import { VirtualClock } from './virtualClock.mts';
import { type ContextFacts, valueOf, virtualContext, type Parameters } from './virtualContext.mts';
import { BASE_URL, VirtualNetwork, type NetworkOptions } from './virtualNetwork.mts';

/** What n8n shows as the error of a node. */
export type NodeError = NodeApiError | NodeOperationError;

/** Settings of a node that n8n itself acts on. */
export type NodeSettings = Partial<
	Pick<INode, 'name' | 'credentials' | 'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries'>
> & {
	/** As typed in the editor, with expressions that are not evaluated. */
	parameters?: IDataObject;
};

export interface ExecutionOptions {
	/** Input, the json of each item. */
	items: IDataObject[];
	/** As they are saved, with the values that expressions give. */
	parameters: Parameters;
	/** Values in place of saved ones that only an expression can give. */
	evaluated?: Parameters;
	/** Which node; `image` when left out. */
	kind?: ItemKind;
	node?: NodeSettings;
	/** Stops the execution when it fires, as the button in the editor does. */
	signal?: AbortSignal;
	/** What an n8n that keeps executions provides as well. */
	engine?: ContextFacts['engine'];
	/** How it is started; by a trigger when left out. */
	mode?: WorkflowExecuteMode;
}

/** How an execution ended. */
export interface Execution {
	id: string;
	mode: WorkflowExecuteMode;
	/** What the node has put out; nothing when it has thrown. */
	items: INodeExecutionData[];
	/** The items on each output of the node. */
	outputs: INodeExecutionData[][];
	error?: NodeError;
	/** The node's context, as it is stored with the execution. */
	memory: IDataObject;
	/** The context that all its nodes share. */
	flow: IDataObject;
	hints: NodeExecutionHint[];
	/** What it wrote to n8n's log and to the browser. */
	messages: string[];
	/** How many times the node has run. */
	tries: number;
	/** ms since 1970. */
	startedAt: number;
	endedAt: number;
	options: ExecutionOptions;
}

/** What n8n keeps with an execution for its nodes. */
type Kept = Pick<Execution, 'memory' | 'flow'>;

const NODE: INode = {
	id: '1',
	name: 'MediaGen',
	type: 'n8n-nodes-mediagen.mediaGenImage',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/**
 * An account of the service and an n8n that runs nodes with it, both in virtual time and in this
 * process: hours of waiting take no longer than their requests. Any number of executions can run
 * at once; `clock.run` lets them.
 */
export class VirtualN8n {
	/** Time as it passes, for the service and for the machine. */
	readonly clock: VirtualClock;
	readonly network: VirtualNetwork;
	/** A person may change its settings between two executions. */
	readonly credential: ICredentialDataDecryptedObject;
	/** What all executions wrote to n8n's log and to the browser, and when, ms since 1970. */
	readonly log: Array<{ at: number; text: string }> = [];
	private executions = 0;

	/**
	 * @param settings of the credential, besides address and key
	 * @param place whose clock and network it uses; its own when left out
	 */
	constructor(
		options: NetworkOptions = {},
		settings: IDataObject = {},
		place?: Pick<VirtualN8n, 'clock' | 'network'>,
	) {
		this.clock = place?.clock ?? new VirtualClock(undefined, options.settings?.seed);
		this.network = place?.network ?? new VirtualNetwork(this.clock, options);
		const { key, authToken } = this.network.state.settings;
		this.credential = {
			baseUrl: BASE_URL,
			apiKey: key,
			authToken,
			...settings,
		} as ICredentialDataDecryptedObject;
	}

	/** The sandbox: jobs, charges, journal, faults. */
	get state(): SandboxState {
		return this.network.state;
	}

	/** Runs a node as a workflow that was triggered does. */
	async execute(options: ExecutionOptions): Promise<Execution> {
		return await this.play(options, options.mode ?? 'trigger', { memory: {}, flow: {} });
	}

	/** Runs an execution once more, as *Retry execution* does: what the node remembers was stored as JSON. */
	async retry({ options, memory, flow }: Execution): Promise<Execution> {
		return await this.play(options, 'retry', JSON.parse(JSON.stringify({ memory, flow })) as Kept);
	}

	/** Executes it, and lets time pass until it has ended. */
	async run(options: ExecutionOptions): Promise<Execution> {
		return await this.clock.run(this.execute(options));
	}

	/** The same for a retry. */
	async rerun(execution: Execution): Promise<Execution> {
		return await this.clock.run(this.retry(execution));
	}

	/** Runs the node once more in the same execution, as a loop does, and an agent that calls its tool. */
	async nextRun(
		{ id, mode, memory, flow, options: before }: Execution,
		options = before,
	): Promise<Execution> {
		return await this.play(options, mode, { memory, flow }, 1, id);
	}

	/** Runs a later node of the same execution. */
	async nextNode({ id, mode, flow }: Execution, options: ExecutionOptions): Promise<Execution> {
		return await this.play(options, mode, { memory: {}, flow }, 0, id);
	}

	private async play(
		options: ExecutionOptions,
		mode: WorkflowExecuteMode,
		{ memory, flow }: Kept,
		runIndex = 0,
		id = String(++this.executions),
	): Promise<Execution> {
		const { clock, network } = this;
		const startedAt = clock.now();
		const hints: NodeExecutionHint[] = [];
		const messages: string[] = [];
		// The options are the same for all items, as they were typed.
		const first = { ...valueOf(options.parameters, 0), ...valueOf(options.evaluated, 0) };
		const typed = { options: first.options };
		const node = { ...NODE, parameters: typed, ...options.node } as INode;
		const { maxTries, pauseMs } = retryParameters(node);
		const signal = options.signal ?? new AbortController().signal;
		setMaxListeners(Infinity, signal);
		const { kind = 'image' } = options;
		const runOnce = async () => {
			const context = virtualContext({
				network,
				credential: this.credential,
				items: options.items.map((json) => ({ json })),
				kind,
				parameters: options.parameters,
				evaluated: options.evaluated,
				node,
				memory,
				flow,
				executionId: id,
				runIndex,
				mode,
				hints,
				messages,
				debug: (text) => void this.log.push({ at: clock.now(), text }),
				signal,
				engine: options.engine,
			});
			return await runNode(kind, context, clock);
		};

		for (let tries = 1; ; tries++) {
			const result = await runOnce().then(
				(outputs) => ({ items: outputs[0] ?? [], outputs }),
				(error: NodeError) => ({ items: [], outputs: [], error }),
			);
			const isLast = tries >= maxTries || signal.aborted;
			if (isLast || !hasFailed(result)) {
				const times = { startedAt, endedAt: clock.now() };
				return { id, mode, ...result, memory, flow, hints, messages, tries, ...times, options };
			}
			await clock.sleep(pauseMs);
		}
	}
}

/** What n8n makes of the settings of *Retry On Fail*. */
function retryParameters({ retryOnFail, maxTries, waitBetweenTries }: INode) {
	if (!retryOnFail) return { maxTries: 1, pauseMs: 0 };
	return {
		maxTries: Math.min(5, Math.max(2, maxTries || 3)),
		pauseMs: Math.min(5000, Math.max(0, waitBetweenTries || 1000)),
	};
}

/** Also with an error in the first item: n8n takes that for a failure of the node. */
function hasFailed({ items, error }: Pick<Execution, 'items' | 'error'>): boolean {
	const shown = items[0]?.json.error;
	return error !== undefined || (shown !== undefined && shown !== null && shown !== false);
}
