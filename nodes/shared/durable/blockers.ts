import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { isTool, type ItemPlan } from '../run/run';
import { carriesFiles } from '../service/request';

const CALLED_BY_WORKFLOW = 'n8n-nodes-base.executeWorkflowTrigger';

/** Triggers that may answer with the workflow's output, and how they answer by default. */
const CALLED: Record<string, string> = {
	'n8n-nodes-base.webhook': 'onReceived',
	'n8n-nodes-base.formTrigger': 'onReceived',
	'@n8n/n8n-nodes-langchain.chatTrigger': 'lastNode',
	[CALLED_BY_WORKFLOW]: 'byWorkflow',
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
const handsOnErrors = ({ onExecutionFinish }: Partial<IExecuteFunctions>) =>
	onExecutionFinish !== undefined;

/** Why a run cannot wait durably, as a sentence; `undefined` when it can. */
export function durableBlocker(
	context: IExecuteFunctions,
	plans: readonly ItemPlan[],
): string | undefined {
	const { id } = context.getWorkflow();
	const mode = context.getMode();
	const triggers = triggersOf(context);
	const reasons: Record<string, boolean> = {
		'This version of n8n would lose results; durable waiting needs n8n 2.33 or later':
			!handsOnErrors(context),
		'An agent waits for its tools in process': isTool(context),
		'The workflow is not saved': !id || !context.getExecutionId(),
		'The items send files with their requests': plans.some(({ request }) => carriesFiles(request)),
		'Output by Status has three outputs, and an execution that was parked goes on by the first':
			plans.some(({ options }) => options.outputByStatus),
		'The trigger of the workflow answers when that has ended':
			mode !== 'retry' && triggers.some(isAwaited),
		'The workflow was called with one item; if it is called once for each of several, n8n takes the results of the first call for all':
			triggers.some((trigger) => isCalledWithOne(context, trigger)),
		'A workflow run from the command line ends with its process': mode === 'cli',
		'An evaluation waits for its workflow in process': mode === 'evaluation',
	};
	return Object.keys(reasons).find((reason) => reasons[reason]);
}

/** The triggers that may answer so, of those that have run: a workflow may have several. */
const triggersOf = (context: IExecuteFunctions) =>
	context
		.getParentNodes(context.getNode().name, { includeNodeParameters: true })
		.filter(({ name, type }) => type in CALLED && isTrue(context, name, '.isExecuted'));

type Trigger = ReturnType<typeof triggersOf>[number];

/** Whether whatever has called the workflow gets an answer only when it ends. */
function isAwaited({ type, parameters = {} }: Trigger): boolean {
	const given = { ...(parameters.options as IDataObject), ...parameters };
	return TOO_EARLY.includes(String(given.responseMode ?? CALLED[type]));
}

/** Whether another workflow has called this one with one item, and so may call it again for others. */
const isCalledWithOne = (context: IExecuteFunctions, { name, type }: Trigger) =>
	type === CALLED_BY_WORKFLOW && isTrue(context, name, '.all().length === 1');

function isTrue(context: IExecuteFunctions, node: string, what: string): boolean {
	// A closing brace could end the expression.
	const quoted = JSON.stringify(node).replaceAll('}', '\\u007d');
	return context.evaluateExpression(`{{ $(${quoted})${what} }}`, 0) === true;
}
