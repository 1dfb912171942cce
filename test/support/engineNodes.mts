import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Child, EngineProcess, Running } from './engineProcess.mts';
import { contextOf } from './engineRun.mts';
import type { EngineWorkflow, StackEntry } from './engineTypes.mts';
import { runNode as runOwnNode } from './product.mts';
import { virtualContext } from './virtualContext.mts';

type Runner = (
	process: EngineProcess,
	running: Running,
	entry: StackEntry,
	runIndex: number,
) => Promise<INodeExecutionData[][]>;

const passOn: Runner = async (_process, _running, { data }) => [data.main[0] ?? []];

/** A boolean condition on one field of the item, such as `={{ $json.again !== true }}`. */
const CONDITION = /^=\{\{ \$json\.(\w+) !== true \}\}$/;

const divide: Runner = async (_process, _running, { node, data }) => {
	const { boolean } = node.parameters.conditions as { boolean: [{ value1: string }] };
	const [, field] = CONDITION.exec(boolean[0].value1) ?? [];
	if (field === undefined) throw new Error(`Unknown condition ${boolean[0].value1}`);
	const [items = []] = data.main;
	return [
		items.filter(({ json }) => json[field] !== true),
		items.filter(({ json }) => json[field] === true),
	];
};

/** Parks the execution for `amount` seconds. */
const wait: Runner = async (process, running, { node, data }) => {
	const ms = Number(node.parameters.amount) * 1000;
	running.data.waitTill = new Date(process.facts.life.clock.now() + ms).toISOString();
	return [data.main[0] ?? []];
};

const generate: Runner = async (process, running, entry, runIndex) =>
	await runOwnNode(
		'image',
		contextFor(process, running, entry, runIndex),
		process.facts.life.clock,
	);

const RUNNERS: Record<string, Runner> = {
	'n8n-nodes-base.executeWorkflowTrigger': passOn,
	'n8n-nodes-base.noOp': passOn,
	'n8n-nodes-base.if': divide,
	'n8n-nodes-base.wait': wait,
	'n8n-nodes-mediagen.mediaGenImage': generate,
};

/** Runs a node: this package's, or one of n8n's, as far as a durable run needs it. */
export const runNode: Runner = async (process, running, entry, runIndex) => {
	const runner = RUNNERS[entry.node.type];
	if (!runner) throw new Error(`Unknown node type ${entry.node.type}`);
	return await runner(process, running, entry, runIndex);
};

function contextFor(
	process: EngineProcess,
	running: Running,
	{ node, data }: StackEntry,
	runIndex: number,
): IExecuteFunctions {
	const { store, life, apiKey, messages } = process.facts;
	const { id, workflow } = running;
	const [items = []] = data.main;
	const engine = {
		evaluateExpression: () => runIndex,
		getWorkflow: () => ({ id: workflow.id, name: workflow.name, active: true }),
		putExecutionToWait: async (till: Date) => {
			running.data.waitTill = till.toISOString();
		},
		onExecutionFinish: () => {},
		getExecutionDataById: async (other: string) => await life.read(() => store.read(other)),
		executeWorkflow: async (
			{ code }: { code: EngineWorkflow },
			given?: INodeExecutionData[],
			_callback?: unknown,
			options?: Omit<Child, 'code' | 'items'>,
		) => await process.executeWorkflow(workflow, { ...options, code, items: given }),
	};
	return virtualContext({
		network: life,
		// Without one, nobody can sign in.
		credential: node.credentials ? { baseUrl: life.baseUrl(workflow.id), apiKey } : { baseUrl: '' },
		items,
		kind: 'image',
		parameters: node.parameters as IDataObject,
		node,
		memory: contextOf(running.data, node),
		executionId: id,
		mode: running.mode,
		hints: { push: (...hints) => messages.push(...hints.map(({ message }) => message)) },
		messages,
		signal: new AbortController().signal,
		engine: engine as object as Partial<IExecuteFunctions>,
	});
}
