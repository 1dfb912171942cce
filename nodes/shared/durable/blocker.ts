import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ItemPlan } from '../run/run';

/** Ways to run a workflow in which nothing would wake it up again. */
const MODES: Partial<Record<ReturnType<IExecuteFunctions['getMode']>, string>> = {
	cli: 'A workflow run from the command line ends with its process',
	evaluation: 'An evaluation waits for its workflow in process',
};

/** Triggers whose caller may wait for what the workflow gives out, and how they answer by default. */
const CALLED: Record<string, string> = {
	'n8n-nodes-base.webhook': 'onReceived',
	'n8n-nodes-base.formTrigger': 'onReceived',
	'@n8n/n8n-nodes-langchain.chatTrigger': 'lastNode',
};

/** n8n answers in these ways when an execution parks, with what it has by then. */
const TOO_EARLY = ['lastNode', 'streaming'];

/**
 * Whether n8n hands the error of a child on to a parent that is parked. Nothing that a node sees says
 * so, and the version that n8n-workflow gives may be that of a copy beside this package. So we ask
 * for `onExecutionFinish`, which came later. Read off the sources of n8n-core:
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
	const reasons: Array<[boolean, string]> = [
		[
			!handsOnErrors(context),
			'This version of n8n would lose results; durable waiting needs n8n 2.33 or later',
		],
		[context.getNode().type.endsWith('Tool'), 'An agent waits for its tools in process'],
		[!id || !context.getExecutionId(), 'The workflow is not saved'],
		[plans.some(({ request }) => request.files), 'The items send files with their requests'],
		[isAwaited(context), 'The trigger of the workflow answers when that has ended'],
	];
	return reasons.find(([applies]) => applies)?.[1] ?? MODES[context.getMode()];
}

/** Whether the one that has called the workflow is answered when it ends. */
function isAwaited(context: IExecuteFunctions): boolean {
	if (context.getMode() === 'retry') return false;
	const triggers = context.getParentNodes(context.getNode().name, { includeNodeParameters: true });
	return triggers.some(({ name, type, parameters = {} }) => {
		const byDefault = CALLED[type];
		if (byDefault === undefined) return false;
		const { responseMode } = { ...(parameters.options as IDataObject), ...parameters };
		const isTooEarly = TOO_EARLY.includes(String(responseMode ?? byDefault));
		// There may be several, of which one has run.
		return (
			isTooEarly && context.evaluateExpression(`{{ $(${quoted(name)}).isExecuted }}`, 0) === true
		);
	});
}

/** As it may stand in an expression, which a brace could end. */
const quoted = (name: string) => JSON.stringify(name).replaceAll('}', '\\u007d');
