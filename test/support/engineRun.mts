import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { copyOf, type EngineWorkflow, type RunData, type StackEntry } from './engineTypes.mts';

/** What a run of an execution needs from the process around it. */
export interface RunFacts {
	workflow: EngineWorkflow;
	data: RunData;
	/** Runs the node of an entry. */
	execute: (entry: StackEntry, runIndex: number) => Promise<INodeExecutionData[][]>;
	/** *Save execution progress*, after each node. */
	saveProgress: () => Promise<void>;
	/** Called with each node that begins. */
	onNode: (name: string) => void;
}

/** How a run of an execution has ended. */
export type End = 'success' | 'waiting' | 'error';

/**
 * Runs the nodes on an execution's stack, one after another, until the stack is empty or a node fails
 * or parks the execution, as n8n does (`WorkflowExecute.processRunExecutionData`).
 */
export async function runStack(facts: RunFacts): Promise<End> {
	const { data } = facts;
	const { nodeExecutionStack: stack } = data.executionData;
	const { resultData } = data;
	wakeUp(data);
	for (let entry = stack.shift(); entry; entry = stack.shift()) {
		const { name } = entry.node;
		const runs = (resultData.runData[name] ??= []);
		facts.onNode(name);
		const made = await outputOf(facts, entry, runs.length).then(
			(output) => ({ output }),
			(error: Error) => ({ error }),
		);
		resultData.lastNodeExecuted = name;
		if ('error' in made) {
			const error = { ...copyOf(made.error), message: made.error.message };
			runs.push({ error });
			stack.unshift(entry);
			await facts.saveProgress();
			resultData.error = error;
			return 'error';
		}
		const main = paired(made.output, entry);
		runs.push({ data: { main } });
		if (data.waitTill !== undefined) {
			// In this order: for a moment, the stored stack lacks the node.
			await facts.saveProgress();
			stack.unshift(entry);
			return 'waiting';
		}
		stack.unshift(...followers(facts.workflow, name, main));
		await facts.saveProgress();
	}
	return 'success';
}

/** The node that parked the execution does not run again: the input that it has by now passes through. */
function wakeUp(data: RunData): void {
	const { executionData, resultData } = data;
	const [entry] = executionData.nodeExecutionStack;
	if (data.waitTill === undefined || !entry) return;
	data.waitTill = undefined;
	if (!entry.metadata?.resumeError) entry.node.disabled = true;
	resultData.runData[resultData.lastNodeExecuted ?? '']?.pop();
}

async function outputOf(
	facts: RunFacts,
	entry: StackEntry,
	runIndex: number,
): Promise<INodeExecutionData[][]> {
	const { resumeError } = entry.metadata ?? {};
	const [items = []] = entry.data.main;
	if (resumeError) {
		if ((entry.node.onError ?? 'stopWorkflow') === 'stopWorkflow') {
			throw Object.assign(new Error(resumeError.message), resumeError);
		}
		return [
			[{ json: { error: resumeError.message }, pairedItem: items.map((_, item) => ({ item })) }],
		];
	}
	if (entry.node.disabled) return [items];
	return await facts.execute(entry, runIndex);
}

/** n8n itself pairs items if one came in, or if as many go out as came in. */
function paired(output: INodeExecutionData[][], { data }: StackEntry): INodeExecutionData[][] {
	const [items = []] = data.main;
	const isClear = items.length === 1 || output.every(({ length }) => length === items.length);
	if (!isClear) return output;
	return output.map((branch) =>
		branch.map((item, index) => ({
			...item,
			pairedItem: item.pairedItem ?? { item: items.length === 1 ? 0 : index },
		})),
	);
}

/** What is to run next. A branch without items ends. */
function followers(
	{ nodes, connections }: EngineWorkflow,
	name: string,
	main: INodeExecutionData[][],
): StackEntry[] {
	return main.flatMap((items, output) => {
		const targets = items.length > 0 ? (connections[name]?.main?.[output] ?? []) : [];
		return targets.map(({ node }) => ({
			node: { ...nodeNamed(nodes, node) },
			data: { main: [items] },
		}));
	});
}

function nodeNamed(nodes: INode[], name: string): INode {
	const node = nodes.find((candidate) => candidate.name === name);
	if (!node) throw new Error(`There is no node "${name}"`);
	return node;
}

/** A node's own part of the execution's data. */
export function contextOf({ executionData }: RunData, { name }: INode): IDataObject {
	return (executionData.contextData[`node:${name}`] ??= {});
}
