import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Execution } from './virtualRun.mts';

/** The number of the execution that keeps the paid jobs of a stopped one. */
export const KEEPER = '101';

/** An n8n that stores executions. `engine` is for the nodes that read them, and for those that are stopped. */
export function storedExecutions() {
	const stored = new Map<string, object>();
	const kept: INodeExecutionData[] = [];
	const notes: string[] = [];
	const executeWorkflow = async (
		{ code }: { code: { nodes: Array<{ name: string }> } },
		items: INodeExecutionData[],
	) => {
		kept.push(...items);
		notes.push(JSON.stringify(code));
		const runData = { [code.nodes[0]!.name]: [{ data: { main: [items] } }] };
		stored.set(KEEPER, { resultData: { runData } });
		return { executionId: KEEPER, data: [null] };
	};
	const getExecutionDataById = async (id: string) => stored.get(id);
	return {
		/** What stopped executions have given to the one that keeps it, and what stands there to be read. */
		kept,
		notes,
		engine: { executeWorkflow, getExecutionDataById } as unknown as Partial<IExecuteFunctions>,
		/** An execution has ended, and n8n has stored what its node remembers. */
		store: ({ id, memory, flow, options }: Execution, more: object = {}) => {
			const name = `node:${options.node?.name ?? 'MediaGen'}`;
			const contextData = JSON.parse(JSON.stringify({ [name]: memory, flow })) as IDataObject;
			const executionData = { contextData, nodeExecutionStack: [] };
			stored.set(id, { executionData, resultData: { runData: {} }, ...more });
		},
	};
}
