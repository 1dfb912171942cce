import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isTool, type ItemPlan } from '../run/run';

/** Triggers whose caller may wait for the workflow's output, and how they answer by default. */
const CALLED: Record<string, string> = {
	'n8n-nodes-base.webhook': 'onReceived',
	'n8n-nodes-base.formTrigger': 'onReceived',
	'@n8n/n8n-nodes-langchain.chatTrigger': 'lastNode',
};

/** With these response modes, n8n answers as soon as an execution parks, with what it has by then. */
const TOO_EARLY = ['lastNode', 'streaming'];

/**
 * Whether n8n hands a child's error on to a parked parent. A node is not told so, and the version in
 * n8n-workflow may be that of another copy, installed beside this package. So we look for
 * `onExecutionFinish`, which n8n got later. From the sources of n8n-core:
 *
 * | n8n              | the child's items | its error | `onExecutionFinish` |
 * | ---------------- | ----------------- | --------- | ------------------- |
 * | 1.123.81         | dropped           | dropped   | no                  |
 * | 2.0.3 to 2.24.0  | handed on         | dropped   | no                  |
 * | 2.27.3 to 2.32   | handed on         | handed on | no                  |
 * | from 2.33.0      | handed on         | handed on | yes                 |
 */
function handsOnErrors({ onExecutionFinish }: Partial<IExecuteFunctions>): boolean {
	return onExecutionFinish !== undefined;
}

/** Why a run cannot wait durably, as a sentence; `undefined` when it can. */
export function durableBlocker(
	context: IExecuteFunctions,
	plans: readonly ItemPlan[],
): string | undefined {
	const { id } = context.getWorkflow();
	const mode = context.getMode();
	const blockers: Array<[boolean, string]> = [
		[
			!handsOnErrors(context),
			'This version of n8n would lose results; durable waiting needs n8n 2.33 or later',
		],
		[isTool(context), 'An agent waits for its tools in process'],
		[!id || !context.getExecutionId(), 'The workflow is not saved'],
		[plans.some(({ request }) => request.files), 'The items send files with their requests'],
		[
			plans.some(({ options }) => options.outputByStatus),
			'Output by Status has three outputs, and an execution that was parked goes on by the first',
		],
		[isAwaited(context), 'The trigger of the workflow answers when that has ended'],
		[
			isCalledWithOne(context),
			'The workflow was called with one item; if it is called once for each of several, n8n takes the results of the first call for all',
		],
		[mode === 'cli', 'A workflow run from the command line ends with its process'],
		[mode === 'evaluation', 'An evaluation waits for its workflow in process'],
	];
	return blockers.find(([applies]) => applies)?.[1];
}

/** Whether the caller of the workflow gets an answer only when it ends. */
function isAwaited(context: IExecuteFunctions): boolean {
	if (context.getMode() === 'retry') return false;
	return nodesBefore(context).some(({ name, type, parameters = {} }) => {
		const byDefault = CALLED[type];
		if (byDefault === undefined) return false;
		const { responseMode } = { ...(parameters.options as IDataObject), ...parameters };
		const isTooEarly = TOO_EARLY.includes(String(responseMode ?? byDefault));
		// The workflow may have several triggers, of which only one has run.
		return isTooEarly && isTrue(context, `$(${quoted(name)}).isExecuted`);
	});
}

const nodesBefore = (context: IExecuteFunctions) =>
	context.getParentNodes(context.getNode().name, { includeNodeParameters: true });

const isTrue = (context: IExecuteFunctions, expression: string) =>
	context.evaluateExpression(`{{ ${expression} }}`, 0) === true;

const CALLED_BY_WORKFLOW = 'n8n-nodes-base.executeWorkflowTrigger';

/** Whether another workflow has called this one with one item, and so may call it again for others. */
function isCalledWithOne(context: IExecuteFunctions): boolean {
	return nodesBefore(context)
		.filter(({ type }) => type === CALLED_BY_WORKFLOW)
		.map(({ name }) => `$(${quoted(name)})`)
		.some((trigger) => isTrue(context, `${trigger}.isExecuted && ${trigger}.all().length === 1`));
}

/** Quoted for use in an expression, which a closing brace could end. */
const quoted = (name: string) => JSON.stringify(name).replaceAll('}', '\\u007d');
