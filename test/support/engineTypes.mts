import type {
	IConnections,
	IDataObject,
	INode,
	INodeExecutionData,
	IWorkflowSettings,
} from 'n8n-workflow';

export type Status = 'new' | 'running' | 'waiting' | 'success' | 'error' | 'crashed' | 'canceled';

export interface EngineWorkflow {
	id: string;
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
}

/** An error as it is stored. */
export interface StoredError {
	message: string;
	description?: string;
	reason?: string;
}

/** One run of a node. */
export interface NodeRun {
	data?: { main: INodeExecutionData[][] };
	error?: StoredError;
}

/** A node that is to run. */
export interface StackEntry {
	node: INode;
	data: { main: INodeExecutionData[][] };
	metadata?: { resumeError?: StoredError };
}

/** What n8n stores about the progress of an execution (`IRunExecutionData`), as far as needed here. */
export interface RunData {
	executionData: {
		/** By `node:` and the node's name. */
		contextData: Record<string, IDataObject>;
		nodeExecutionStack: StackEntry[];
	};
	resultData: {
		/** By the node's name. */
		runData: Record<string, NodeRun[]>;
		lastNodeExecuted?: string;
		error?: StoredError;
	};
	/** A time in JSON. When an execution is resumed, it stays in the database until the next save. */
	waitTill?: string;
	parentExecution?: { executionId: string; workflowId: string; shouldResume?: boolean };
}

/** The latest run of the node that ran last. */
export function lastRunOf({ resultData }: RunData): NodeRun | undefined {
	return resultData.runData[resultData.lastNodeExecuted ?? '']?.at(-1);
}

export function copyOf<T>(value: T): T {
	return JSON.parse(JSON.stringify(value)) as T;
}
